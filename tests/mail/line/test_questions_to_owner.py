"""One question to the owner instead of a guess, and what becomes of the answer."""

import pytest

from data.errors import ConflictError
from data.lexicons.drafting import phrases
from data.records.mail.drafting import Draft
from data.records.mail.orders import ArchiveCase
from data.records.mail.questions import OwnerAnswer
from data.states import BranchState, CaseState, MessageStatus
from data.store.core.database import Connection
from data.store.mail import questions
from data.store.mail.moves import move
from flows.inbound import STAGES, inbound_batch
from flows.mail.people import answering, knowing, reviewing
from flows.running.due_work import wake_due
from flows.sync import sync_one
from tests.core.small import CUSTOMER, Line
from tests.people import person

OWNER = "ida@teasel.example"
ASKED = "Do you also rent out looms for weddings?"
ANSWER = "Yes, we rent two table looms for celebrations. One weekend costs 80 euros."
HOUR = 3600.0


@pytest.fixture
def asking(line: Line) -> Line:
    """A line whose policy names an owner."""
    line.workspace.policy = line.workspace.policy.model_copy(update={"owners": {"default": OWNER}})
    return line


async def asked(line: Line) -> list[dict[str, object]]:
    """Return every question."""
    return await line.rows("SELECT * FROM owner_questions ORDER BY asked_at, id")


async def newest(line: Line, contact: str = CUSTOMER) -> Draft:
    """Return the newest draft to a contact."""
    found = await line.rows(
        "SELECT d.draft FROM drafts d JOIN cases c ON c.id = d.case_id WHERE c.contact_email = ? "
        "ORDER BY d.created_at DESC, d.revision DESC",
        contact,
    )
    return Draft.model_validate_json(str(found[0]["draft"]))


async def test_what_no_knowledge_answers_is_asked_once(asking: Line) -> None:
    """The branch waits, the owner is told, and working again asks nothing twice."""
    asking.send(f"Hello! {ASKED}", subject="Wedding")
    await asking.run()
    (question,) = await asked(asking)
    assert (question["question"], question["owner"]) == (ASKED, OWNER)
    (branch,) = await asking.rows("SELECT state, question FROM branches")
    assert branch == {"state": BranchState.WAITING_FOR_INPUT, "question": ASKED}
    told = await asking.rows("SELECT kind, subject_id, sentence FROM notifications")
    assert [one["kind"] for one in told] == ["question"]
    assert OWNER in str(told[0]["sentence"])
    await reviewing.retry(asking.house, asking.workspace, str(question["case_id"]), person("ida"))
    await asking.work()
    assert len(await asked(asking)) == 1
    assert (await asking.rows("SELECT state FROM branches"))[0]["state"] == "waiting_for_input"


async def test_a_question_that_the_knowledge_answers_is_not_asked(asking: Line) -> None:
    """Nobody is disturbed for what is known."""
    asking.send("When is the workshop open?", subject="Hours")
    await asking.run()
    assert await asked(asking) == []


async def test_without_an_owner_nobody_is_asked(line: Line) -> None:
    """A policy that names nobody leaves the question to the reviewer."""
    line.send(ASKED, subject="Wedding")
    await line.run()
    assert await asked(line) == []


async def test_the_answer_resumes_the_case_and_is_cited(asking: Line) -> None:
    """The new draft tells the owner's sentences and names the owner as their source."""
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    (question,) = await asked(asking)
    assert "80 euros" not in (await newest(asking)).body
    given = OwnerAnswer(answer=f"Hi Maud,\n\n{ANSWER}\n\nBest\nIda Fenn")
    await answering.answer(
        asking.house, asking.workspace, str(question["id"]), given, person("ida")
    )
    await asking.work()
    written = await newest(asking)
    assert "One weekend costs 80 euros." in written.body
    assert "Maud" not in written.body
    assert "Ida Fenn" not in written.body
    assert {(c.ref, c.title) for c in written.citations} == {
        (f"owner:{question['id']}", "Answer by Ida Fenn")
    }
    assert written.unanswered == ()
    assert len(await asked(asking)) == 1
    (branch,) = await asking.rows("SELECT state FROM branches")
    (case,) = await asking.rows("SELECT state, quality FROM cases")
    assert (branch["state"], case["state"]) == ("done", "in_review")
    assert float(str(case["quality"])) > 0.8
    with pytest.raises(ConflictError):
        await answering.answer(
            asking.house, asking.workspace, str(question["id"]), given, person("ida")
        )


async def test_an_answer_that_comes_while_the_case_is_in_work_is_told(asking: Line) -> None:
    """The owner is faster than the draft; the case is worked on again with the answer."""
    asking.send(ASKED, subject="Wedding")
    await asking.intake()
    await inbound_batch(asking.house, asking.workspace, STAGES[:3])
    (question,) = await asked(asking)
    given = OwnerAnswer(answer=ANSWER)
    await answering.answer(
        asking.house, asking.workspace, str(question["id"]), given, person("ida")
    )
    await asking.work()
    assert "One weekend costs 80 euros." in (await newest(asking)).body
    (branch,) = await asking.rows("SELECT state FROM branches")
    (case,) = await asking.rows("SELECT state FROM cases")
    assert (branch["state"], case["state"]) == ("done", "in_review")


