"""Promises of replies that have left, and what people do with them; see docs/pipeline.md."""

from datetime import date
from typing import Literal

from pydantic import AwareDatetime, Field

from data.records.core.record import Record

PromiseState = Literal["open", "overdue", "closed"]


class PromiseView(Record):
    """One promise."""

    id: str
    case_id: str
    delivery_id: str
    thread_id: str
    contact_email: str
    sentence: str
    """As it was sent."""
    due_on: date
    """The day by which, in the organization's time zone."""
    dated: bool
    """Whether the sentence names the day; else the policy's days were counted."""
    state: PromiseState
    """Overdue from the day after."""
    made_at: AwareDatetime
    closed_at: AwareDatetime | None = None
    closed_by: str = ""
    """A person, or `delivery:<id>` of a later reply in the conversation."""
    note: str = ""


class ClosePromise(Record):
    """Say that a promise is kept, or no longer holds."""

    note: str = Field(default="", max_length=500)
