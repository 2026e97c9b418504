"""Copies of a reply: the addresses that are offered one, where each is from, and the choice."""

from typing import Literal

from pydantic import Field

from data.records.core.record import Line, Record


class Copy(Record):
    """One address that is offered a copy of a reply."""

    address: str
    name: str = ""
    """As the message calls it."""
    provenance: Literal["to", "cc", "person"]
    """The header of the answered message that names it, or a person who added it."""
    chosen: bool = False
    """Whether the reply goes there as well."""


class ChooseCopies(Record):
    """Say who gets a copy of a case's reply, in place of what was chosen before."""

    version: int
    cc: tuple[Line, ...] | None = Field(default=None, max_length=20)
    """Addresses; empty for nobody, None for who was chosen before."""
    bcc: tuple[Line, ...] | None = Field(default=None, max_length=20)
    """Addresses of those who get a blind copy, whom no header names; likewise."""
