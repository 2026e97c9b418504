"""Allowances, blocks, groups, spam learning and notifications, as the API answers them."""

from typing import Literal

from pydantic import AwareDatetime

from data.records.core.parsed_mail import Address
from data.records.core.record import Record


class Decided(Record):
    """How one decision of several ended."""

    id: str
    done: bool
    sentence: str = ""
    """Why not, when it was refused."""


class AllowanceView(Record):
    """A rule that does not count for a sender."""

    id: str
    rule: str
    sender: str
    message_id: str | None = None
    """The message that was released with it."""
    created_by: str
    created_at: AwareDatetime


class BlockView(Record):
    """A sender or domain that is stopped."""

    pattern: str
    scope: Literal["sender", "domain"]
    created_by: str
    created_at: AwareDatetime


class GroupsView(Record):
    """The groups by which an organization gets mail."""

    items: tuple[str, ...]
    """Those that its profile names."""
    proposed: tuple[str, ...] = ()
    """Groups of its domains that mail came by, newest first, and the profile does not name."""


class SpamLearning(Record):
    """What the organization has learned about spam."""

    spam: int
    ham: int
    enough: bool
    """Whether the judge may stop mail; until then it can only flag, and only with both kinds."""


class NotificationView(Record):
    """Something that people should know."""

    id: str
    kind: str
    subject_id: str
    """The message, case or delivery it is about."""
    subject_kind: Literal["message", "case", "delivery", "thread", "chat", "task", "other"]
    sentence: str
    sender: Address | None = None
    """Who wrote the message that it is about; None where it is about something else."""
    subject: str = ""
    """What that message is called."""
    addressee: str = ""
    """The mail address of the person whom it is for alone; empty when it is for everybody."""
    created_at: AwareDatetime
    seen_at: AwareDatetime | None = None
