"""The audit log as it is shown."""

from pydantic import AwareDatetime

from data.records.core.record import Record


class AuditChain(Record):
    """What a verification of the audit log's chain of hashes gave."""

    events: int
    """How many events the chain holds."""
    broken_at: int | None = None
    """The sequence of the first event that does not fit, which was changed or is missing."""


class AuditView(Record):
    """One event of the audit log."""

    sequence: int
    at: AwareDatetime
    actor: str
    action: str
    subject: str
    detail: str = ""
