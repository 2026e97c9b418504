"""All knowledge of an organization: its files, what is kept here, and what people accepted."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date, datetime

from connectors.knowledge.succession import in_force, with_successors
from data.manifest_files import content_hash
from data.records.core.knowledge import KnowledgeEntry, is_valid
from data.store.core import kept_knowledge, knowing, learned
from data.store.core.database import Connection
from data.store.core.loaded import read_knowledge
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.mail.context.conflicts import conflicts

LEARNED = "learned"
"""Name of the learned entries among the sources that `sync` carries on."""

Warned = tuple[str, tuple[str, ...]]
"""A sentence, and the ids of the entries that it is about."""


def known_entries(cursor: Connection, day_of: Callable[[datetime], date]) -> list[KnowledgeEntry]:
    """Return what is written, here and in files, and what was learned and a person accepted.

    What is kept here counts before a file's entry of the same id, and that before a learned one.
    `day_of` tells the day of a moment by the organization's clock.
    """
    written = kept_knowledge.overlay_entries(cursor, read_knowledge(cursor))
    written_ids = {entry.id for entry in written}
    accepted = [entry for entry in learned.list_for_index(cursor, day_of) if entry.trusted]
    return [*written, *(entry for entry in accepted if entry.id not in written_ids)]


def known_ids(cursor: Connection) -> set[str]:
    """Return the ids of all that is known."""
    return {entry.id for entry in known_entries(cursor, datetime.date)}


def learned_version(cursor: Connection) -> str:
    """Return a hash of what counts beside the files: what is kept here, and what was learned."""
    accepted = [entry for entry in learned.list_for_index(cursor, datetime.date) if entry.trusted]
    numbered_ids = [(row.id, row.number) for row in kept_knowledge.read_newest(cursor).values()]
    return content_hash([entry.model_dump(mode="json") for entry in accepted], numbered_ids)


async def refresh(workspace: Workspace) -> None:
    """Bring the index up to what is known; only what has changed is embedded.

    Raises:
        OutsideError: the embedder does not answer; the next sync does it.

    """
    async with workspace.knowledge_lock:
        entries = await workspace.db.read(known_entries, workspace.organization.day)
        await workspace.knowledge.keep(entries)


async def carry_knowledge(house: House, workspace: Workspace, changed: bool) -> list[str]:
    """Bring the index up to what is known if it has to be; return what does not fit together.

    Entries begin and end to be valid from day to day, so it is looked for at every sync.
    """
    async with workspace.knowledge_lock:
        entries = await workspace.db.read(known_entries, workspace.organization.day)
        index = workspace.knowledge
        if changed or await index.count() != len(entries) or index.stale:
            await index.keep(entries)
    misfits_read = await asyncio.to_thread(
        list_misfits, entries, workspace.organization.day(house.clock())
    )

    def note(cursor: Connection) -> None:
        knowing.replace_warnings(cursor, misfits_read, house.clock())
        knowing.forget_unknown(cursor, {entry.id for entry in entries})

    await workspace.db.write(note)
    return [sentence for sentence, _ in misfits_read]


def list_misfits(entries: Sequence[KnowledgeEntry], today: date) -> list[Warned]:
    """Return what does not fit together: unknown or circular successions, contradictions."""
    ids = {entry.id for entry in entries}
    entries = with_successors(entries)
    by = {(entry.id, other.by) for entry in entries for other in entry.superseded}
    warned: list[Warned] = []
    for entry in entries:
        for other in entry.supersedes:
            if other not in ids:
                sentence = f"{entry.id!r} supersedes {other!r}, which does not exist; mend the name"
                warned.append((sentence, (entry.id,)))
            elif entry.trusted and (other, entry.id) not in by:
                sentence = (
                    f"{entry.id!r} and {other!r} supersede each other; neither does until mended"
                )
                warned.append((sentence, (entry.id, other)))
        for other in (*entry.belongs_to, *entry.contradicts):
            if other not in ids:
                sentence = f"{entry.id!r} names {other!r}, which does not exist; mend the name"
                warned.append((sentence, (entry.id,)))
    warned += _stated(entries, today)
    for clash in conflicts(entries, today):
        sentence = (
            f"{clash.one!r} says “{clash.said}”, {clash.other!r} says “{clash.against}”; "
            "mend one of them, or let one supersede the other"
        )
        warned.append((sentence, (clash.one, clash.other)))
    return warned


def _stated(entries: Sequence[KnowledgeEntry], today: date) -> list[Warned]:
    """Return the contradictions that entries themselves state, while both hold."""
    alive = {
        entry.id
        for entry in entries
        if is_valid(entry.valid_from, entry.valid_until, today) and in_force(entry, today)
    }
    pairs = {
        tuple(sorted((entry.id, span.by)))
        for entry in entries
        for span in entry.contradicted
        if {entry.id, span.by} <= alive
    }
    return [
        (
            f"{one!r} and {other!r} contradict each other, as their files say; drafts that rest on "
            "either wait for a person until one supersedes the other",
            (one, other),
        )
        for one, other in sorted(pairs)
    ]
