"""The outbox: undo, the kill switch, what is left after a crash, and what nobody knows."""

import pytest

from data.errors import ConflictError
from data.records.mail.orders import Approve
from data.states import DeliveryState
from data.store.core.database import Connection
from data.store.mail.moves import move
from flows.api.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.leaving.sending import settle_interrupted
from flows.mail.people import outgoing, reviewing
from tests.line.small import Line
from tests.people import person


async def approved(line: Line) -> tuple[str, str]:
    """Return case and delivery of an approved reply."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    case = str(row["id"])
    view = await case_view(line.house, line.workspace, case)
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    return case, await reviewing.approve(line.house, line.workspace, case, given, person("ida"))


async def state_of(line: Line, delivery: str) -> str:
    """Return where a delivery is."""
    (row,) = await line.rows("SELECT state FROM deliveries WHERE id = ?", delivery)
    return str(row["state"])


async def begun(line: Line, delivery: str, *states: DeliveryState) -> None:
    """Leave a delivery as an engine that was killed would."""

    def walk(cursor: Connection) -> None:
        for state in states:
            assert move(cursor, [delivery], state, actor="delivery", now=line.clock())

    await line.workspace.db.write(walk)


async def test_undo_brings_the_case_back_to_review(line: Line) -> None:
    """A reply that is taken back does not leave, and its case can be decided again."""
    case, delivery = await approved(line)
    await outgoing.cancel(line.house, line.workspace, delivery, person("ida"))
    assert await delivery_batch(line.house, line.workspace) == 0
    assert (await case_view(line.house, line.workspace, case)).state == "in_review"
    assert not list((line.house.settings.home / "outgoing").rglob("*.postern"))


async def test_a_reply_that_has_left_cannot_be_taken_back(line: Line) -> None:
    """Undo after delivery is refused with a sentence."""
    _, delivery = await approved(line)
    await delivery_batch(line.house, line.workspace)
    with pytest.raises(ConflictError, match="cannot be taken back"):
        await outgoing.cancel(line.house, line.workspace, delivery, person("ida"))


async def test_nothing_leaves_while_the_kill_switch_is_on(line: Line) -> None:
    """With the switch on a due reply waits; after it is released, it leaves."""
    _, delivery = await approved(line)
    await outgoing.set_stopped(line.house, line.workspace, True, person("ida"))
    assert await delivery_batch(line.house, line.workspace) == 0
    assert await state_of(line, delivery) == "queued"

    await outgoing.set_stopped(line.house, line.workspace, False, person("ida"))
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "sent"


async def test_an_attempt_that_had_not_ended_its_message_is_made_again(line: Line) -> None:
    """A crash before the final dot is safe to repeat."""
    _, delivery = await approved(line)
    await begun(line, delivery, DeliveryState.SENDING)
    await settle_interrupted(line.house, line.workspace)
    assert await state_of(line, delivery) == "queued"


async def test_a_file_that_may_have_been_written_is_written_once(line: Line) -> None:
    """The file transport repeats an undecided attempt into the same file."""
    _, delivery = await approved(line)
    await delivery_batch(line.house, line.workspace)
    files = sorted((line.house.settings.home / "outgoing" / "new").iterdir())
    await line.workspace.db.write(
        lambda cursor: cursor.execute("UPDATE deliveries SET state = 'dot_sent'") and None
    )
    await settle_interrupted(line.house, line.workspace)
    await delivery_batch(line.house, line.workspace)

    assert await state_of(line, delivery) == "sent"
    assert sorted((line.house.settings.home / "outgoing" / "new").iterdir()) == files


async def test_approval_of_something_else_is_refused(line: Line) -> None:
    """A hash that is not that of what would leave approves nothing; an old version neither."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    case = str(row["id"])
    view = await case_view(line.house, line.workspace, case)
    with pytest.raises(ConflictError, match="preview"):
        await reviewing.approve(
            line.house,
            line.workspace,
            case,
            Approve(version=view.version, approval_hash=view.approval_hash, body="Come at night."),
            person("ida"),
        )
    with pytest.raises(ConflictError, match="changed"):
        await reviewing.approve(
            line.house,
            line.workspace,
            case,
            Approve(version=view.version - 1, approval_hash=view.approval_hash),
            person("ida"),
        )
    assert await line.rows("SELECT id FROM deliveries") == []


async def test_every_decision_is_in_the_audit_chain(line: Line) -> None:
    """Approve and cancel leave events whose chain holds, and breaks when one is changed."""
    from data.store.core import audit

    _, delivery = await approved(line)
    await outgoing.cancel(line.house, line.workspace, delivery, person("ida"))
    events = await line.rows("SELECT actor, action FROM audit_events ORDER BY sequence")
    assert [event["action"] for event in events] == ["approve", "cancel"]
    assert await line.workspace.db.read(audit.broken_at) is None

    await line.workspace.db.write(
        lambda cursor: (
            cursor.execute("UPDATE audit_events SET actor = 'x' WHERE sequence = 1") and None
        )
    )
    assert await line.workspace.db.read(audit.broken_at) == 1
