"""Questions to owners and their answers; see docs/pipeline.md#plan."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record


class QuestionState(StrEnum):
    """Where a question to an owner is."""

    OPEN = "open"  #: waits for an answer
    ANSWERED = "answered"  #: the answer went into the draft
    EXPIRED = "expired"  #: nobody answered in time
    WITHDRAWN = "withdrawn"  #: nobody needs the answer any more


class QuestionView(Record):
    """One question to an owner; its words come from a mail and must be drawn inert."""

    id: str
    state: QuestionState
    case_id: str
    branch_id: str
    contact_email: str
    """Who asked it."""
    owner: str
    """Address of the person it is for."""
    question: str
    language: str
    """ISO 639-1 code that the sender writes, and that the answer should have."""
    asked_at: AwareDatetime
    due_at: AwareDatetime
    """Until when the case waits."""
    answer: str = ""
    answered_by: str = ""
    answered_at: AwareDatetime | None = None
    learned_id: str = ""
    """The proposal of knowledge that was made of the answer."""


class OwnerAnswer(Record):
    """What the owner says."""

    answer: str = Field(min_length=1, max_length=4000)
    language: str = Field(default="", pattern=r"^([a-z]{2,3})?$")
    """ISO 639-1 code of the answer; the sender's when empty."""
    remember: bool = False
    """Whether to propose it as knowledge, which counts once a person has accepted it."""
