"""A tiny organization and what the stages need, for the tests of the mind."""

from datetime import UTC, datetime, timedelta
from typing import Any

from data.records.core.briefing import Briefing
from data.records.core.envelope import Channel, Envelope
from data.records.core.knowledge import HistoryEntry, SavedReply
from data.records.core.organization import AutonomyRule, Mode, Organization, Person, Policy
from data.records.core.parsed_mail import Address, Automated, ParsedMail
from data.records.core.screening import Authentication, AuthResult, Screening, Verdict
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from tasks.mail.compose.recipients import Recipients
from tasks.mail.context.gathering import build_briefing
from tasks.mail.route.signals import RouteSignals
from tests.core.mind.entries import KNOWLEDGE

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
"""A Wednesday."""

ORGANIZATION = Organization(
    slug="lantern-kayaks",
    name="Lantern Kayaks",
    addresses=("paddle@lantern.example", "bills@lantern.example"),
    signature="Lantern Kayaks\nQuay 7, Ghent",
    people=(Person(name="Odile Marsh", email="odile@lantern.example"),),
)

POLICY = Policy(
    mode=Mode.LIVE,
    confidence_threshold=0.7,
    autonomy_rules=(
        AutonomyRule(category=Category.SUPPORT, auto_send=True),
        AutonomyRule(category=Category.SALES, auto_send=True, threshold=0.95),
        AutonomyRule(category=Category.FEATURE_REQUEST, auto_send=True),
    ),
    allowed_links=("lantern.example",),
    escalation={"complaint": "odile@lantern.example", "default": "odile@lantern.example"},
)

SENDER = Address(name="Wim Tulip", email="wim@tulip.example")


def briefing(*names: str, **more: object) -> Briefing:
    """Return a briefing with the named knowledge entries, or all of them."""
    chosen = [e for e in KNOWLEDGE if not names or e.id in names]
    values: dict[str, object] = {
        "case_text": "x",
        "thread": (),
        "contact": (),
        "knowledge": [(e, 1 - place / 10) for place, e in enumerate(chosen)],
        "organization": ORGANIZATION,
        "policy": POLICY,
        "budget_tokens": 4000,
        "recent_messages": 5,
        "knowledge_limit": 10,
    }
    return build_briefing(**(values | more))  # type: ignore[arg-type]


def intent(text: str, kind: str = "question", category: str = "support") -> Intent:
    """Return an intent with its words."""
    return Intent(intent=IntentKind(kind), category=Category(category), confidence=0.9, text=text)


def classification(*intents: Intent, **more: object) -> Classification:
    """Return a classification with these intents."""
    values: dict[str, object] = {
        "category": intents[0].category,
        "priority": Priority.NORMAL,
        "sentiment": Sentiment.NEUTRAL,
        "language": "en",
        "confidence": 0.9,
        "intents": intents,
    }
    return Classification.model_validate(values | more)


def message(number: int, text: str, *, outbound: bool = False, who: str = "wim") -> HistoryEntry:
    """Return an earlier message; a higher number is later."""
    return HistoryEntry(
        ref=f"message:{number}",
        contact=who,
        outbound=outbound,
        at=NOON - timedelta(days=90) + timedelta(hours=number),
        subject="Trip",
        text=text,
    )


def mail(**more: object) -> ParsedMail:
    """Return a parsed message from the sender."""
    values: dict[str, object] = {
        "subject": "A question",
        "sender": SENDER,
        "senders": (SENDER,),
        "text": "What does a single kayak cost?",
        "message_id": "<q1@tulip.example>",
        "date": NOON,
    }
    return ParsedMail.model_validate(values | more)


def envelope(**more: object) -> Envelope:
    """Return the envelope of a message from the sender."""
    values: dict[str, object] = {
        "spool_id": "01",
        "channel": Channel.SMTP,
        "received_at": NOON,
        "mail_from": SENDER.email,
        "rcpt_to": ("paddle@lantern.example",),
        "size_bytes": 9,
        "sha256": "0" * 64,
    }
    return Envelope.model_validate(values | more)


RECIPIENTS = Recipients(to=(SENDER.email,), reason="The one address of From.", provenance="from")


def signals(**more: object) -> RouteSignals:
    """Return circumstances under which nothing stands in the way."""
    values: dict[str, object] = {
        "now": NOON,
        "recipients": RECIPIENTS,
        "stopped": False,
        "transport_ready": True,
    }
    return RouteSignals.model_validate(values | more)


def circumstances(
    plan: Plan, draft: Draft, checked: Checked, said: Classification
) -> dict[str, Any]:
    """Return the arguments of `route_case` under which a good draft leaves by itself."""
    return {
        "classification": said,
        "screening": Screening(verdict=Verdict.CLEAN, score=0.01),
        "authentication": Authentication(dmarc=AuthResult.PASS),
        "automated": Automated(),
        "briefing": briefing(),
        "checked": checked,
        "draft": draft,
        "plans": (plan,),
        "policy": POLICY,
        "organization": ORGANIZATION,
        "signals": signals(),
    }


FRAME = SavedReply(
    id="frame",
    title="Answer",
    intent="question",
    body="Hello {first_name},\n\nthank you for asking.\n\n{answer}\n\n"
    "Come and paddle.\n\n{organization}",
)
