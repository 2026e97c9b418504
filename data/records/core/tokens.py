"""Who may sign in: what is known of a token, which itself is nowhere."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from data.records.core.record import Record

Role = Literal["admin", "reviewer"]


class NewToken(Record):
    """Whom to make a token for."""

    user: str = Field(min_length=1, max_length=100)
    """The person's name, as the audit log shows it."""
    role: Role = "reviewer"
    organization: str | None = None
    """Slug of the only organization it opens; None for all."""


class TokenEntry(Record):
    """One token as administrators see it."""

    id: str
    """Beginning of its hash, by which it is revoked."""
    user: str
    role: Role
    organization: str | None = None
    created_at: datetime
    revoked_at: datetime | None = None
    """None while it opens anything."""
