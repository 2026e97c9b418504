"""Seals of agents' turns: what a turn did, as a digest in the audit log's chain of hashes.

A turn is sealed in the transaction that ends it, so a row of it that is changed beside Postern
shows. Who erases words of a person or a contact in sealed turns has them sealed again.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.statements import records

_TURN = """to_json([
    t.id, t.chat_id, t.agent, t.agent_version::VARCHAR, t.asked, to_json(t.also)::VARCHAR,
    t.asked_by, t.caller::VARCHAR, t.by_itself::VARCHAR, t.state, to_json(t.labels)::VARCHAR,
    t.note, epoch_us(t.started_at)::VARCHAR, epoch_us(t.ended_at)::VARCHAR
])::VARCHAR"""
_MOVE = """to_json([
    'move', ordinal::VARCHAR, kind, name, state, sha256(given::VARCHAR), sha256(gates::VARCHAR),
    sha256(result::VARCHAR), epoch_us(began_at)::VARCHAR, epoch_us(ended_at)::VARCHAR
])::VARCHAR"""
_REQUEST = """to_json([
    'request', id, provider, model, outcome, tokens_in::VARCHAR, cache_read::VARCHAR,
    cache_write::VARCHAR, tokens_out::VARCHAR, cost::VARCHAR, priced::VARCHAR
])::VARCHAR"""
_APPROVAL = """to_json([
    'approval', id, subject_id, sha256, state, decided_by, decided_as,
    epoch_us(opened_at)::VARCHAR, epoch_us(decided_at)::VARCHAR, note
])::VARCHAR"""
"""What a row is for the digest: every column that is final when the turn is sealed. What is read of
a turn behind its answer, and the flow run that shows it, come later."""
_MOVES = "NOT (kind = 'extract' AND name = '')"
_CALLS = "kind = 'tool_call'"
_DIGEST = "sha256(concat_ws(chr(10), turn_line, move_lines, request_lines, approval_lines))"
_TOLD = """
    turn_id, chat_id, agent, agent_version, asked_by, state, coalesce(moves, 0) AS moves,
    requests, open, coalesce(tokens, 0)::BIGINT AS tokens, coalesce(cost, 0) AS cost
"""

_OF_TURN = f"""
SELECT {_TOLD}, {_DIGEST} AS sha256 FROM (
    SELECT t.id AS turn_id, t.chat_id, t.agent, t.agent_version, t.asked_by, t.state,
        {_TURN} AS turn_line
    FROM turns AS t WHERE t.id = $turn
), (
    SELECT count(*) AS moves, string_agg(line, chr(10) ORDER BY ordinal, line) AS move_lines
    FROM (SELECT ordinal, {_MOVE} AS line FROM turn_moves WHERE turn_id = $turn AND {_MOVES})
), (
    SELECT count(*) FILTER (settled) AS requests,
        coalesce(list(id ORDER BY id) FILTER (NOT settled), []) AS open,
        sum(tokens_in + tokens_out) FILTER (settled) AS tokens, sum(cost) FILTER (settled) AS cost,
        string_agg(line, chr(10) ORDER BY started_at, id) FILTER (settled) AS request_lines
    FROM (
        SELECT id, started_at, tokens_in, tokens_out, cost, outcome <> 'reserved' AS settled,
            {_REQUEST} AS line
        FROM model_calls WHERE turn = $turn
    )
), (
    SELECT string_agg(line, chr(10) ORDER BY line) AS approval_lines FROM (
        SELECT {_APPROVAL} AS line FROM approvals
        WHERE {_CALLS} AND starts_with(subject_id, $turn || '.')
    )
)
"""
"""What one turn did; requests that are under way are named, and no part of the digest."""
_SEALED = """
SELECT substr(subject, 6) AS turn_id, (told->>'$.chat') AS chat_id, (told->>'$.sha256') AS sha256,
    TRY_CAST(told->>'$.requests' AS BIGINT) AS requests,
    TRY_CAST(told->'$.open' AS VARCHAR[]) AS open
