"""A new mail that a person begins, which answers nothing."""

from pydantic import Field

from data.records.core.record import Line, Record
from data.records.mail.orders import LONGEST_BODY, LONGEST_SUBJECT


class WriteMail(Record):
    """Begin a mail to an address, as a letter that is approved like any other."""

    to: Line
    """The one address that it goes to."""
    name: Line = ""
    """Who that is, for the greeting."""
    subject: str = Field(min_length=1, max_length=LONGEST_SUBJECT)
    body: str | None = Field(default=None, max_length=LONGEST_BODY)
    """Its text; None for a greeting and a closing between which a person writes."""
    cc: tuple[Line, ...] = Field(default=(), max_length=20)
    """Who gets a copy."""
    bcc: tuple[Line, ...] = Field(default=(), max_length=20)
    """Who gets a blind copy, whom no header names."""
