"""A reply that was refused for now has not left: newer mail takes it back like one that waits."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from connectors.outbound import DeliveryKind, DeliveryResult
from data.errors import ConflictError
from data.records.mail.conversations import MergeThreads
from data.records.mail.orders import Approve
from data.states import DeliveryState
from data.store.mail import deliveries
from data.store.mail.deliveries import DeliveryRow
from data.store.mail.moves import move
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.leaving import sending
from flows.mail.people import reviewing
from flows.mail.people.threading_merge import merge
from tests.core.small import Line
from tests.mail.line.sending_by_itself import QUESTION, one, open_live, write
from tests.people import person

FIRST, SECOND = "<first@heron.example>", "<second@heron.example>"
STATE = "SELECT state FROM deliveries"
SENT, LATER = DeliveryKind.SENT, DeliveryKind.DEFERRED


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Line]:
    """A line that sends by itself after a minute; bursts gather for ten."""
    async with open_live(tmp_path / "var") as line:
        yield line


async def begun(line: Line) -> DeliveryRow:
    """Have a reply begin to leave; return its row."""
    write(line, QUESTION, FIRST)
    await line.run()
    line.workspace.policy = line.workspace.policy.model_copy(update={"coalesce_seconds": 600})
    queued = await one(line, "SELECT id FROM deliveries")
    row = await line.workspace.db.read(deliveries.read_row, str(queued["id"]))
    await line.workspace.db.write(
        lambda cursor: bool(
            move(cursor, [row.id], DeliveryState.SENDING, actor="test", now=line.clock())
        )
    )
    return row


async def ended(line: Line, row: DeliveryRow, kind: DeliveryKind) -> str:
    """Have the attempt end like this; return the state of the reply."""
    if kind is SENT:
        await line.workspace.db.write(
            sending._move_one, row.id, DeliveryState.DOT_SENT, line.clock(), ""
        )
    result = DeliveryResult(kind=kind, text="the next server says so")
    await line.workspace.db.write(sending._end, row, result, line.house, line.workspace)
    return str((await one(line, STATE))["state"])


async def test_newer_mail_takes_back_what_was_refused_for_now(live: Line) -> None:
    """Hours of greylisting are no reason to answer half of what was asked."""
    row = await begun(live)
    assert await ended(live, row, LATER) == "deferred"
    write(live, "Forget it, we found the hours.", SECOND, to=FIRST)
    await live.run()
    assert (await one(live, STATE))["state"] == "cancelled"
    live.clock.forward(601)
    await live.work()
    assert await delivery_batch(live.house, live.workspace) <= 1
    old, new = await live.rows("SELECT state, message_ids FROM cases ORDER BY created_at")
    assert (old["state"], len(new["message_ids"])) == ("superseded", 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "state"), [(LATER, "cancelled"), (SENT, "sent")])
async def test_mail_that_comes_while_it_is_delivered(
    live: Line, kind: DeliveryKind, state: str
) -> None:
    """What is on its way is not touched; if it comes back, it does not go again."""
    row = await begun(live)
    write(live, "Forget it, we found the hours.", SECOND, to=FIRST)
    await live.run()
    assert (await one(live, STATE))["state"] == "sending"
    assert await ended(live, row, kind) == state
    live.clock.forward(601)
    await live.work()
    cases = await live.rows("SELECT state, message_ids FROM cases ORDER BY created_at")
    wanted = ("superseded", 2) if kind is LATER else ("sent", 1)
    assert (cases[0]["state"], len(cases[1]["message_ids"])) == wanted  # type: ignore[arg-type]


async def test_an_attempt_does_not_begin_once_it_was_taken_back(live: Line) -> None:
    """Between looking for what is due and its attempt, newer mail wins."""
    row = await begun(live)
    await ended(live, row, LATER)
    live.clock.forward(7200)
    (due,) = await live.workspace.db.read(deliveries.list_due, live.clock(), 5)
    write(live, "Forget it.", SECOND, to=FIRST)
    await live.intake()
    assert await sending.deliver_one(live.house, live.workspace, due) == "moved on"
    assert (await one(live, STATE))["state"] == "cancelled"


async def test_a_merge_takes_it_back_too(live: Line) -> None:
    """A person who puts another conversation to it has its draft written again."""
    write(live, "Thank you for the invoice.", SECOND, subject="Invoice of May")
    await live.run()
    other = str((await one(live, "SELECT id FROM threads"))["id"])
    for statement in ("DELETE FROM deliveries", "DELETE FROM cases"):
        await live.workspace.db.write(
            lambda cursor, asked=statement: cursor.execute(asked) and None  # type: ignore[misc]
        )
    row = await begun(live)
    await ended(live, row, LATER)
    mine = str(
        (await one(live, "SELECT thread_id FROM cases WHERE state = 'approved'"))["thread_id"]
    )
    await merge(live.house, live.workspace, mine, MergeThreads(other=other), person("ida"))
    assert (await one(live, STATE))["state"] == "cancelled"


@pytest.mark.parametrize("first", ["mail", "person"])
async def test_a_person_who_edits_while_mail_comes_in(live: Line, first: str) -> None:
    """Whoever is first: an edit over newer mail is refused, and an approved edit is taken back."""
    live.workspace.policy = live.workspace.policy.model_copy(update={"autonomy_rules": ()})
    write(live, QUESTION, FIRST)
    await live.run()
    live.workspace.policy = live.workspace.policy.model_copy(update={"coalesce_seconds": 600})
    case = str((await one(live, "SELECT id FROM cases"))["id"])
    view = await case_view(live.house, live.workspace, case)
    order = Approve(version=view.version, approval_hash=view.approval_hash)

    async def mail() -> None:
        write(live, "And on Saturdays?", SECOND, to=FIRST)
        await live.intake()

    if first == "mail":
        await mail()
        with pytest.raises(ConflictError, match="changed"):
            await reviewing.approve(live.house, live.workspace, case, order, person("ida"))
        assert await live.rows(STATE) == []
    else:
        await reviewing.approve(live.house, live.workspace, case, order, person("ida"))
        await mail()
        assert (await one(live, STATE))["state"] == "cancelled"
        assert (await one(live, "SELECT state FROM cases"))["state"] == "in_review"
