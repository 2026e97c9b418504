"""The difference between two versions of anything that is kept as text."""

from data.records.core.record import Record


class VersionDiff(Record):
    """Two versions, compared."""

    before: int
    """0 stands for nothing, before there was any."""
    after: int
    lines: tuple[str, ...]
    """Lines of a diff without its head; empty where both say the same."""
