"""What an agent did in a turn is vouched for by the audit log: a byte that was changed shows."""

from pathlib import Path

import pytest

from data.records.core.asking import TokenUsage
from data.records.core.audit_views import AuditChain
from data.store.agents import turns
from data.store.core import turn_seals, usage
from data.store.core.audit_check import verify_log
from data.store.core.database import Connection, Database
from flows.core.administration.backing_up import back_up
from tests.agents.conftest import Office
from tests.agents.turns.talks import ORDER, Shop, Talk, begin_talk
from tests.core.small import SLUG


class _UndoneError(Exception):
    """Takes back what was tried."""


async def _altered_by(office: Office, statement: str) -> tuple[str, ...]:
    """Return the turns that the check calls altered after a statement, which is taken back."""
    turns_altered: list[str] = []

    def tamper(cursor: Connection) -> None:
        cursor.execute(statement)
        turns_altered.extend(turn_seals.list_altered(cursor))
        raise _UndoneError

    with pytest.raises(_UndoneError):
        await office.line.workspace.db.write(tamper)
    return tuple(turns_altered)


def _asked(cursor: Connection, turn: str, talk: Talk) -> None:
    """Write down that the turn has asked a model, twice, and that one answer is still to come."""
    now = talk.office.line.clock()
    for name, answered in (("1", True), ("2", True), ("3", False)):
        call = usage.Call(
            id=f"call-{name}", agent="taskmaster", turn=turn, principal=talk.ida.id,
            provider="anthropic", model="small", tier="low", attempt=1, started_at=now,
            cost=0.5, tokens=100, priced=True,
        )  # fmt: skip
        usage.reserve(cursor, call, ())
        if answered:
            used = TokenUsage(tokens_in=70, tokens_out=9)
            usage.settle(cursor, call.id, "answered", used, cost=0.25, tokens=79, milliseconds=1.0)


BYTES = {
    "turns": {
        "chat_id": "'~' || substr(chat_id, 2)",
        "agent": "'u' || substr(agent, 2)",
        "agent_version": "agent_version + 1",
        "asked": "'~' || substr(asked, 2)",
        "asked_by": "'~' || substr(asked_by, 2)",
        "also": "['x']",
        "caller": "replace(caller::VARCHAR, 'person', 'persom')",
        "by_itself": "NOT by_itself",
        "state": "'failec'",
        "labels": "['untrusted']",
        "note": "'x'",
        "started_at": "started_at + INTERVAL 1 MICROSECOND",
        "ended_at": "ended_at + INTERVAL 1 MICROSECOND",
    },
    "turn_moves": {
        "ordinal": "ordinal + 1",
        "kind": "'acu'",
        "name": "'add_tasl'",
        "state": "'dond'",
        "given": "replace(given::VARCHAR, 'Ana', 'Anb')",
        "gates": "replace(gates::VARCHAR, 'allow', 'alloy')",
        "result": "replace(result::VARCHAR, 'Sold', 'Sole')",
        "began_at": "began_at + INTERVAL 1 MICROSECOND",
        "ended_at": "ended_at + INTERVAL 1 MICROSECOND",
    },
    "approvals": {
        "state": "'approvee'",
        "sha256": "'~' || substr(sha256, 2)",
        "decided_by": "'Idb'",
        "decided_as": "'persom'",
        "decided_at": "decided_at + INTERVAL 1 MICROSECOND",
    },
    "model_calls": {
        "model": "'smalm'",
        "provider": "'anthropid'",
        "outcome": "'answeree'",
        "tokens_in": "tokens_in + 1",
        "tokens_out": "tokens_out + 1",
        "cost": "cost - 0.000001",
    },
}
"""By table and column, what one byte of it becomes."""
_OF_ACT = {"turns": "true", "turn_moves": "kind = 'act'", "approvals": "true",
           "model_calls": "id = 'call-1'"}  # fmt: skip


