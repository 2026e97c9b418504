"""What holds a part and only it: a complaint, a question to its owner, a rule."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.records.mail.orders import PartCase
from data.records.mail.questions import OwnerAnswer
from flows.mail.people import answering, reviewing
from flows.mail.people import setting_apart as setting_apart
from tests.core.small import Line
from tests.mail.line.parts_of import ANSWER, FOLLOWS, KNOWN, body, both, cases_of, open_parts, view
from tests.mail.line.sending_by_itself import open_live, write
from tests.mail.line.test_rules import confirmed
from tests.people import person

ASKED = "<both@heron.example>"
UPSET = "Besides, I want to complain: the last repair was terrible and nobody ever said sorry!"
UNKNOWN = "Also, do you give a discount on an order of twenty new looms for our school?"
DUE = "Also, when is my invoice due?"
OWNER = "ida@teasel.example"


@pytest.fixture
async def parts(tmp_path: Path) -> AsyncIterator[Line]:
    """A line that may answer parts of a message."""
    async with open_parts(tmp_path / "var") as line:
        yield line


async def receive(line: Line, second: str) -> None:
    """Take a mail with the known question and a second matter to where it goes."""
    write(line, f"Hello,\n\n{KNOWN}\n\n{second}\n", ASKED, subject="Two things")
    await line.run()


async def test_a_complaint_is_handed_to_a_person_and_the_question_answered(parts: Line) -> None:
    """Anger in one part does not hold the calm one, and is not answered by a machine."""
    await receive(parts, UPSET)
    first, rest = await both(parts)
    assert (first.state, rest.state) == ("approved", "escalated")
    assert rest.item.assignee == OWNER
    assert ANSWER in body(first)
    assert await parts.status(first.messages[0].id) == "escalated"


async def test_newer_mail_leaves_a_part_that_a_named_person_has(parts: Line) -> None:
    """The new case takes what waited to leave, without the complaint, and is linked to it."""
    await receive(parts, UPSET)
    first, rest = await both(parts)
    write(parts, "When is the workshop open?", "<more@heron.example>", to=ASKED, subject="Re: Two")
    await parts.run()
    states = {str(row["id"]): row["state"] for row in await parts.rows("SELECT * FROM cases")}
    assert (states.pop(first.id), states.pop(rest.id)) == ("superseded", "escalated")
    (heir,) = states
    taken = await view(parts, heir)
    assert [link.id for link in taken.others] == [rest.id]
    assert ANSWER in body(taken)
    assert {branch.intent.category for branch in taken.branches} == {"support"}


async def test_a_part_waits_for_its_owner_and_goes_on_with_the_answer(parts: Line) -> None:
    """The question goes along with its part; the answer is drafted there and nowhere else."""
    named = parts.workspace.policy.model_copy(update={"owners": {"default": OWNER}})
    parts.workspace.policy = named
    await receive(parts, UNKNOWN)
    first, rest = await both(parts)
    assert (first.state, rest.state) == ("approved", "in_review")
    assert [branch.state for branch in rest.branches] == ["waiting_for_input"]
    (question,) = await parts.rows("SELECT * FROM owner_questions")
    assert (question["case_id"], question["branch_id"]) == (rest.id, rest.branches[0].id)
    assert [row["case_id"] for row in await parts.rows("SELECT case_id FROM waits")] == [rest.id]
    given = OwnerAnswer(answer="Schools get 10 percent off an order of twenty new looms.")
    await answering.answer(parts.house, parts.workspace, str(question["id"]), given, person("ida"))
    await parts.work()
    again = await view(parts, rest.id)
    assert "10 percent" in body(again)
    assert ANSWER not in body(again)
    assert (await view(parts, first.id)).version == first.version


async def test_a_rule_about_one_part_holds_that_part(parts: Line) -> None:
    """A rule by topic holds the part that speaks of it, and no other."""
    await confirmed(parts, "anything about invoice: always ask")
    await receive(parts, DUE)
    first, rest = await both(parts)
    assert (first.state, rest.state) == ("approved", "in_review")
    assert [branch.intent.category for branch in rest.branches] == ["billing"]
    assert "14 days" not in body(first)


async def test_parts_that_may_all_leave_leave_in_one_letter(parts: Line) -> None:
    """One greeting and closing, the answers in the order of the questions, nothing to follow."""
    await receive(parts, DUE)
    (row,) = await cases_of(parts)
    case = await view(parts, str(row["id"]))
    text = body(case)
    assert case.state == "approved"
    assert text.count("Hello") == text.count("Kind regards") == 1
    assert text.index(ANSWER) < text.index("14 days")
    assert FOLLOWS not in text
    assert len(await parts.rows("SELECT id FROM deliveries")) == 1


async def test_knowledge_is_searched_for_by_the_words_of_each_part(tmp_path: Path) -> None:
    """Where the search of the whole message brings one entry, each part brings its own."""
    async with open_live(tmp_path / "var", context_knowledge_entries=1) as line:
        await receive(line, DUE)
        (row,) = await cases_of(line)
        case = await view(line, str(row["id"]))
    assert ANSWER in body(case)
    assert "14 days" in body(case)
    found = [one.ref for one in case.snippets if one.source == "knowledge"]
    assert {"knowledge:loom-repair", "knowledge:invoice-copy"} <= set(found)
    assert len(found) == len(set(found))
    assert case.snippets[-1].source == "organization"


async def test_work_on_one_part_leaves_the_question_that_another_waits_for(tmp_path: Path) -> None:
    """A person sets a part apart that its owner is asked about, and has the other drafted again."""
    async with open_parts(tmp_path / "var", answer_parts="together") as line:
        owners = {"owners": {"default": OWNER}}
        line.workspace.policy = line.workspace.policy.model_copy(update=owners)
        await receive(line, UNKNOWN)
        (row,) = await cases_of(line)
        case = await view(line, str(row["id"]))
        order = PartCase(version=case.version, branches=(case.branches[1].id,))
        by = person("ida")
        rest = await setting_apart.part(line.house, line.workspace, case.id, order, by)
        await reviewing.retry(line.house, line.workspace, case.id, by)
        await line.work()
        asked = await line.rows("SELECT case_id, state FROM owner_questions")
    assert asked == [{"case_id": rest, "state": "open"}]
