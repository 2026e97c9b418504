"""What a person wanted otherwise, when another draft was asked for."""

from data.records.deciding import RejectReason
from data.records.record import Record


class Wish(Record):
    """A rejected draft, and why."""

    reason: RejectReason
    note: str = ""
    """The person's words."""
    rejected: tuple[str, ...] = ()
    """The bodies that were offered before, oldest first."""
    language: str = ""
    """The language of the last one."""
