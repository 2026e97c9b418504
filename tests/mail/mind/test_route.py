from typing import Any

import pytest

from data.records.core.briefing import Snippet, SourceKind, Tier
from data.records.core.citations import Citation
from data.records.core.organization import AutonomyRule, DayHours, Holiday, Mode, WorkingHours
from data.records.core.parsed_mail import Automated, AutomatedKind
from data.records.core.screening import (
    Authentication,
    AuthResult,
    FilterLayer,
    Hit,
    MessagePlace,
    Screening,
    Verdict,
)
from data.records.core.understanding import Category, Priority, Sentiment
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.drafting import (
    AccountedSentence,
    Checked,
    Disposition,
    Draft,
    Finding,
    Severity,
)
from data.records.mail.planning import ActionType, Plan
from tasks.mail.actions import make_action
from tasks.mail.compose.recipients import Recipients
from tasks.mail.plan.planning import plan
from tasks.mail.route.gates import GATES
from tasks.mail.route.routing import route_case
from tests.mail.mind.examples import (
    NOON,
    POLICY,
    briefing,
    circumstances,
    classification,
    intent,
    signals,
)

ONE = intent("What does a kayak cost?")
DRAFT = Draft(subject="Re: Boats", body="A kayak costs 31.50 euros.", language="en")
DEALT_WITH = AccountedSentence(text="What does a kayak cost?", disposition=Disposition.ANSWERED)
GOOD = Checked(
    quality=0.9,
    parts={"complete": 0.9, "grounded": 1.0, "safe": 1.0},
    accounts=(DEALT_WITH,),
)
REPLY = Plan(actions=(make_action(ActionType.REPLY, "A question."),))


def routed(**more: object) -> Decision:
    """Return the decision on a case where nothing stands in the way but what is given."""
    return route_case(**(circumstances(REPLY, DRAFT, GOOD, classification(ONE)) | more))


def policy(**more: object) -> dict[str, Any]:
    """Return the policy argument with changes."""
    return {"policy": POLICY.model_copy(update=more)}


def test_all_gates_open_send_by_itself() -> None:
    """Only when every gate lets it through does a draft leave by itself."""
    made = routed()
    assert made.outcome is Outcome.AUTO_SEND
    assert [gate.name for gate in made.gates] == [name for name, _ in GATES]
    assert all(gate.passed and gate.reason for gate in made.gates)


ANSWERED = briefing().model_copy(
    update={
        "snippets": (
            Snippet(
                source=SourceKind.KNOWLEDGE, ref="owner:7", title="Answer by Odile", text="Yes."
            ),
        )
    }
)
TOLD = DRAFT.model_copy(
    update={"citations": (Citation(sentence="Yes.", ref="owner:7", title="Answer by Odile"),)}
)

