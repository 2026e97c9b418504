"""The audit log as it is shown."""

from datetime import date

from pydantic import AwareDatetime

from data.records.core.record import Record


class AuditChain(Record):
    """What a verification of the audit log's chain of hashes gave."""

    events: int
    """How many events the chain holds."""
    broken_at: int | None = None
    """The sequence of the first event that does not fit, which was changed or is missing."""


class AuditFilter(Record):
    """What the audit log is narrowed to; empty means all."""

    actor: str = ""
    """Who did it, by name."""
    action: str = ""
    """What was done, as the log names it."""
    words: str = ""
    """What its subject or detail holds, in any case."""
    since: date | None = None
    """The first day, as it is where the organization is."""
    until: date | None = None
    """The last one."""


class AuditChoices(Record):
    """What the audit log can be narrowed to."""

    actors: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


class AuditView(Record):
    """One event of the audit log."""

    sequence: int
    at: AwareDatetime
    actor: str
    action: str
    subject: str
    detail: str = ""
    title: str = ""
    """Subject and person of the case, message, conversation or reply that it was about, as they are
    now; empty for anything else, and for what is gone. It is no part of the log and its hashes."""
