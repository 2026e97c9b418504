"""Tokens for signing in: the order to make one, and its entry; the token itself is nowhere."""

from datetime import datetime
from typing import Annotated

from pydantic import StringConstraints

from data.records.core.record import Line, Record


class NewToken(Record):
    """Whom to make a token for."""

    user: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    """The person's name, as the audit log shows it."""
    user_id: Line = ""
    """The user that it is for; empty for the one of that name with that role, who is made."""
    role: Line = "reviewer"
    organization: Line | None = None
    """Slug of the only organization it opens; None for all."""


class TokenEntry(Record):
    """One token as administrators see it."""

    id: str
    """Beginning of its hash, by which it is revoked."""
    user: str
    user_id: str = ""
    role: str
    """Slug of the user's first role; empty for a user who has none any more."""
    organization: str | None = None
    """The organization that this role counts in; None for all."""
    created_at: datetime
    revoked_at: datetime | None = None
    """None while it opens anything."""
