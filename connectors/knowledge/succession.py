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
    superseded_ids = {entry.id: entry.supersedes for entry in entries if entry.trusted}
    replaces = {
        one: [other for other in others if one not in _reached(other, superseded_ids)]
        for one, others in superseded_ids.items()
    }
    entry_by_id = {entry.id: entry for entry in entries}
    begins = {entry.id: entry.valid_from or date.min for entry in entries}
    by: dict[str, list[Superseding]] = {}
    for entry in entries:
        for other, since in _replaced(entry.id, replaces, begins).items():
            by.setdefault(other, []).append(_span(entry, since))
    wholes = {entry.id: entry.belongs_to for entry in entries}
    superseded_by = {
        entry.id: (*by.get(entry.id, ()), *_with_wholes(entry.id, wholes, by)) for entry in entries
    }
    against = _against(entry_by_id)
    return [
        entry.model_copy(
            update={
                "superseded": tuple(dict.fromkeys(superseded_by[entry.id])),
                "contradicted": tuple(
                    _span(entry_by_id[other], begins[other])
                    for other in against.get(entry.id, ())
                    if not any(span.by == entry.id for span in superseded_by[other])
                    and not any(span.by == other for span in superseded_by[entry.id])
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


def _against(entry_by_id: Mapping[str, KnowledgeEntry]) -> dict[str, list[str]]:
    """Return for each entry those that contradict it, of entries that somebody vouches for."""
    contradicting: dict[str, set[str]] = {}
    for entry in entry_by_id.values():
        for other in entry.contradicts:
            if entry.trusted and other in entry_by_id and entry_by_id[other].trusted:
                contradicting.setdefault(entry.id, set()).add(other)
                contradicting.setdefault(other, set()).add(entry.id)
    return {name: sorted(others) for name, others in contradicting.items()}


def in_force(entry: KnowledgeEntry, day: date) -> bool:
    """Return whether nothing stands in the entry's place on `day`."""
    return not any(other.holds(day) for other in entry.superseded)


def contradicted_on(entry: KnowledgeEntry, day: date, gone_ids: Collection[str]) -> KnowledgeEntry:
    """Return the entry with what contradicts it on `day` and is not among `gone_ids`."""
    contradictions = tuple(
        contradiction
        for contradiction in entry.contradicted
        if contradiction.holds(day) and contradiction.by not in gone_ids
    )
    if contradictions == entry.contradicted:
        return entry
    return entry.model_copy(update={"contradicted": contradictions})


def _replaced(
    start: str, replaces: Mapping[str, Iterable[str]], begins: Mapping[str, date]
) -> dict[str, date]:
    """Return whatever `start` supersedes, directly or by others, and from which day on."""
    replaced_from: dict[str, date] = {}
    waiting = [(start, begins[start])]
    while waiting:
        name, since = waiting.pop()
        for other in replaces.get(name, ()):
            if other not in replaced_from or since < replaced_from[other]:
                replaced_from[other] = since
                waiting.append((other, max(since, begins.get(other, date.min))))
    return replaced_from


def _reached(start: str, replaces: Mapping[str, Iterable[str]]) -> set[str]:
    """Return `start` and whatever it names, directly or by others."""
    reached, waiting = {start}, [start]
    while waiting:
        for other in replaces.get(waiting.pop(), ()):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
