"""What people decide on a message that is in quarantine because its answer leaked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from data.errors import ConflictError
from data.records.mail.orders import Approve
from data.store.mail import decisions
from flows.api.mail.quarantine import _items as quarantined
from flows.api.mail.review.case_view import case_view
from flows.mail.line.leaks import LEAKED
from flows.mail.people import guarding, undoing
from flows.mail.people.reviewing import approve, retry
from tests.core.models import messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import StandIn
from tests.core.small import Line
from tests.mail.line.sending_by_itself import QUESTION, write
from tests.mail.models.forms import agent_of, sensible
from tests.mail.models.test_leaks_over_the_line import drafted
from tests.mail.models.test_line_with_models import ASKED
from tests.mail.models.test_parts import allow
from tests.people import person


@asynccontextmanager
async def leaked(thinking: OpenThinking) -> AsyncIterator[tuple[Line, str, str]]:
    """Open a line with a message whose answer leaked, its case, and a model that is well again."""
    well = sensible(messages_api.fills)
    async with StandIn([well]) as server, thinking(server) as line:
        wrong = drafted(line.workspace.canary)
        server.steps = [lambda seen: (wrong if agent_of(seen) == "drafter" else well)(seen)]
        item = line.send(ASKED)
        await line.run()
        assert await line.status(item) == "quarantined"
        (case,) = await line.rows("SELECT id FROM cases")
        server.steps = [well]
        yield line, item, str(case["id"])


async def case_of(line: Line, item: str) -> tuple[str, str, str]:
    """Return the case of a message, where it is, and its note."""
    (row,) = await line.rows(
        "SELECT c.id, c.state, c.note FROM messages m JOIN cases c ON c.id = m.case_id "
        "WHERE m.id = ?",
        item,
    )
    return str(row["id"]), str(row["state"]), str(row["note"])


async def state_of(line: Line, case: str) -> str:
    """Return where a case is."""
    (row,) = await line.rows("SELECT state FROM cases WHERE id = ?", case)
    return str(row["state"])


async def refused(line: Line, case: str) -> None:
    """Try to send an answer of a case that is closed."""
    version = (await case_view(line.house, line.workspace, case)).version
    given = Approve(version=version, approval_hash="0" * 64, confirmed=True)
    with pytest.raises(ConflictError, match="nothing to decide"):
        await approve(line.house, line.workspace, case, given, person("ida"))


async def test_the_record_says_leak_and_the_bell_leads_to_the_message(
    thinking: OpenThinking,
) -> None:
    """The list, the security record and the notification speak of the message."""
    async with leaked(thinking) as (line, item, case):
        (entry,), _ = await line.workspace.db.read(quarantined, 10, 0)
        flags = (await line.workspace.db.read(decisions.read_flags, [item]))[item]
        told = await line.rows("SELECT kind, subject_id, sentence FROM notifications")
        assert await case_of(line, item) == (case, "in_review", f"Quarantined: {LEAKED}.")
    assert (entry.message.id, entry.technique, entry.excerpt) == (item, "leak", LEAKED)
    assert (flags.reason, flags.reason_content) == ("leak", LEAKED)
    assert (flags.injection_detected, flags.injection_type) == (False, None)
    (one,) = [one for one in told if one["kind"] == "quarantined"]
    assert (one["subject_id"], one["sentence"]) == (item, "leak: Opening hours")


async def test_a_released_message_is_worked_on_anew(thinking: OpenThinking) -> None:
    """It comes before a person in a new case; the old one is closed. Undo is the way back."""
    async with leaked(thinking) as (line, item, case):
        await guarding.release(line.house, line.workspace, item, person("ida"))
        await line.run()
        assert await line.status(item) == "draft_ready"
        new, state, _ = await case_of(line, item)
        assert (new != case, state, await state_of(line, case)) == (True, "in_review", "archived")
        (row,) = await line.rows("SELECT verdict, note FROM messages")
        assert row == {"verdict": "flagged", "note": ""}
        await refused(line, case)
        await undoing.undo(line.house, line.workspace, item, person("ida"))
        assert await line.status(item) == "quarantined"
        assert await case_of(line, item) == (case, "in_review", f"Quarantined: {LEAKED}.")
        assert await state_of(line, new) == "archived"
        (entry,), _ = await line.workspace.db.read(quarantined, 10, 0)
        assert (entry.technique, entry.message.note) == ("leak", LEAKED)


@pytest.mark.parametrize("action", ["confirm", "block"])
async def test_what_is_confirmed_cannot_be_answered(thinking: OpenThinking, action: str) -> None:
    """Its case is closed with it; undo opens it again, and it can be released after all."""
    async with leaked(thinking) as (line, item, case):
        if action == "confirm":
            await guarding.confirm(line.house, line.workspace, item, person("ida"))
        else:
            await guarding.block(line.house, line.workspace, item, "sender", person("ida"))
        assert (await line.status(item), await state_of(line, case)) == ("rejected", "archived")
        await refused(line, case)
        assert await line.rows("SELECT id FROM deliveries") == []
        await undoing.undo(line.house, line.workspace, item, person("ida"))
        assert await line.status(item) == "quarantined"
        assert await case_of(line, item) == (case, "in_review", f"Quarantined: {LEAKED}.")
        await guarding.release(line.house, line.workspace, item, person("ida"))
        await line.run()
        assert await line.status(item) == "draft_ready"


async def test_messages_of_one_case_are_decided_each_by_itself(thinking: OpenThinking) -> None:
    """The case is closed with the first decision, and open again when the last is taken back."""
    well = sensible(messages_api.fills)
    async with StandIn([well]) as server, thinking(server) as line:
        wrong = drafted(line.workspace.canary)
        server.steps = [lambda seen: (wrong if agent_of(seen) == "drafter" else well)(seen)]
        policy = line.workspace.policy
        line.workspace.policy = policy.model_copy(update={"coalesce_seconds": 30})
        first = line.send(ASKED, message_id="<one@heron.example>")
        names = {"In-Reply-To": "<one@heron.example>", "References": "<one@heron.example>"}
        second = line.send(f"One more thing. {ASKED}", headers=names)
        await line.intake()
        line.clock.forward(60)
        await line.work()
        server.steps = [well]
        ((case, _, _),) = {await case_of(line, item) for item in (first, second)}
        told = await line.rows("SELECT subject_id FROM notifications WHERE kind = 'quarantined'")
        assert {row["subject_id"] for row in told} == {first, second}
        await guarding.confirm(line.house, line.workspace, first, person("ida"))
        await guarding.release(line.house, line.workspace, second, person("ida"))
        await line.intake()
        line.clock.forward(60)
        await line.work()
        assert (await line.status(first), await line.status(second)) == ("rejected", "draft_ready")
        new, _, _ = await case_of(line, second)
        (row,) = await line.rows("SELECT message_ids FROM cases WHERE id = ?", new)
        assert (new != case, row["message_ids"]) == (True, [second])
        await undoing.undo(line.house, line.workspace, first, person("ida"))
        assert await state_of(line, case) == "archived"
        await undoing.undo(line.house, line.workspace, second, person("ida"))
        assert await state_of(line, case) == "in_review"
        for item in (first, second):
            assert await line.status(item) == "quarantined"
            assert (await case_of(line, item))[0] == case


async def test_newer_mail_stays_apart_from_a_case_in_quarantine(thinking: OpenThinking) -> None:
    """It is a case of its own, from whose model the message is kept; deciding leaves it alone."""
    async with leaked(thinking) as (line, item, case):
        later = line.send(f"One more thing. {ASKED}", subject="Re: Opening hours")
        await line.run()
        assert await case_of(line, item) == (case, "in_review", f"Quarantined: {LEAKED}.")
        new, state, _ = await case_of(line, later)
        (row,) = await line.rows("SELECT message_ids FROM cases WHERE id = ?", new)
        assert (new != case, state, row["message_ids"]) == (True, "in_review", [later])
        await guarding.confirm(line.house, line.workspace, item, person("ida"))
        await line.run()
        assert (await line.status(item), await line.status(later)) == ("rejected", "draft_ready")
        assert (await case_of(line, later))[:2] == (new, "in_review")


async def test_a_released_message_joins_what_was_written_since(thinking: OpenThinking) -> None:
    """One case, before a person, answers both."""
    async with leaked(thinking) as (line, item, case):
        later = line.send(f"One more thing. {ASKED}", subject="Re: Opening hours")
        await line.run()
        await guarding.release(line.house, line.workspace, item, person("ida"))
        await line.run()
        new, state, _ = await case_of(line, item)
        assert (new != case, state) == (True, "in_review")
        assert await case_of(line, later) == (new, state, (await case_of(line, item))[2])


async def test_nothing_leaves_by_itself_while_its_message_is_stopped(
    thinking: OpenThinking,
) -> None:
    """Its case is worked on again with a model that is well; a person still decides."""
    well = sensible(messages_api.fills)
    trust = {"trusted_authserv_ids": ("front.example",)}
    async with StandIn([well]) as server, thinking(server, **trust) as line:
        allow(line)
        wrong = drafted(line.workspace.canary)
        server.steps = [lambda seen: (wrong if agent_of(seen) == "drafter" else well)(seen)]
        item = write(line, QUESTION, "<one@heron.example>")
        await line.run()
        case, state, _ = await case_of(line, item)
        assert (await line.status(item), state) == ("quarantined", "in_review")
        server.steps = [well]
        await retry(line.house, line.workspace, case, person("ida"))
        await line.work()
        assert await line.rows("SELECT id FROM deliveries") == []
        assert await state_of(line, case) == "in_review"
        other = write(line, QUESTION, "<two@reed.example>", sender="pat@reed.example")
        await line.run()
        assert await line.status(other) == "approved"