async def test_a_question_of_two_parts_is_asked_and_answered_as_one(asking: Line) -> None:
    """The owner reads both parts, and the reply says of neither that it is still open."""
    both = "Do you also rent out looms for weddings, and what does one weekend of it cost?"
    asking.send(f"Hello,\n\n{both}\n\nMara", subject="Wedding")
    await asking.run()
    (question,) = await asked(asking)
    assert question["question"] == both
    given = OwnerAnswer(answer=ANSWER)
    await answering.answer(
        asking.house, asking.workspace, str(question["id"]), given, person("ida")
    )
    await asking.work()
    written = await newest(asking)
    assert written.unanswered == ()
    assert written.body.count(ANSWER) == 1
    assert phrases("en").unknown_rest not in written.body
    assert len(await asked(asking)) == 1
    (branch,) = await asking.rows("SELECT state FROM branches")
    assert branch["state"] == "done"


async def test_the_answer_reaches_a_case_that_was_handed_to_somebody(asking: Line) -> None:
    """It is worked on again like one that waits for whoever comes first."""
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    (question,) = await asked(asking)
    (case,) = await asking.rows("SELECT id, message_ids FROM cases")

    def hand_over(cursor: Connection) -> None:
        by = {"actor": "ida", "now": asking.clock()}
        assert move(cursor, [str(case["id"])], CaseState.ESCALATED, **by)
        assert move(cursor, case["message_ids"], MessageStatus.ESCALATED, **by)

    await asking.workspace.db.write(hand_over)
    given = OwnerAnswer(answer=ANSWER)
    await answering.answer(
        asking.house, asking.workspace, str(question["id"]), given, person("ida")
    )
    await asking.work()
    assert "One weekend costs 80 euros." in (await newest(asking)).body


async def test_an_answer_is_of_its_own_conversation_and_contact(asking: Line) -> None:
    """Somebody else who asks the same is not told what was answered to another contact."""
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    (question,) = await asked(asking)
    given = OwnerAnswer(answer=ANSWER)
    await answering.answer(
        asking.house, asking.workspace, str(question["id"]), given, person("ida")
    )
    await asking.work()
    asking.send(ASKED, subject="Wedding", sender="otto@finch.example")
    await asking.run()
    assert "celebrations" not in (await newest(asking, "otto@finch.example")).body
    assert len(await asked(asking)) == 2


async def test_flagged_mail_never_asks(asking: Line) -> None:
    """A question from a mail that the screen found odd reaches no owner."""
    asking.workspace.policy = asking.workspace.policy.model_copy(update={"flag_threshold": 0.0})
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    (message,) = await asking.rows("SELECT verdict FROM messages")
    assert message["verdict"] == "flagged"
    assert await asked(asking) == []


async def test_hidden_and_controlling_characters_are_not_shown(asking: Line) -> None:
    """The owner sees one plain line, whatever the sender put between the letters."""
    asking.send("Do you also rent\u200b looms\u202e for\tweddings?", subject="Wedding")
    await asking.run()
    for question in await asked(asking):
        assert str(question["question"]).isprintable()


async def test_a_remembered_answer_counts_after_a_persons_yes_and_outlives_sync(
    asking: Line,
) -> None:
    """It is untrusted until accepted, then answers others, and sync keeps it."""
    house, workspace = asking.house, asking.workspace
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    (question,) = await asked(asking)
    given = OwnerAnswer(answer=ANSWER, remember=True)
    await answering.answer(house, workspace, str(question["id"]), given, person("ida"))
    (entry,) = await asking.rows("SELECT * FROM learned_entries")
    assert (entry["trusted"], entry["title"]) == (False, ASKED)
    assert "ida" in str(entry["source"])
    identity = str(entry["id"])
    await sync_one(house, workspace)
    asking.send(ASKED, subject="Looms", sender="otto@finch.example")
    await asking.run()
    assert "celebrations" not in (await newest(asking, "otto@finch.example")).body
    await knowing.accept(house, workspace, identity, person("ida"))
    asking.send(ASKED, subject="A wedding", sender="uma@robin.example")
    await asking.run()
    assert "celebrations" in (await newest(asking, "uma@robin.example")).body
    (workspace.sources / "knowledge" / "loom-repair.md").unlink()
    await sync_one(house, workspace)
    hits = await workspace.knowledge.search(
        [ASKED], limit=3, language=None, today=asking.clock().date()
    )
    assert identity in [found.id for found, _ in hits[0]]


async def test_nobody_answers_and_the_case_wakes(asking: Line) -> None:
    """The owner is reminded once; after the wait the branch goes on without the answer."""
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    asking.clock.forward(9 * HOUR)
    assert await wake_due(asking.house)
    assert not await wake_due(asking.house)
    asking.clock.forward(40 * HOUR)
    assert await wake_due(asking.house)
    await asking.work()
    (question,) = await asked(asking)
    (branch,) = await asking.rows("SELECT state FROM branches")
    assert (question["state"], branch["state"]) == ("expired", "done")
    kinds = await asking.rows("SELECT kind FROM notifications ORDER BY created_at")
    assert [one["kind"] for one in kinds] == ["question", "question", "question_expired"]
    (case,) = await asking.rows("SELECT state FROM cases")
    assert case["state"] == "in_review"


async def test_who_decides_the_case_takes_the_question_back(asking: Line) -> None:
    """Closing a case leaves no question open and nothing that wakes it."""
    asking.send(ASKED, subject="Wedding")
    await asking.run()
    (case,) = await asking.rows("SELECT id, version FROM cases")
    order = ArchiveCase(version=int(str(case["version"])))
    await reviewing.archive(asking.house, asking.workspace, str(case["id"]), order, person("ida"))
    (question,) = await asked(asking)
    assert question["state"] == "withdrawn"
    asking.clock.forward(100 * HOUR)
    assert await asking.workspace.db.read(questions.list_due_waits, asking.clock()) == []
