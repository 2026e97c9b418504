"""What was drafted, approved or queued before newer mail or a person came does not leave."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from data.errors import ConflictError
from data.records.mail.conversations import MergeThreads
from data.records.mail.deciding import RejectReason
from data.records.mail.orders import Approve, Reject
from data.states import CaseState
from data.store.mail import deliveries, messages, snoozes
from flows.api.mail.review.case_view import case_view
from flows.core.batch import Batch
from flows.delivery import delivery_batch
from flows.inbound import STAGES
from flows.mail.line.gather import gather_bursts
from flows.mail.people import outgoing, reviewing
from flows.mail.people.threading_merge import merge
from flows.mail.stages.run_stage import run_stage
from tests.core.small import CUSTOMER, Line
from tests.mail.line.sending_by_itself import QUESTION, one, open_live, write
from tests.people import person

FIRST, SECOND = "<first@heron.example>", "<second@heron.example>"
DELIVERY = "SELECT state FROM deliveries"


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Line]:
    """A line that sends by itself after a minute."""
    async with open_live(tmp_path / "var") as line:
        yield line


def slow(line: Line) -> None:
    """Let bursts gather for ten minutes, far longer than the undo window."""
    line.workspace.policy = line.workspace.policy.model_copy(update={"coalesce_seconds": 600})


async def halfway(line: Line) -> tuple[Batch, str]:
    """Take one case through every stage but the last; return the batch and the case."""
    await line.intake()
    await line.workspace.db.write(gather_bursts, line.clock(), 0, 5)
    case = str((await one(line, "SELECT id FROM cases"))["id"])
    batch = Batch(house=line.house, workspace=line.workspace, ids=[case])
    for stage in STAGES[:-1]:
        await run_stage(stage, batch)
    return batch, case


async def test_the_line_of_these_tests_sends_by_itself(live: Line) -> None:
    """Without anything newer, the reply leaves after its undo window."""
    write(live, QUESTION, FIRST)
    await live.run()
    assert (await one(live, DELIVERY))["state"] == "queued"
    live.clock.forward(61)
    await delivery_batch(live.house, live.workspace)
    assert (await one(live, DELIVERY))["state"] == "sent"


async def test_newer_mail_cancels_a_queued_reply_before_its_burst_is_over(live: Line) -> None:
    """The reply is taken back when the mail comes in, though its burst gathers for long."""
    write(live, QUESTION, FIRST)
    await live.run()
    slow(live)
    write(live, "Forget it, we found the hours.", SECOND, to=FIRST)
    await live.run()
    assert (await one(live, DELIVERY))["state"] == "cancelled"
    live.clock.forward(61)
    assert await delivery_batch(live.house, live.workspace) == 0
    case = await one(live, "SELECT state, message_ids FROM cases")
    assert case["state"] == "in_review"
    live.clock.forward(600)
    await live.work()
    old, new = await live.rows("SELECT state FROM cases ORDER BY created_at")
    assert old["state"] == "superseded"
    assert new["state"] != "superseded"


async def test_urgent_newer_mail_takes_over_at_once(live: Line) -> None:
    """It waits for no window: the queued reply is cancelled, and one case holds both messages."""
    item = write(live, QUESTION, FIRST)
    await live.run()
    slow(live)
    text = "URGENT: smoke comes out of the loom, the workshop had to be evacuated!"
    urgent = write(live, text, SECOND, to=FIRST)
    await live.run()
    assert (await one(live, DELIVERY))["state"] == "cancelled"
    case = await one(live, "SELECT * FROM cases WHERE state <> 'superseded'")
    assert case["message_ids"] == [item, urgent]
    assert case["outcome"] != "auto_send"


async def test_a_draft_in_review_cannot_be_approved_over_newer_mail(live: Line) -> None:
    """Who has an older view is refused while the newer message still gathers."""
    live.workspace.policy = live.workspace.policy.model_copy(update={"autonomy_rules": ()})
    write(live, QUESTION, FIRST)
    await live.run()
    case = str((await one(live, "SELECT id FROM cases"))["id"])
    view = await case_view(live.house, live.workspace, case)
    slow(live)
    write(live, "And on Saturdays?", SECOND, to=FIRST)
    await live.run()
    order = Approve(version=view.version, approval_hash=view.approval_hash)
    with pytest.raises(ConflictError, match="changed"):
        await reviewing.approve(live.house, live.workspace, case, order, person("ida"))


async def test_a_colleague_who_writes_takes_back_what_no_person_approved(live: Line) -> None:
    """Somebody of the conversation answers by hand: the machine's reply does not leave."""
    ours = "ida@teasel.example"
    write(live, QUESTION, FIRST, cc=ours)
    await live.run()
    assert (await one(live, DELIVERY))["state"] == "queued"
    slow(live)
    write(live, "From nine on, Mara.", SECOND, to=FIRST, sender=ours, cc=CUSTOMER)
    await live.intake()
    threads = await live.rows("SELECT DISTINCT thread_id FROM messages")
    assert len(threads) == 1
    assert (await one(live, DELIVERY))["state"] == "cancelled"


