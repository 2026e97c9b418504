"""Questions to owners as part of a plan, likeness of tickets, and how far parts are answered."""

from datetime import timedelta

from data.records.core.approvals import Floor
from data.records.core.briefing import Snippet, SourceKind
from data.records.core.organization import Policy
from data.records.core.understanding import Category
from data.records.mail.drafting import Draft
from data.records.mail.planning import ActionType, Plan
from tasks.core.answering.answer import answer, covers
from tasks.core.words.questions import AskedQuestion
from tasks.mail.actions import make_action
from tasks.mail.draft.answered import answered_share
from tasks.mail.plan.duplicates import find_duplicates
from tasks.mail.plan.owner_question import (
    list_unanswered,
    owner_of,
    with_question,
    without_questions,
)
from tests.mail.mind.examples import NOON, ORGANIZATION, briefing, intent

REPLY = Plan(actions=(make_action(ActionType.REPLY, "A question."),))
HANDED = Plan(actions=(make_action(ActionType.ESCALATE, "x"), *REPLY.actions))
UNKNOWN = "Do you sell gift vouchers for lighthouses?"


def open_questions(text: str, plan: Plan = REPLY, kind: str = "question") -> list[str]:
    """Return what an owner would be asked."""
    return list_unanswered(plan, intent(text, kind), briefing(), "en", ORGANIZATION)


def test_only_what_the_knowledge_leaves_open_is_asked() -> None:
    """Of two questions the one that an entry answers is left out."""
    text = f"What does a single kayak cost per day? {UNKNOWN}"
    assert open_questions(text) == [UNKNOWN]


def test_what_goes_to_a_person_anyway_is_not_asked() -> None:
    """Escalated and unanswered plans ask nobody, nor do thanks and complaints."""
    assert open_questions(UNKNOWN, HANDED) == []
    assert open_questions(UNKNOWN, kind="complaint") == []


def test_a_plan_that_asks_holds_its_reply() -> None:
    """Question and wait are added with owner and time, and the reply needs a person meanwhile."""
    until = NOON + timedelta(hours=48)
    plan = with_question(REPLY, UNKNOWN, "odile@lantern.example", until)
    by_type = {action.type: action for action in plan.actions}
    assert plan.asks == UNKNOWN
    assert by_type[ActionType.ASK_OWNER].related == "odile@lantern.example"
    assert by_type[ActionType.WAIT].argument == "2026-03-06T12:00:00+00:00"
    assert by_type[ActionType.REPLY].floor is Floor.PERSON
    assert by_type[ActionType.ASK_OWNER].floor is Floor.AUTOMATIC


def test_a_question_that_a_model_proposes_is_dropped() -> None:
    """Only code asks owners: what a model wrote for their eyes is taken out."""
    asking = make_action(ActionType.ASK_OWNER, "x", argument="Please send your password")
    plan = without_questions(Plan(actions=(*REPLY.actions, asking)))
    assert plan.asks == ""
    assert without_questions(Plan(actions=(asking,))).actions


def test_the_owner_of_a_category_comes_before_the_default() -> None:
    """Who is asked follows from the policy; without a name nobody is."""
    policy = Policy(owners={"billing": "b@x.example", "default": "d@x.example"})
    assert owner_of(policy, Category.BILLING) == "b@x.example"
    assert owner_of(policy, Category.SALES) == "d@x.example"
    assert owner_of(Policy(), Category.SALES) == ""


def test_an_owners_answer_answers_its_question_and_no_other() -> None:
    """Even "Yes." counts as the answer of what was asked, and of nothing else."""
    given = Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="owner:1",
        title="Answer by Odile Marsh",
        text="Yes, until Friday.",
        trusted=True,
        language="en",
        answers=UNKNOWN,
    )
    found = answer(AskedQuestion(text=UNKNOWN), [given])
    assert found is not None
    assert found.citations[0].ref == "owner:1"
    assert covers(AskedQuestion(text=UNKNOWN), ["Yes, until Friday."], [given]) == 1.0
    assert answer(AskedQuestion(text="Do you sell lamps?"), [given]) is None


def test_an_owners_answer_is_told_whole_however_the_question_was_cut() -> None:
    """A greeting before the question that the owner was shown loses and cuts no answer."""
    told = "Yes. They cost ten euros. Ask at the desk. The oldest keeper signs them."
    given = Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="owner:1",
        title="Answer by Odile Marsh",
        text=told,
        trusted=True,
        language="en",
        answers=f"Hello Lantern Kayaks, two things: {UNKNOWN}",
    )
    found = answer(AskedQuestion(text=UNKNOWN), [given])
    assert found is not None
    assert " ".join(one.sentence for one in found.citations) == told
    assert answer(AskedQuestion(text="For lighthouses?"), [given]) is None


def test_an_owner_is_asked_without_the_greeting_before_the_question() -> None:
    """The question is cut from the letter's lines, as the draft's is."""
    letter = f"Hello Lantern Kayaks,\n\n{UNKNOWN}\n\nWim"
    wish = intent(" ".join(letter.split()))
    asked = list_unanswered(REPLY, wish, briefing(), "en", ORGANIZATION, letter)
    assert asked == [UNKNOWN]


def test_tickets_alike_are_found_by_terms_and_meaning() -> None:
    """Another wording and another language are found; another wish is not."""
    others = [
        ("same", "Could you offer kayaks with sails?"),
        ("german", "Bitte bietet Kajaks mit Segel an"),
        ("hours", "Opening hours on Sunday"),
        ("refund", "Please refund my order 4411"),
    ]
    found = [one.id for one in find_duplicates("Please add a sail to the kayaks", others)]
    assert "same" in found
    assert not {"hours", "refund"} & set(found)
    assert find_duplicates("", others) == []


def test_a_part_is_answered_as_far_as_no_question_stays_open() -> None:
    """One of two open questions is a half; without a draft there is no share."""
    draft = Draft(subject="Re: x", body="Hello", language="en", unanswered=(UNKNOWN,))
    assert answered_share(f"What does it cost? {UNKNOWN}", draft) == 0.5
    assert answered_share("Thanks!", draft) is None
    assert answered_share(UNKNOWN, None) is None
