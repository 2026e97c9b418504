"""Which entries stand in the place of others or against them, and when."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from data.records.core.knowledge import KnowledgeEntry, Superseding


def with_successors(entries: Sequence[KnowledgeEntry]) -> list[KnowledgeEntry]:
    """Return the entries, each with those that supersede it, directly or by others.

    What takes the place of an entry stands in the place of all that this one had superseded, too,
    from the day on which each of those between began; whether they have ended does not matter, so
    that no long replaced entry comes back. Entries that nobody vouches for supersede nothing. Of
    entries that supersede each other in a circle none counts, else all of them would be gone.
    A part of an entry goes with it, unless the part belongs to what takes the place. Beside that
    each has the entries that contradict it, whichever of the two says so.
    """
    named = {entry.id: entry.supersedes for entry in entries if entry.trusted}
    replaces = {
        one: [other for other in others if one not in _reached(other, named)]
        for one, others in named.items()
    }
    known = {entry.id: entry for entry in entries}
    begins = {entry.id: entry.valid_from or date.min for entry in entries}
    by: dict[str, list[Superseding]] = {}
    for entry in entries:
        for other, since in _replaced(entry.id, replaces, begins).items():
            by.setdefault(other, []).append(_span(entry, since))
    wholes = {entry.id: entry.belongs_to for entry in entries}
    gone = {
        entry.id: (*by.get(entry.id, ()), *_with_wholes(entry.id, wholes, by)) for entry in entries
    }
    against = _against(known)
    return [
        entry.model_copy(
            update={
                "superseded": tuple(dict.fromkeys(gone[entry.id])),
                "contradicted": tuple(
                    _span(known[other], begins[other])
                    for other in against.get(entry.id, ())
                    if not any(span.by == entry.id for span in gone[other])
                    and not any(span.by == other for span in gone[entry.id])
                ),
            }
        )
        for entry in entries
    ]


def _span(entry: KnowledgeEntry, since: date) -> Superseding:
    return Superseding(
        by=entry.id, since=None if since == date.min else since, until=entry.valid_until
    )


def _with_wholes(
    part: str, wholes: Mapping[str, Iterable[str]], by: Mapping[str, Sequence[Superseding]]
) -> list[Superseding]:
    """Return what stands in the place of the entries that `part` belongs to, directly or not."""
    above = _reached(part, wholes) - {part}
    return [
        span
        for whole in sorted(above)
        for span in by.get(whole, ())
        if span.by != part and span.by not in above
    ]


def _against(known: Mapping[str, KnowledgeEntry]) -> dict[str, list[str]]:
    """Return for each entry those that contradict it, of entries that somebody vouches for."""
    found: dict[str, set[str]] = {}
    for entry in known.values():
        for other in entry.contradicts:
            if entry.trusted and other in known and known[other].trusted:
                found.setdefault(entry.id, set()).add(other)
                found.setdefault(other, set()).add(entry.id)
    return {name: sorted(others) for name, others in found.items()}


def in_force(entry: KnowledgeEntry, day: date) -> bool:
    """Return whether nothing stands in the entry's place on `day`."""
    return not any(other.holds(day) for other in entry.superseded)


def contradicted_on(entry: KnowledgeEntry, day: date, gone: Collection[str]) -> KnowledgeEntry:
    """Return the entry with those that contradict it on `day` and are not among those `gone`."""
    held = tuple(one for one in entry.contradicted if one.holds(day) and one.by not in gone)
    if held == entry.contradicted:
        return entry
    return entry.model_copy(update={"contradicted": held})


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
    """Return `start` and whatever it names, directly or by others."""
    found, waiting = {start}, [start]
    while waiting:
        for other in replaces.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