async def test_a_person_who_takes_a_reply_back_keeps_it_back(live: Line) -> None:
    """After undo nothing leaves by itself, and another draft asked for goes to review."""
    write(live, QUESTION, FIRST)
    await live.run()
    delivery = await one(live, "SELECT id, case_id FROM deliveries")
    await outgoing.cancel(live.house, live.workspace, str(delivery["id"]), person("ida"))
    case = str(delivery["case_id"])
    view = await case_view(live.house, live.workspace, case)
    order = Reject(version=view.version, reason=RejectReason.TONE, redraft=True)
    await reviewing.reject(live.house, live.workspace, case, order, person("ida"))
    await live.work()
    live.clock.forward(120)
    assert await delivery_batch(live.house, live.workspace) == 0
    row = await one(live, "SELECT state, outcome FROM cases")
    assert (row["state"], row["outcome"]) == ("in_review", "review")


async def test_a_case_whose_conversation_was_merged_in_work_does_not_leave(live: Line) -> None:
    """Its context is of before the merge: the gate says so, and a person decides."""
    write(live, "Thank you for the invoice.", SECOND, subject="Invoice of May")
    await live.run()
    other = str((await one(live, "SELECT id FROM threads"))["id"])
    await live.workspace.db.write(lambda cursor: cursor.execute("DELETE FROM cases") and None)
    write(live, QUESTION, FIRST)
    batch, case = await halfway(live)
    mine = str((await one(live, "SELECT thread_id FROM cases"))["thread_id"])
    await merge(live.house, live.workspace, mine, MergeThreads(other=other), person("ida"))
    await run_stage(STAGES[-1], batch)
    row = await one(live, "SELECT state, outcome FROM cases")
    assert (row["state"], row["outcome"]) == (CaseState.IN_REVIEW, "review")
    view = await case_view(live.house, live.workspace, case)
    assert view.decision is not None
    refused = [gate for gate in view.decision.gates if gate.name == "newer_mail"]
    assert "changed" in refused[0].reason


@pytest.mark.parametrize("act", ["merge", "mail"])
async def test_what_happens_while_it_is_decided_counts_too(live: Line, act: str) -> None:
    """Between the gates' answer and the outbox is a moment; what comes in it holds the reply."""
    write(live, QUESTION, FIRST)
    batch, case = await halfway(live)
    route = STAGES[-1]
    results = dict(await route.perform(batch, [case]))
    assert results[case].outcome == "auto_send"  # type: ignore[attr-defined]
    if act == "mail":
        write(live, "One more thing.", SECOND, to=FIRST)
        await live.intake()
    else:
        await live.workspace.db.write(
            lambda cursor: cursor.execute("UPDATE cases SET version = version + 1") and None
        )
    await live.workspace.db.write(route.settle, batch, results, live.clock())  # type: ignore[arg-type]
    row = await one(live, "SELECT state, outcome, note FROM cases")
    assert (row["state"], row["outcome"]) == ("in_review", "review")
    assert "since this was drafted" in row["note"]
    assert await live.rows("SELECT id FROM deliveries") == []


