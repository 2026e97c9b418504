"""Saved replies as sources: told with a citation where they answer, and never where they frame."""

import pytest

from data.records.core.briefing import SourceKind
from data.records.core.knowledge import SavedReply
from data.records.core.parsed_mail import Automated
from tasks.mail.check.checking import check
from tasks.mail.draft.drafting import draft
from tasks.mail.plan.planning import plan
from tests.mail.mind.examples import ORGANIZATION, POLICY, SENDER, briefing, classification, intent

TEXT = "Do you sell gift vouchers?"
VOUCHERS = SavedReply(
    id="vouchers",
    title="Gift vouchers",
    intent="question",
    body="Gift vouchers are sold at the desk from 20 euros.\n\nThey are valid for two years.",
)
FRAME = SavedReply(
    id="frame", title="Gift vouchers", intent="question",
    body="Thank you for asking about gift vouchers.\n\n{answer}",
)  # fmt: skip
OPEN = SavedReply(
    id="open", title="Gift vouchers", intent="question",
    body="Your gift voucher {number} was sent on {date}.",
)  # fmt: skip


def refs(*replies: SavedReply, text: str = TEXT) -> list[str]:
    """Return the references of the saved replies in a briefing."""
    made = briefing(case_text=text, saved_replies=replies)
    return [one.ref for one in made.of(SourceKind.ORGANIZATION) if one.ref.startswith("reply:")]


def test_a_reply_that_shares_a_topic_is_a_source() -> None:
    """It stands in the briefing, vouched for and citable."""
    assert refs(VOUCHERS) == ["reply:vouchers"]
    (one,) = (s for s in briefing(case_text=TEXT, saved_replies=[VOUCHERS]).snippets
              if s.ref == "reply:vouchers")  # fmt: skip
    assert (one.trusted, one.citable) == (True, True)
    assert "20 euros" in one.text


@pytest.mark.parametrize("reply", [FRAME, OPEN])
def test_frames_and_open_slots_are_no_sources(reply: SavedReply) -> None:
    """What surrounds an answer states nothing; what only a person can fill says nothing yet."""
    assert refs(reply) == []


def test_replies_about_something_else_are_left_out() -> None:
    """At most three are told, the nearest first, and none without a word in common."""
    many = [VOUCHERS.model_copy(update={"id": f"v{n}"}) for n in range(9)]
    assert len(refs(*many)) == 3
    assert refs(VOUCHERS, text="Where is the slipway?") == []


def test_a_draft_answers_from_a_saved_reply_and_cites_it() -> None:
    """The sentence leaves as it stands, with the reply as its source; the check finds it there."""
    given = briefing(case_text=TEXT, saved_replies=[VOUCHERS], knowledge=())
    said = classification(intent(TEXT))
    (wish,) = said.intents
    planned = plan(wish, said, given, POLICY, automated=Automated(), first_contact=False)
    made = draft(
        intents=said.intents,
        new_text=TEXT,
        subject="Vouchers",
        sender=SENDER,
        classification=said,
        briefing=given,
        plans=(planned,),
        organization=ORGANIZATION,
        policy=POLICY,
        saved_replies=(VOUCHERS,),
    )
    assert "Gift vouchers are sold at the desk from 20 euros." in made.body
    assert {one.ref for one in made.citations} == {"reply:vouchers"}
    checked = check(made, given, new_text=TEXT, organization=ORGANIZATION, policy=POLICY,
                    sender=SENDER, saved_replies=(VOUCHERS,), intents=said.intents)  # fmt: skip
    assert checked.findings == ()
    assert checked.quality == 1.0
