"""The wish for another draft: why a person rejected the one that was there."""

from data.records.core.record import Record
from data.records.mail.deciding import RejectReason


class RedraftWish(Record):
    """A rejected draft, and why."""

    reason: RejectReason
    note: str = ""
    """The person's words."""
    rejected: tuple[str, ...] = ()
    """The bodies that were offered before, oldest first."""
    language: str = ""
    """The language of the last one."""
