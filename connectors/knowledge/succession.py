"""Which entries stand in the place of others, and when."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from data.records.knowledge import KnowledgeEntry, Superseding


def with_successors(entries: Sequence[KnowledgeEntry]) -> list[KnowledgeEntry]:
    """Return the entries, each with those that supersede it, directly or by others.

    What takes the place of an entry stands in the place of all that this one had superseded, too,
    from the day on which each of those between began; whether they have ended does not matter, so
    that no long replaced entry comes back. Entries that nobody vouches for supersede nothing. Of
    entries that supersede each other in a circle none counts, else all of them would be gone.
    """
    named = {entry.id: entry.supersedes for entry in entries if entry.trusted}
    replaces = {
        one: [other for other in others if one not in _reached(other, named)]
        for one, others in named.items()
    }
    begins = {entry.id: entry.valid_from or date.min for entry in entries}
    by: dict[str, list[Superseding]] = {}
    for entry in entries:
        for other, since in _replaced(entry.id, replaces, begins).items():
            span = Superseding(
                by=entry.id, since=None if since == date.min else since, until=entry.valid_until
            )
            by.setdefault(other, []).append(span)
    return [
        entry.model_copy(update={"superseded": tuple(by.get(entry.id, ()))}) for entry in entries
    ]


def in_force(entry: KnowledgeEntry, day: date) -> bool:
    """Return whether nothing stands in the entry's place on `day`."""
    return not any(other.holds(day) for other in entry.superseded)


def _replaced(
    start: str, replaces: Mapping[str, Iterable[str]], begins: Mapping[str, date]
) -> dict[str, date]:
    """Return whatever `start` supersedes, directly or by others, and from which day on."""
    found: dict[str, date] = {}
    waiting = [(start, begins[start])]
    while waiting:
        name, since = waiting.pop()
        for other in replaces.get(name, ()):
            if other not in found or since < found[other]:
                found[other] = since
                waiting.append((other, max(since, begins.get(other, date.min))))
    return found


def _reached(start: str, replaces: Mapping[str, Iterable[str]]) -> set[str]:
    """Return `start` and whatever it supersedes, directly or by others."""
    found, waiting = {start}, [start]
    while waiting:
        for other in replaces.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