SHUT: list[tuple[str, dict[str, Any]]] = [
    ("approval_floor", {"draft": TOLD}),
    (
        "approval_floor",
        {"briefing": ANSWERED, "draft": DRAFT.model_copy(update={"provider": "a-model"})},
    ),
    ("kill_switch", {"signals": signals(stopped=True)}),
    ("pipeline_mode", policy(mode=Mode.OFF)),
    ("shadow_mode", policy(mode=Mode.SHADOW)),
    ("screening", {"screening": Screening(verdict=Verdict.FLAGGED, score=0.4)}),
    ("screening", {"screening": Screening(verdict=Verdict.QUARANTINE, score=0.9)}),
    ("screening", {"screening": Screening(verdict=Verdict.FLAGGED, score=0.0)}),
    ("screening", {"screening": Screening(verdict=Verdict.CLEAN, score=0, errors=("guard",))}),
    ("message_form", {"signals": signals(bare_eol=True)}),
    ("message_form", {"signals": signals(defects=("more than one From header",))}),
    ("message_form", {"signals": signals(defects=("no Date header", "closing boundary missing"))}),
    ("sender_authenticated", {"authentication": Authentication(dmarc=AuthResult.FAIL)}),
    ("sender_authenticated", {"authentication": Authentication()}),
    ("sender_authenticated", {"authentication": Authentication(spf=AuthResult.PASS)}),
    ("recipient", {"signals": signals(recipients=Recipients(reason="Nobody."))}),
    (
        "recipient",
        {
            "signals": signals(
                recipients=Recipients(to=("a@b.test",), reason="?", provenance="body")
            )
        },
    ),
    (
        "recipient",
        {
            "signals": signals(
                recipients=Recipients(to=("a@b.test", "c@d.test"), reason="?", provenance="from")
            )
        },
    ),
    ("category_rule", {"classification": classification(intent("?", category="other"))}),
    ("category_rule", {"classification": classification(ONE, intent("?", category="billing"))}),
    ("category_rule", policy(autonomy_rules=())),
    ("sensitive", {"classification": classification(ONE, priority=Priority.URGENT)}),
    ("sensitive", {"classification": classification(ONE, sentiment=Sentiment.NEGATIVE)}),
    ("sensitive", {"classification": classification(ONE, intent("!", "complaint"))}),
    ("sensitive", {"classification": classification(ONE, intent("!", "escalation"))}),
    (
        "approval_floor",
        {"plans": (REPLY, Plan(actions=(make_action(ActionType.FORWARD, "to a partner"),)))},
    ),
    (
        "approval_floor",
        {"plans": (Plan(actions=(make_action(ActionType.REPLY, "money", money=True),)),)},
    ),
    ("draft_present", {"draft": DRAFT.model_copy(update={"body": " \n"})}),
    ("quality", {"checked": GOOD.model_copy(update={"quality": 0.0})}),
    ("accounted", {"checked": GOOD.model_copy(update={"accounts": ()})}),
    (
        "accounted",
        {
            "checked": GOOD.model_copy(
                update={
                    "accounts": (
                        DEALT_WITH,
                        AccountedSentence(text="Cancel it.", disposition=Disposition.OPEN),
                    )
                }
            )
        },
    ),
    ("quality", {"checked": GOOD.model_copy(update={"quality": 0.69})}),
    ("quality", {"checked": GOOD.model_copy(update={"quality": float("nan")})}),
    (
        "quality",
        policy(
            autonomy_rules=(AutonomyRule(category=Category.SUPPORT, auto_send=True, threshold=1),)
        ),
    ),
    (
        "findings",
        {
            "checked": GOOD.model_copy(
                update={
                    "findings": (
                        Finding(check="x", severity=Severity.HOLD, excerpt="", sentence="No."),
                    )
                }
            )
        },
    ),
    ("context_tier", {"briefing": briefing().model_copy(update={"tier": Tier.COMPACTED})}),
    ("attachments", {"signals": signals(attachments=1)}),
    (
        "working_hours",
        policy(working_hours=WorkingHours(timezone="Europe/Berlin", start="13:30", end="18:00")),
    ),
    ("working_hours", policy(working_hours=WorkingHours(days=(6, 7)))),
    (
        "working_hours",
        policy(
            working_hours=WorkingHours(
                start="00:00",
                end="23:59",
                differing=(DayHours(days=(1, 2, 3, 4, 5), start="00:00", end="00:01"),),
            )
        ),
    ),
    ("working_hours", policy(working_hours=WorkingHours(timezone="Europe/Atlantis"))),
    ("daily_cap", {"signals": signals(auto_sends_today=50)}),
    ("reply_governor", {"signals": signals(sent={"in_thread": 10})}),
    ("reply_governor", {"signals": signals(sent={"to_contact": 10})}),
    ("reply_governor", {"signals": signals(sent={"consecutive": 5})}),
    ("reply_governor", {"signals": signals(sent={"overall": 30})}),
    ("reply_governor", {"signals": signals(sent={"last_hour": 10})}),
    ("reply_governor", {"signals": signals(repeated_body=True)}),
    ("newer_mail", {"signals": signals(newer_mail=True)}),
    ("transport", {"signals": signals(transport_ready=False)}),
]


def test_on_a_holiday_nothing_leaves_by_itself() -> None:
    """The day is that of the working hours' zone, and the reason names it."""
    given = circumstances(REPLY, DRAFT, GOOD, classification(ONE))
    today = given["signals"].now.date()
    off = Holiday(day=today, name="Fair")
    own = given["organization"].model_copy(update={"holidays": (off,)})
    hours = WorkingHours(days=(1, 2, 3, 4, 5, 6, 7), start="00:00", end="23:59")
    made = routed(organization=own, **policy(working_hours=hours))
    assert made.outcome is Outcome.REVIEW
    (shut,) = [gate for gate in made.gates if not gate.passed]
    assert (shut.name, "(Fair)" in shut.reason) == ("working_hours", True)
    assert routed(organization=own).outcome is Outcome.AUTO_SEND


@pytest.mark.parametrize(("gate", "more"), SHUT)
def test_each_gate_alone_holds_a_draft_back(gate: str, more: dict[str, Any]) -> None:
    """Every single gate sends the case to a person and says why, and only that gate is shut."""
    made = routed(**more)
    assert made.outcome is Outcome.REVIEW
    assert [g.name for g in made.gates if not g.passed] == [gate]
    assert made.would_auto_send is (gate == "shadow_mode")
    assert gate in made.reason


def test_a_missing_date_is_no_doubt() -> None:
    """Defects that change nothing about who wrote what hold nothing back."""
    odd = signals(defects=("no Date header", "no Message-ID header"))
    assert routed(signals=odd).outcome is Outcome.AUTO_SEND


