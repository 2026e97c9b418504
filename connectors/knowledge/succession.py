"""Which entries stand in the place of others, and when."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from data.records.knowledge import KnowledgeEntry, Superseding


def with_successors(entries: Sequence[KnowledgeEntry]) -> list[KnowledgeEntry]:
    """Return the entries, each with those that supersede it.

    Entries that nobody vouches for supersede nothing. Of entries that supersede each other in a
    circle none counts, else all of them would be gone.
    """
    replaces = {entry.id: entry.supersedes for entry in entries if entry.trusted}
    by: dict[str, list[Superseding]] = {}
    for entry in entries:
        for other in replaces.get(entry.id, ()):
            if entry.id not in _reached(other, replaces):
                span = Superseding(by=entry.id, since=entry.valid_from, until=entry.valid_until)
                by.setdefault(other, []).append(span)
    return [
        entry.model_copy(update={"superseded": tuple(by.get(entry.id, ()))}) for entry in entries
    ]


def in_force(entry: KnowledgeEntry, day: date) -> bool:
    """Return whether nothing stands in the entry's place on `day`."""
    return not any(other.holds(day) for other in entry.superseded)


def _reached(start: str, replaces: Mapping[str, Iterable[str]]) -> set[str]:
    """Return `start` and whatever it supersedes, directly or by others."""
    found, waiting = {start}, [start]
    while waiting:
        for other in replaces.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