async def test_fifty_messages_in_a_burst_make_one_case_with_all_of_them(live: Line) -> None:
    """Nothing of a burst is lost: one reply, and every message is in the text it answers."""
    live.workspace.policy = live.workspace.policy.model_copy(update={"coalesce_seconds": 30})
    ids = [
        write(
            live, f"Point {n}: is loom {n} repaired?", f"<{n}@heron.example>", subject=f"Loom {n}"
        )
        for n in range(50)
    ]
    await live.intake()
    live.clock.forward(31)
    await live.work()
    case = await one(live, "SELECT id, message_ids FROM cases")
    assert sorted(case["message_ids"]) == sorted(ids)
    assert len(await live.rows("SELECT id FROM deliveries")) <= 1
    view = await case_view(live.house, live.workspace, str(case["id"]))
    assert len(view.messages) == 50


async def test_newer_mail_in_either_conversation_of_a_burst_counts(live: Line) -> None:
    """Two subjects within the window are one case; who answers under the first is not missed."""
    live.workspace.policy = live.workspace.policy.model_copy(update={"autonomy_rules": ()})
    slow(live)
    write(live, QUESTION, FIRST, subject="Hours")
    write(live, "How long does the repair of a loom take?", SECOND, subject="Repair")
    await live.intake()
    live.clock.forward(601)
    await live.work()
    case = str((await one(live, "SELECT id FROM cases"))["id"])
    view = await case_view(live.house, live.workspace, case)
    write(live, "Forget the hours.", "<third@heron.example>", to=FIRST, subject="Re: Hours")
    await live.intake()
    order = Approve(version=view.version, approval_hash=view.approval_hash, confirmed=True)
    with pytest.raises(ConflictError, match="changed"):
        await reviewing.approve(live.house, live.workspace, case, order, person("ida"))


async def test_a_case_of_two_conversations_is_of_each_for_whatever_asks(live: Line) -> None:
    """Mail under the first subject ends a snooze, holds a reply, and takes the whole case over."""
    live.workspace.policy = live.workspace.policy.model_copy(update={"autonomy_rules": ()})
    slow(live)
    ids = [
        write(live, QUESTION, FIRST, subject="Hours"),
        write(live, "How long does the repair of a loom take?", SECOND, subject="Repair"),
    ]
    await live.intake()
    live.clock.forward(601)
    await live.work()
    case = await one(live, "SELECT id, received_at FROM cases")
    read, old = live.workspace.db.read, str(case["id"])
    view = await case_view(live.house, live.workspace, old)
    order = Approve(version=view.version, approval_hash=view.approval_hash, confirmed=True)
    await reviewing.approve(live.house, live.workspace, old, order, person("ida"))
    delivery = str((await one(live, "SELECT id FROM deliveries"))["id"])
    live.clock.forward(1)
    ids.append(write(live, "And?", "<third@heron.example>", to=FIRST, subject="Re: Hours"))
    await live.intake()
    assert await read(deliveries.list_messages_since, old, delivery) == ids[2:]
    assert await read(messages.list_cases_with_newer, {old: case["received_at"]}) == {old}
    end = live.clock() + timedelta(days=1)
    await live.workspace.db.write(snoozes.add, old, end, "ida", "", live.clock())
    assert await read(snoozes.list_in_threads_of, ids[2:]) == [old]
    live.clock.forward(601)
    await live.work()
    taken, heir = await live.rows("SELECT state, message_ids FROM cases ORDER BY created_at")
    assert taken["state"] == "superseded"
    assert sorted(heir["message_ids"]) == sorted(ids)  # type: ignore[call-overload]