def test_every_gate_is_tested() -> None:
    """The table above holds every gate; a machine's mail has a test of its own."""
    assert {gate for gate, _ in SHUT} | {"automated"} == {name for name, _ in GATES}


def test_unknown_circumstances_mean_no() -> None:
    """Signals that nobody filled in do not let anything out."""
    bare = type(signals())(now=NOON, recipients=Recipients(reason="Unknown."))
    assert routed(signals=bare).outcome is Outcome.REVIEW


def test_shadow_with_another_gate_would_not_have_sent() -> None:
    """Shadow mode is counted as the only obstacle only when it is."""
    made = routed(**policy(mode=Mode.SHADOW), authentication=Authentication())
    assert not made.would_auto_send
    assert sum(not gate.passed for gate in made.gates) == 2


def test_confidence_of_the_classifier_sends_nothing() -> None:
    """A sure label does not replace a good draft."""
    assert routed(
        classification=classification(ONE, confidence=1.0), checked=Checked()
    ).outcome is (Outcome.REVIEW)


def test_a_machine_is_archived() -> None:
    """Automated mail ends in the archive, with its gate shut."""
    made = routed(automated=Automated(automated=True, kind=AutomatedKind.NEWSLETTER))
    assert made.outcome is Outcome.ARCHIVE
    assert not next(g for g in made.gates if g.name == "automated").passed


@pytest.mark.parametrize(
    ("confidence", "outcome"), [(0.95, Outcome.ARCHIVE), (0.4, Outcome.REVIEW)]
)
def test_spam_is_archived_when_sure(confidence: float, outcome: Outcome) -> None:
    """Spam is filed away; doubtful spam is shown to a person first."""
    said = classification(intent("Pills!", "information", "spam"), confidence=confidence)
    filed = Plan(actions=(make_action(ActionType.ARCHIVE, "Spam."),))
    assert routed(classification=said, plans=(filed,)).outcome is outcome


def make_screening(layer: FilterLayer, **more: object) -> Screening:
    """Return a flagged message in which a rule of a layer hit."""
    hit = Hit(
        rule="r",
        technique="t",
        layer=layer,
        place=MessagePlace.BODY,
        excerpt="...",
        score=0.6,
    )
    return Screening(verdict=Verdict.FLAGGED, score=0.6, hits=(hit,)).model_copy(update=more)


@pytest.mark.parametrize(
    ("screening", "outcome"),
    [
        (make_screening(FilterLayer.INJECTION), Outcome.REVIEW),
        (make_screening(FilterLayer.SMUGGLING), Outcome.REVIEW),
        (make_screening(FilterLayer.INJECTION, verdict=Verdict.CLEAN), Outcome.ARCHIVE),
        (make_screening(FilterLayer.CONTENT), Outcome.ARCHIVE),
        (Screening(verdict=Verdict.FLAGGED, score=0, errors=("persona",)), Outcome.REVIEW),
        (Screening(verdict=Verdict.FLAGGED, score=0), Outcome.ARCHIVE),
    ],
)
def test_what_gives_orders_is_not_filed_away_unseen(screening: Screening, outcome: Outcome) -> None:
    """It may have talked a model into calling it spam; advertising has no such reach.

    Nor has what a person let go on, of which no hit counts.
    """
    said = classification(intent("Pills!", "information", "spam"), confidence=0.95)
    filed = Plan(actions=(make_action(ActionType.ARCHIVE, "Spam."),))
    made = routed(classification=said, plans=(filed,), screening=screening)
    assert made.outcome is outcome


def test_a_complaint_is_escalated_to_its_person() -> None:
    """A complaint goes to the person that the policy names for it."""
    one = intent("It leaked.", "complaint", "complaint")
    said = classification(one)
    made = plan(one, said, briefing(), POLICY, automated=Automated(), first_contact=False)
    decision = routed(classification=said, plans=(made,))
    assert decision.outcome is Outcome.ESCALATE
    assert decision.assignee == "odile@lantern.example"


def test_a_plan_cannot_name_a_stranger() -> None:
    """An assignee that is nobody of the organization is replaced by the policy's."""
    odd = Plan(actions=(make_action(ActionType.ESCALATE, "Help", argument="eve@evil.test"),))
    assert routed(plans=(odd,)).assignee == "odile@lantern.example"


def test_the_strictest_category_sets_the_threshold() -> None:
    """A case of two categories needs the higher quality of both."""
    both = classification(ONE, intent("And?", category="sales"))
    assert [g.name for g in routed(classification=both).gates if not g.passed] == ["quality"]
    assert (
        routed(classification=both, checked=GOOD.model_copy(update={"quality": 0.96})).outcome
        is Outcome.AUTO_SEND
    )
