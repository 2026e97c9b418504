"""Invented cases and replies for the review window's tests: a small shop for bicycle parts."""

import hashlib
from datetime import timedelta
from typing import Any

from data.records.core.approvals import Floor
from data.records.core.briefing import Snippet, SourceKind
from data.records.core.citations import Citation
from data.records.core.parsed_mail import Address
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.records.mail.deciding import Decision, Gate, Outcome
from data.records.mail.drafting import Checked, Draft, Finding, Severity
from data.records.mail.outgoing_views import DeliveryView
from data.records.mail.planning import Action, ActionType, Plan
from data.records.mail.views import BranchView, CaseView, DraftRevision, QueueItem, StepView
from data.states import BranchState, CaseState, DeliveryState, StepStatus
from tests.core.window.invented_mail import before, message, now, thread

SNIPPETS = (
    Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="knowledge:chain-rings",
        title="Chain rings in stock",
        text="The 42-tooth ring for the Heron costs 38.50 EUR. We keep at least four in stock.",
        score=0.82,
        trusted=True,
        language="en",
    ),
    Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="knowledge:opening-hours",
        title="Opening hours",
        text="Tuesday to Friday 9 to 18, Saturday 10 to 14. Closed on Sunday and Monday.",
        score=0.74,
        trusted=True,
        language="en",
    ),
    Snippet(
        source=SourceKind.THREAD,
        ref="history:h1",
        title="Your Heron is ready",
        text="Thank you for your order of 3 March. Your Heron will be ready on Friday.",
        outbound=True,
    ),
)

BODY = (
    "Dear Ada,\n\n"
    "The 42-tooth ring for the Heron costs 38.50 EUR. "
    "Delivery to Ghent takes two days. "
    "On Saturday we are open from 10 to 14.\n\n"
    "Kind regards\nMira Holt\nKettle & Chain"
)

DRAFT = Draft(
    subject="Re: Spare chain ring for the Heron",
    body=BODY,
    language="en",
    citations=(
        Citation(
            sentence="The 42-tooth ring for the Heron costs 38.50 EUR.",
            ref="knowledge:chain-rings",
            title="Chain rings in stock",
        ),
        Citation(
            sentence="On Saturday we are open from 10 to 14.",
            ref="knowledge:opening-hours",
            title="Opening hours",
        ),
    ),
    unanswered=("What does delivery to Ghent cost?",),
)

CHECKED = Checked(
    findings=(
        Finding(
            check="unsupported_claim",
            severity=Severity.HOLD,
            excerpt="takes two days",
            sentence="No source says how long delivery takes.",
        ),
    ),
    quality=0.71,
    parts={"complete": 0.67, "grounded": 0.75, "safe": 1.0},
)

GATES = (
    Gate(name="shadow_mode", passed=False, reason="The policy's mode is shadow."),
    Gate(name="draft_quality", passed=False, reason="Quality 0.71 is below the threshold 0.85."),
    Gate(name="screening", passed=True, reason="The screen says clean."),
    Gate(name="sender_established", passed=True, reason="DMARC passes for quill.example."),
    Gate(name="kill_switch", passed=True, reason="Sending is not stopped."),
)

STAGES = ("context", "classify", "plan", "draft", "check", "route")


def item(id: str, **given: Any) -> QueueItem:  # noqa: ANN401
    """Return a line of the queue."""
    made: dict[str, Any] = {
        "case_id": id,
        "state": CaseState.IN_REVIEW,
        "subject": "Spare chain ring for the Heron",
        "contact": Address(name="Ada Quill", email="ada@quill.example"),
        "preview": "the chain ring of my Heron is worn. Do you have the one with 42 teeth",
        "received_at": before(minutes=14),
        "waiting_since": before(minutes=13),
        "messages": 1,
        "category": Category.SALES,
        "priority": Priority.NORMAL,
        "sentiment": Sentiment.NEUTRAL,
        "language": "en",
        "confidence": 0.87,
        "quality": 0.71,
        "outcome": Outcome.REVIEW,
        "has_draft": True,
    }
    return QueueItem(**{**made, **given})


