"""Syncs of an organization's files, and what came of each."""

from pydantic import AwareDatetime

from data.records.core.record import Record


class SyncEntry(Record):
    """One loading of the files."""

    synced_at: AwareDatetime
    changed: bool
    """Whether something was carried on."""
    errors: tuple[str, ...] = ()
    """A sentence for each file or line that cannot be used; what was loaded before stays."""
    warnings: tuple[str, ...] = ()
    """What is doubtful."""


class SyncList(Record):
    """The last ones, the newest first."""

    items: tuple[SyncEntry, ...]


class SyncTold(Record):
    """What came of a sync that somebody asked for."""

    changed: bool
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
