"""The outbox: undo, the kill switch, what is left after a crash, and what nobody knows."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from connectors.outbound import SmtpTransport
from data.errors import ConflictError
from data.records.core.organization import Dkim
from data.records.mail.orders import Approve
from data.states import DeliveryState
from data.store.core.database import Connection
from data.store.mail import cases
from data.store.mail.moves import move
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.leaving.letters import letter_of
from flows.mail.leaving.prepared_replies import leave_by_itself
from flows.mail.leaving.sending import deliver_due, settle_interrupted
from flows.mail.line.mailroom import mailroom_of
from flows.mail.people import outgoing, reviewing
from flows.upkeep import forget_files
from tests.core.small import Line
from tests.mail.gate.sink import Sink
from tests.occupied import go_as_far_as_they_can, occupied_writer
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


async def test_a_reply_that_has_perhaps_left_is_no_undo_s_matter(line: Line) -> None:
    """Nobody is told that it was taken back: whoever looked says so in the outbox."""
    _, delivery = await approved(line)
    await begun(
        line, delivery, DeliveryState.SENDING, DeliveryState.DOT_SENT, DeliveryState.UNKNOWN
    )
    with pytest.raises(ConflictError, match="perhaps left"):
        await outgoing.cancel(line.house, line.workspace, delivery, person("ida"))
    assert await line.rows("SELECT state FROM cases") == [{"state": "approved"}]
    await outgoing.resolve(line.house, line.workspace, delivery, "cancel", person("ida"))
    assert await line.rows("SELECT state FROM cases") == [{"state": "in_review"}]


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


async def test_an_attempt_that_is_cut_off_is_settled_by_the_next(line: Line) -> None:
    """Nobody has to start the engine anew for a reply whose attempt came to no end."""
    _, delivery = await approved(line)
    db = line.workspace.db
    async with AsyncExitStack() as later:
        async with occupied_writer(db):
            attempt = asyncio.create_task(delivery_batch(line.house, line.workspace))
            await go_as_far_as_they_can(db)
            await later.enter_async_context(occupied_writer(db))
        await go_as_far_as_they_can(db)
        attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    assert await state_of(line, delivery) in ("sending", "dot_sent")
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "sent"
    assert len(list((line.house.settings.home / "outgoing" / "new").iterdir())) == 1


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
    assert await line.workspace.db.read(audit.find_break) is None

    await line.workspace.db.write(
        lambda cursor: (
            cursor.execute("UPDATE audit_events SET actor = 'x' WHERE sequence = 1") and None
        )
    )
    assert await line.workspace.db.read(audit.find_break) == 1


async def read_sentences(line: Line) -> list[str]:
    """Return what people are told of deliveries."""
    rows = await line.rows("SELECT sentence FROM notifications WHERE kind LIKE 'delivery%'")
    return [str(row["sentence"]) for row in rows]


async def test_who_was_refused_while_others_got_the_reply_is_told(line: Line) -> None:
    """The relay takes it for one of two: it is sent, and a person hears who did not get it."""
    _, delivery = await approved(line)
    both = "UPDATE deliveries SET rcpt_to = ['mara@heron.example', 'gone@heron.example']"
    await line.workspace.db.write(lambda cursor: cursor.execute(both) and None)
    async with Sink(on_rcpt={"gone@heron.example": "550 5.1.1 no such user"}) as sink:
        mailroom_of(line.house).transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="mx.teasel.example", tls="none"
        )
        await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "sent"
    (row,) = await line.rows("SELECT response FROM deliveries")
    (sentence,) = await read_sentences(line)
    for text in (str(row["response"]), sentence):
        assert "not taken for gone@heron.example: 550 5.1.1 no such user" in text
        assert "mara@heron.example" not in text


async def test_a_reply_whose_bytes_are_gone_fails_and_is_told(line: Line) -> None:
    """It does not stay under way for ever, where nobody could decide on it."""
    _, delivery = await approved(line)
    (row,) = await line.rows("SELECT sha256 FROM deliveries")
    path = line.workspace.archive.path(str(row["sha256"]))
    path.unlink()
    path.mkdir()  # cannot be read now
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "deferred"
    path.rmdir()  # is not there any more
    line.clock.forward(4_000)
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "failed"
    assert len(await read_sentences(line)) == 1


async def test_a_relay_whose_name_can_be_none_is_tried_again(line: Line) -> None:
    """The reply waits, however often it was tried, and its answer says what to mend."""
    _, delivery = await approved(line)
    often = "UPDATE deliveries SET attempts = 2000"
    await line.workspace.db.write(lambda cursor: cursor.execute(often) and None)
    mailroom_of(line.house).transport = SmtpTransport(
        "mail..example", 25, hostname="p.example", tls="none"
    )
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "deferred"
    (row,) = await line.rows("SELECT response FROM deliveries")
    assert "mend 'relay_host'" in str(row["response"])


async def test_what_is_put_back_after_it_was_given_up_is_given_as_long_again(line: Line) -> None:
    """One more refusal for the moment does not end it at once."""
    _, delivery = await approved(line)
    mailroom_of(line.house).transport = SmtpTransport(
        "mail..example", 25, hostname="p.example", tls="none"
    )
    patience = line.house.settings.give_up_hours * 3600
    line.clock.forward(patience + 60)
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "failed"
    await outgoing.resolve(line.house, line.workspace, delivery, "retry", person("ida"))
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "deferred"
    line.clock.forward(patience + 60)
    await delivery_batch(line.house, line.workspace)
    assert await state_of(line, delivery) == "failed"


async def test_one_that_cannot_be_signed_holds_up_no_other_that_leaves_by_itself(
    line: Line,
) -> None:
    """A key that has gone since the gates were asked is a reason to ask a person, not a failure."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    case, workspace = str(row["id"]), line.workspace
    letter = await workspace.db.read(
        lambda cursor: letter_of(cursor, workspace, cases.read_row(cursor, case))
    )
    assert letter is not None
    assert leave_by_itself(line.house, workspace, case, letter).outgoing is not None
    lost = Dkim(domain="teasel.example", selector="moss", key_file="lost.pem")
    workspace.organization = workspace.organization.model_copy(update={"dkim": lost})
    ready = leave_by_itself(line.house, workspace, case, letter)
    assert (ready.request, ready.outgoing) == (None, None)
    assert "the DKIM key" in ready.fault