def case(id: str, **given: Any) -> CaseView:  # noqa: ANN401
    """Return a case in review with everything a reviewer sees."""
    made: dict[str, Any] = {
        "id": id,
        "version": 3,
        "state": CaseState.IN_REVIEW,
        "item": item(id),
        "messages": (message(f"m-{id}", case_id=id),),
        "thread": thread(),
        "classification": Classification(
            category=Category.SALES,
            priority=Priority.NORMAL,
            sentiment=Sentiment.NEUTRAL,
            language="en",
            confidence=0.87,
            intents=(
                Intent(
                    intent=IntentKind.QUESTION,
                    category=Category.SALES,
                    confidence=0.87,
                    text="Do you have the one with 42 teeth, and what does it cost?",
                ),
                Intent(
                    intent=IntentKind.QUESTION,
                    category=Category.SUPPORT,
                    confidence=0.64,
                    text="are you open on Saturday?",
                ),
            ),
            reasons=("words: cost, delivery, have", "the sender has bought before"),
        ),
        "branches": (
            BranchView(
                id="b1",
                state=BranchState.DONE,
                intent=Intent(intent=IntentKind.QUESTION, category=Category.SALES, confidence=0.87),
                plan=Plan(
                    actions=(
                        Action(
                            type=ActionType.REPLY,
                            reason="A question that the knowledge answers.",
                            reversible=False,
                            outside_effect=True,
                            floor=Floor.PERSON,
                        ),
                        Action(
                            type=ActionType.TAG_THREAD,
                            reason="Spare parts are counted.",
                            reversible=True,
                            outside_effect=False,
                            floor=Floor.AUTOMATIC,
                            argument="spare-parts",
                        ),
                    )
                ),
            ),
        ),
        "snippets": SNIPPETS,
        "revisions": (
            DraftRevision(
                revision=0,
                draft=DRAFT,
                checked=CHECKED,
                author="local",
                created_at=before(minutes=13),
            ),
        ),
        "decision": Decision(
            outcome=Outcome.REVIEW,
            gates=GATES,
            would_auto_send=False,
            reason="The mode is shadow and the draft leaves one question open.",
        ),
        "steps": tuple(
            StepView(
                stage=stage,
                item_id=id,
                attempt=1,
                status=StepStatus.DONE,
                started_at=before(minutes=13),
                milliseconds=11.5 * number,
                provider="local",
                config_version="manifest 3, policy 1",
            )
            for number, stage in enumerate(STAGES, start=1)
        ),
        "run_url": "http://127.0.0.1:4200/runs/flow-run/0192",
        "recipients": ("ada@quill.example",),
        "recipient_reason": "The sender of the last message; no Reply-To was given.",
        "reply_preview": f"To: ada@quill.example\nSubject: {DRAFT.subject}\n\n{BODY}",
        "approval_hash": hashed(DRAFT.subject, BODY),
    }
    return CaseView(**{**made, **given})


def hashed(subject: str, body: str) -> str:
    """Return a stand-in for the hash of what would leave."""
    return hashlib.sha256(f"{subject}\n{body}".encode()).hexdigest()


def delivery(id: str, state: DeliveryState = DeliveryState.QUEUED, **given: Any) -> DeliveryView:  # noqa: ANN401
    """Return an entry of the outbox."""
    made: dict[str, Any] = {
        "id": id,
        "case_id": "case-1",
        "state": state,
        "mail_from": "hello@kettle.example",
        "rcpt_to": ("ada@quill.example",),
        "subject": DRAFT.subject,
        "body": BODY,
        "message_id": f"<{id}@kettle.example>",
        "sha256": "7" * 64,
        "due_at": now() + timedelta(minutes=14),  # nobody is too slow to take it back
        "attempts": 0,
        "approved_by": "mira",
        "created_at": before(seconds=1),
    }
    return DeliveryView(**{**made, **given})
