"""The reply governor and answers in parts: each reply that leaves counts, and stops the next."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.records.core.organization import Caps
from data.records.mail.deciding import Gate
from data.records.mail.questions import OwnerAnswer
from data.records.mail.views import CaseView
from flows.mail.people import answering
from tasks.mail.route.governor import BREAKER_LEAST
from tests.core.small import Line
from tests.mail.line.parts_of import ANSWER, KNOWN, body, both, cases_of, leave, open_parts, view
from tests.mail.line.sending_by_itself import QUESTION, write
from tests.mail.line.test_parts import approve
from tests.mail.line.test_parts_held import OWNER, UNKNOWN
from tests.people import person

TOLD = "Schools get 10 percent off an order of twenty new looms."


@pytest.fixture
async def parts(tmp_path: Path) -> AsyncIterator[Line]:
    """A line that may answer parts, where an owner answers what is not known."""
    async with open_parts(tmp_path / "var") as line:
        allow(line)
        yield line


def allow(line: Line, **caps: int) -> None:
    """Set the caps of replies."""
    given = {"owners": {"default": OWNER}, "caps": Caps(**caps)}
    line.workspace.policy = line.workspace.policy.model_copy(update=given)


async def ask(line: Line, number: int = 1) -> None:
    """Write a mail with a question that the knowledge answers and one that an owner does."""
    sender = f"mara@heron{number}.example"
    text = f"Hello,\n\n{KNOWN}\n\n{UNKNOWN}\n"
    write(line, text, f"<both{number}@heron.example>", subject="Two things", sender=sender)
    await line.run()


async def answered(line: Line) -> CaseView:
    """Let the owner answer; return the case that has the second part, as it then stands."""
    _, rest = await both(line)
    (question,) = await line.rows("SELECT id FROM owner_questions WHERE state = 'open'")
    given = OwnerAnswer(answer=TOLD)
    await answering.answer(line.house, line.workspace, str(question["id"]), given, person("ida"))
    await line.work()
    return await view(line, rest.id)


def governor(case: CaseView) -> Gate:
    """Return what the governor says of a case."""
    assert case.decision is not None
    return next(gate for gate in case.decision.gates if gate.name == "reply_governor")


def refusals(case: CaseView) -> list[Gate]:
    """Return the gates that keep a case from leaving by itself."""
    assert case.decision is not None
    return [gate for gate in case.decision.gates if not gate.passed]


async def automatic(line: Line) -> int:
    """Return how many replies went into the outbox by themselves."""
    return len(await line.rows("SELECT id FROM deliveries WHERE automatic"))


async def test_each_part_that_leaves_counts_by_itself(parts: Line) -> None:
    """The second part meets the count of the first: with room for two it passes, and no third.

    The second tells what an owner answered, so a person has to let it go.
    """
    allow(parts, replies_per_thread=2)
    await ask(parts)
    assert await automatic(parts) == 1
    await leave(parts)
    rest = await answered(parts)
    assert "10 percent" in body(rest)
    assert governor(rest).passed
    assert [gate.name for gate in refusals(rest)] == ["approval_floor"]
    assert rest.state == "in_review"
    await approve(parts, rest.id)
    await leave(parts)
    again = {"to": "<both1@heron.example>", "sender": "mara@heron1.example"}
    write(parts, QUESTION, "<more@heron.example>", subject="Re: Two things", **again)
    await parts.run()
    third = await view(parts, str((await cases_of(parts))[-1]["id"]))
    assert not governor(third).passed
    assert governor(third).reason.startswith("2 replies left in this thread")
    assert await automatic(parts) == 1


async def test_a_part_that_left_stops_the_other_at_the_cap(parts: Line) -> None:
    """With room for one reply in a conversation the second part waits for a person."""
    allow(parts, replies_per_thread=1)
    await ask(parts)
    rest = await answered(parts)
    assert "10 percent" in body(rest)
    assert governor(rest).reason.startswith("1 replies left in this thread")
    assert rest.state == "in_review"
    assert await automatic(parts) == 1


async def test_the_breaker_stops_the_second_part(parts: Line) -> None:
    """When the first part was the last reply that this hour bears, the second does not leave."""
    for number in range(BREAKER_LEAST - 1):
        sender = f"otto@finch{number}.example"
        write(parts, QUESTION, f"<{number}@finch.example>", sender=sender, subject=f"No. {number}")
    await parts.run()
    assert await automatic(parts) == BREAKER_LEAST - 1
    await ask(parts)
    assert await automatic(parts) == BREAKER_LEAST
    rows = await parts.rows("SELECT * FROM cases WHERE part_of IS NOT NULL ORDER BY created_at")
    (question,) = await parts.rows("SELECT id, case_id FROM owner_questions")
    given = OwnerAnswer(answer=TOLD)
    await answering.answer(parts.house, parts.workspace, str(question["id"]), given, person("ida"))
    await parts.work()
    rest = await view(parts, str(question["case_id"]))
    assert rest.id in {row["id"] for row in rows}
    assert "something is different today" in governor(rest).reason
    assert rest.state == "in_review"
    assert await automatic(parts) == BREAKER_LEAST


async def test_parts_of_one_batch_count_for_each_other(parts: Line) -> None:
    """Of two mails decided together one is answered in parts; the other then stays whole."""
    allow(parts, replies_overall=1)
    for number in (1, 2):
        sender = f"mara@heron{number}.example"
        text = f"Hello,\n\n{KNOWN}\n\n{UNKNOWN}\n"
        write(parts, text, f"<both{number}@heron.example>", subject="Two things", sender=sender)
    await parts.run()
    rows = await parts.rows("SELECT contact_email, state FROM cases ORDER BY contact_email, state")
    states: dict[str, list[str]] = {}
    for row in rows:
        states.setdefault(str(row["contact_email"]), []).append(str(row["state"]))
    assert sorted(states.values()) == [["approved", "in_review"], ["in_review"]]
    whole = next(email for email, own in states.items() if len(own) == 1)
    (case,) = await parts.rows("SELECT id FROM cases WHERE contact_email = ?", whole)
    kept = await view(parts, str(case["id"]))
    assert ANSWER in body(kept)
    assert not governor(kept).passed
    assert await automatic(parts) == 1
