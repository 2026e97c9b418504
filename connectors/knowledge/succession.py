"""Succession of entries: those that replace or contradict others, and from which day."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from data.records.core.knowledge import KnowledgeEntry, Superseding


def with_successors(entries: Sequence[KnowledgeEntry]) -> list[KnowledgeEntry]:
    """Return copies of the entries, each with what supersedes it and with what contradicts it.

    If A supersedes B and B supersedes C, then A supersedes C too, from the later of the days on
    which A and B begin. Whether B has ended does not matter; otherwise C would come back. Entries
    that nobody vouches for supersede nothing. Links that lead round in a circle are ignored, or
    every entry of it would be gone. A part is superseded with its whole, unless it belongs to the
    successor too. Of two entries that contradict each other, either may say so.
    """
    begins = {entry.id: entry.valid_from or date.min for entry in entries}
    superseders = _superseders_by_id(entries, begins)
    entry_by_id = {entry.id: entry for entry in entries}
    contradicting_ids = _contradicting_ids(entry_by_id)
    return [
        entry.model_copy(
            update={
                "superseded": tuple(dict.fromkeys(superseders[entry.id])),
                "contradicted": tuple(
                    _span(entry_by_id[other], begins[other])
                    for other in contradicting_ids.get(entry.id, ())
                    if not any(span.by == entry.id for span in superseders[other])
                    and not any(span.by == other for span in superseders[entry.id])
                ),
            }
        )
        for entry in entries
    ]


def _superseders_by_id(
    entries: Sequence[KnowledgeEntry], begins: Mapping[str, date]
) -> dict[str, tuple[Superseding, ...]]:
    """Return for each entry what supersedes it, by itself or with an entry that it belongs to."""
    links = _without_circles({entry.id: entry.supersedes for entry in entries if entry.trusted})
    own: dict[str, list[Superseding]] = {}
    for entry in entries:
        for other, since in _superseded_since(entry.id, links, begins).items():
            own.setdefault(other, []).append(_span(entry, since))
    wholes = {entry.id: entry.belongs_to for entry in entries}
    return {
        entry.id: (*own.get(entry.id, ()), *_superseders_of_wholes(entry.id, wholes, own))
        for entry in entries
    }


def _without_circles(links: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the links without those that lead back to where they begin."""
    return {
        start: [end for end in ends if start not in _reachable_from(end, links)]
        for start, ends in links.items()
    }


def _span(entry: KnowledgeEntry, since: date) -> Superseding:
    return Superseding(
        by=entry.id, since=None if since == date.min else since, until=entry.valid_until
    )


def _superseders_of_wholes(
    part: str, wholes: Mapping[str, Iterable[str]], own: Mapping[str, Sequence[Superseding]]
) -> list[Superseding]:
    """Return what supersedes the entries that `part` belongs to, directly or through others."""
    above = _reachable_from(part, wholes) - {part}
    return [
        span
        for whole in sorted(above)
        for span in own.get(whole, ())
        if span.by != part and span.by not in above
    ]


def _contradicting_ids(entry_by_id: Mapping[str, KnowledgeEntry]) -> dict[str, list[str]]:
    """Return for each entry those that contradict it, of entries that somebody vouches for."""
    contradicting: dict[str, set[str]] = {}
    for entry in entry_by_id.values():
        for other in entry.contradicts:
            if entry.trusted and other in entry_by_id and entry_by_id[other].trusted:
                contradicting.setdefault(entry.id, set()).add(other)
                contradicting.setdefault(other, set()).add(entry.id)
    return {name: sorted(others) for name, others in contradicting.items()}


def in_force(entry: KnowledgeEntry, day: date) -> bool:
    """Return whether nothing supersedes the entry on `day`; its own days are not looked at."""
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


def _superseded_since(
    start: str, links: Mapping[str, Iterable[str]], begins: Mapping[str, date]
) -> dict[str, date]:
    """Return whatever `start` supersedes, directly or through others, and from which day on."""
    day_by_id: dict[str, date] = {}
    waiting = [(start, begins[start])]
    while waiting:
        name, since = waiting.pop()
        for other in links.get(name, ()):
            if other not in day_by_id or since < day_by_id[other]:
                day_by_id[other] = since
                waiting.append((other, max(since, begins.get(other, date.min))))
    return day_by_id


def _reachable_from(start: str, links: Mapping[str, Iterable[str]]) -> set[str]:
    """Return `start` and whatever the links lead to from there."""
    reached, waiting = {start}, [start]
    while waiting:
        for other in links.get(waiting.pop(), ()):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
