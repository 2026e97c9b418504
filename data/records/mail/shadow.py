"""Judgements of people on drafts, as evidence for what may leave without them."""

from enum import StrEnum

from pydantic import AwareDatetime

from data.records.core.policies import PolicyEffect
from data.records.core.record import Record
from data.records.core.understanding import Category, IntentKind, Priority
from data.records.mail.report_views import DecisionFigures


class DraftJudgement(StrEnum):
    """What people made of a draft; of several decisions the worst counts."""

    UNCHANGED = "unchanged"  #: sent as it was
    EDITED = "edited"  #: sent with another wording
    REJECTED = "rejected"  #: refused as wrong
    CLOSED = "closed"  #: nothing was answered


class Wish(Record):
    """What a sender wanted: one of the things that a rule can speak for."""

    category: Category
    intent: IntentKind | None = None
    """None for the case as a whole, where no wish has its category."""


class JudgedDraft(Record):
    """A draft that a person decided on, and whether it could have left without one."""

    case_id: str
    subject: str
    wishes: tuple[Wish, ...]
    priority: Priority
    quality: float
    """Of the machine's draft, 0 to 1."""
    could_leave: bool
    """Whether nothing but the mode, a rule and the quality stood in its way."""
    held_by: str = ""
    """The first sentence that held it otherwise; empty where it could leave."""
    said: DraftJudgement
    changed: float = 0.0
    """Share of its text that the person changed, 0 to 1."""
    decided_at: AwareDatetime
    decided_by: str


class PolicyPreview(PolicyEffect):
    """What a change would do; nothing is kept."""

    would_send: DecisionFigures
    """What people said of the drafts that would leave with it, in live mode."""


class ShadowEvidence(Record):
    """The last drafts that people decided on, the newest first."""

    drafts: tuple[JudgedDraft, ...]
    would_send: DecisionFigures
    """Of those, what people said of what would leave with the policy as it is in live mode."""