async def test_one_byte_of_what_an_agent_did_shows(office: Office) -> None:
    """In any column of the turn, its moves, the approval and what was asked of a model for it."""
    talk = await begin_talk(office, Shop())
    db = office.line.workspace.db
    turn = await talk.say(ORDER)
    await talk.settle()
    await db.write(_asked, turn, talk)
    (call,) = await talk.waiting()
    await talk.decide(call, approve=True)
    await talk.settle()
    assert (await db.read(turns.read_turn, turn)).state == "completed"
    assert (await db.read(verify_log)).faults == {}
    missed = [
        f"{table}.{column}"
        for table, changes in BYTES.items()
        for column, byte in changes.items()
        if await _altered_by(
            office, f"UPDATE {table} SET {column} = {byte} WHERE {_OF_ACT[table]}"  # noqa: S608  # ours
        ) != (turn,)
    ]  # fmt: skip
    assert missed == []
    for statement in (
        "DELETE FROM turn_moves",
        "DELETE FROM turn_moves WHERE kind = 'act'",
        "DELETE FROM turns",
        "DELETE FROM approvals",
        "DELETE FROM model_calls WHERE id = 'call-2'",
        "INSERT INTO turn_moves SELECT * FROM turn_moves WHERE kind = 'act'",
    ):
        assert await _altered_by(office, statement) == (turn,), statement
    unsealed = (
        "INSERT INTO turns SELECT * REPLACE "
        "('unsealed' AS id, ended_at + INTERVAL 1 SECOND AS ended_at) FROM turns"
    )
    assert await _altered_by(office, unsealed) == ("unsealed",)
    for statement in (
        "UPDATE model_calls SET outcome = 'cancelled', cost = 0.1 WHERE id = 'call-3'",
        "UPDATE turns SET run_id = 'run', tries = 0",
    ):
        assert await _altered_by(office, statement) == (), statement
    (event,) = await office.line.rows("SELECT * FROM audit_events WHERE action = 'end-turn'")
    assert (event["actor"], event["subject"]) == ("agent:taskmaster", f"turn:{turn}")
    words = f"version 1 for {talk.ida.id}: completed, 2 moves, 2 requests, 158 tokens, 0.5000 USD"
    assert event["detail"].startswith(f'{words} {{"chat"')


def test_what_does_not_fit_is_told_in_sentences() -> None:
    """The first few turns by their ids, the others by their number."""
    assert AuditChain(events=3).faults == {}
    altered = tuple("abcdefg")
    faults = AuditChain(events=3, broken_at=2, altered=altered).faults
    assert list(faults) == ["2", "a"]
    assert faults["a"] == (
        "Rows of 7 turns of agents were changed beside Postern: a, b, c, d, e and 2 more."
    )


async def test_what_was_altered_is_altered_after_an_erasure_and_in_a_backup(
    office: Office, tmp_path: Path
) -> None:
    """An erasure has what it rewrites vouched for again, and nothing that was changed before."""
    talk = await begin_talk(office, Shop(approval=False))
    first, second = [await talk.say(ORDER) for _ in range(2)]
    await talk.settle()
    tamper = "UPDATE turn_moves SET result = '[]' WHERE turn_id = ? AND kind = 'act'"
    erasure = "UPDATE turn_moves SET given = 'null', result = 'null'"

    def erase(cursor: Connection) -> None:
        cursor.execute(tamper, [first])
        with turn_seals.seal_rewritten(cursor, office.line.clock(), "words were erased"):
            cursor.execute(erasure)
        chain = verify_log(cursor)
        assert (chain.events, chain.broken_at, chain.altered) == (before + 1, None, (first,))
        raise _UndoneError

    db = office.line.workspace.db
    before = (await db.read(verify_log)).events
    with pytest.raises(_UndoneError):
        await db.write(erase)
    assert await _altered_by(office, erasure) == (first, second)
    await back_up(office.line.house, tmp_path / "copy")
    state = tmp_path / "copy" / "organizations" / SLUG / "state.duckdb"
    restored = Database(state, "organization")
    assert await restored.read(verify_log) == await db.read(verify_log)
    restored.close()