FROM (
    SELECT subject, TRY_CAST('{"' || split_part(detail, ' {"', 2) AS JSON) AS told
    FROM audit_events
    WHERE action = 'end-turn' AND contains(detail, ' {"')
    QUALIFY row_number() OVER (PARTITION BY subject ORDER BY sequence DESC) = 1
)
"""
"""The newest seal of each turn, and what it covers."""
_OF_SEALED = f"""
WITH sealed AS ({_SEALED})
SELECT {_TOLD}, {_DIGEST} AS sha256 FROM (
    SELECT t.id AS turn_id, t.chat_id, t.agent, t.agent_version, t.asked_by, t.state,
        sealed.requests, sealed.open, sealed.sha256 AS was, {_TURN} AS turn_line
    FROM turns AS t JOIN sealed ON sealed.turn_id = t.id
) LEFT JOIN (
    SELECT turn_id, count(*) AS moves,
        string_agg(line, chr(10) ORDER BY ordinal, line) AS move_lines
    FROM (SELECT turn_id, ordinal, {_MOVE} AS line FROM turn_moves WHERE {_MOVES})
    GROUP BY turn_id
) USING (turn_id) LEFT JOIN (
    SELECT turn AS turn_id, sum(tokens_in + tokens_out) AS tokens, sum(cost) AS cost,
        string_agg(line, chr(10) ORDER BY started_at, id) AS request_lines
    FROM (
        SELECT c.*, {_REQUEST} AS line FROM model_calls AS c
        JOIN sealed ON sealed.turn_id = c.turn WHERE NOT list_contains(sealed.open, id)
        QUALIFY row_number() OVER (PARTITION BY turn ORDER BY started_at, id) <= sealed.requests
    ) GROUP BY turn
) USING (turn_id) LEFT JOIN (
    SELECT split_part(subject_id, '.', 1) AS turn_id,
        string_agg({_APPROVAL}, chr(10) ORDER BY {_APPROVAL}) AS approval_lines
    FROM approvals WHERE {_CALLS} GROUP BY 1
) USING (turn_id)
WHERE {_DIGEST} IS DISTINCT FROM was
ORDER BY turn_id
"""
"""What each turn did by the rows that are there now, where its newest seal says something else."""
_MISSING = f"""
WITH sealed AS ({_SEALED})
SELECT turn_id FROM sealed
WHERE turn_id NOT IN (SELECT id FROM turns) AND chat_id IN (SELECT id FROM chats)
UNION ALL
SELECT id FROM turns
WHERE state <> 'active' AND id NOT IN (SELECT turn_id FROM sealed)
AND ended_at > (SELECT min(occurred_at) FROM audit_events WHERE action = 'end-turn')
"""
"""The turns that are gone while their chat is there, and those that ended after the first seal and
have none."""


class _Digest(NamedTuple):
    """What one turn did, in figures, and the digest of all of it."""

    turn_id: str
    chat_id: str
    agent: str
    agent_version: int
    asked_by: str
    state: str
    moves: int
    requests: int
    open: list[str]
    tokens: int
    cost: float
    sha256: str

    def word_detail(self, why: str) -> str:
        """The detail of its seal: what it was, and behind that what the check reads."""
        words = (
            f"version {self.agent_version} for {self.asked_by}: {self.state}, {self.moves} moves, "
            f"{self.requests} requests, {self.tokens} tokens, {self.cost:.4f} USD{why}"
        )
        checked = {"chat": self.chat_id, "requests": self.requests, "open": self.open}
        return f"{words} {json.dumps({**checked, 'sha256': self.sha256})}"


def seal(cursor: Connection, turn_id: str, now: datetime) -> None:
    """Write to the audit log what a turn did, in the transaction that ends it."""
    _write_seals(cursor, records(cursor, _Digest, _OF_TURN, {"turn": turn_id}), now)


def list_altered(cursor: Connection) -> list[str]:
    """Return the turns whose rows are not what their seals say, by their ids in order.

    One that was removed with its chat is none of them, nor one that ended before the first seal.
    """
    missing = [str(turn_id) for (turn_id,) in cursor.execute(_MISSING).fetchall()]
    return sorted(missing + [digest.turn_id for digest in _list_changed(cursor)])


@contextmanager
def seal_rewritten(cursor: Connection, now: datetime, why: str) -> Iterator[None]:
    """Seal again those turns whose rows are rewritten within, as an erasure rewrites them.

    What was altered before stays altered.
    """
    before = {digest.turn_id for digest in _list_changed(cursor)}
    yield
    rewritten = [digest for digest in _list_changed(cursor) if digest.turn_id not in before]
    _write_seals(cursor, rewritten, now, f"; {why}")


def _list_changed(cursor: Connection) -> list[_Digest]:
    return records(cursor, _Digest, _OF_SEALED)


def _write_seals(
    cursor: Connection, digests: Sequence[_Digest], now: datetime, why: str = ""
) -> None:
    events = [
        audit.Event(
            f"agent:{digest.agent}", audit.SEAL, f"turn:{digest.turn_id}", digest.word_detail(why)
        )
        for digest in digests
    ]
    audit.append_many(cursor, events, now)