async def test_a_reply_that_has_left_is_told_so_whatever_its_draft_is(line: Line) -> None:
    """Nobody knows what it promises then; that it has left is not forgotten for it."""
    case, delivery = await approved(line)

    def spoil(cursor: Connection) -> None:
        cursor.execute("UPDATE drafts SET draft = '{' WHERE case_id = ?", [case])

    await line.workspace.db.write(spoil)
    await deliver_due(line.house, line.workspace, 10)
    assert await state_of(line, delivery) == "sent"
    assert (await line.rows("SELECT state FROM cases"))[0]["state"] == "sent"


async def test_a_reply_that_somebody_else_was_faster_with_leaves_no_bytes(line: Line) -> None:
    """Of two who approve at once one letter leaves; the other's is in no folder a day later."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    case = str(row["id"])
    view = await case_view(line.house, line.workspace, case)
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    both = [
        reviewing.approve(line.house, line.workspace, case, given, person(name))
        for name in ("ida", "tom")
    ]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(one).__name__ for one in outcomes) == ["ConflictError", "str"]
    line.clock.forward(timedelta(days=2).total_seconds())
    await line.workspace.db.write(forget_files, line.workspace, line.house.settings, line.clock())
    (sent,) = await line.rows("SELECT sha256 FROM deliveries")
    (mail,) = await line.rows("SELECT raw_sha256 FROM messages")
    names = {str(sent["sha256"]), str(mail["raw_sha256"])}
    folder = line.workspace.archive.folder
    there = {path.parent.name + path.name for path in folder.rglob("*") if path.is_file()}
    assert there == names
