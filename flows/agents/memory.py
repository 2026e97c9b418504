"""The memory of agents: to remember, recall and forget in layers (docs/agents.md#memory).

Nothing is read without layers; which they are, `flows.agents.memory_layers` says.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from connectors.embedding import Embedder
from connectors.memory_index import IndexedMemory, MemoryIndex, Vectors
from data.errors import OutsideError, StoreError
from data.ids import new_id
from data.records.agents.memories import (
    INLINE,
    STRANGERS,
    Candidate,
    Layer,
    LayerKind,
    Memory,
    Provenance,
    Recall,
    Remembered,
    layer_of,
    least_trusted,
)
from data.records.core.occasions import Occasion
from data.records.core.tools import Label
from data.states import MemoryState
from data.store.agents import memories as store
from data.store.agents import memory_joins, memory_uses
from data.store.core import leftovers
from data.store.core.archive import Archive
from data.store.core.database import Connection, Database
from data.strategy_format import WHOLE, MemoryShare
from flows.agents.memory_layers import list_readable_layers
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.agents.remembering.budgets import build_layer_texts, choose_items
from tasks.agents.remembering.comparing import compare_candidate
from tasks.agents.remembering.ranking import MemoryMatches, document_of, query_of, rank_matches
from tasks.agents.statement import parse_statement
from tasks.core.leaks.sensitive import why_sensitive

log = logging.getLogger("postern.memory")
NO_VECTOR: Vectors = np.zeros(0, dtype=np.float32)
_SHARED = (set(Memory.model_fields) & set(Candidate.model_fields)) - {"layer", "text"}
DRAWN, DRAWN_BY_WORDS = 60, 120
"""Items that vectors, and words, bring before they are ranked."""


@dataclass(frozen=True)
class Memories:
    """The memory of one organization."""

    db: Database
    archive: Archive
    index: MemoryIndex
    embedder: Callable[[], Embedder]
    clock: Callable[[], datetime]

    async def remember(
        self,
        candidate: Candidate,
        layers: Sequence[Layer] = (),
        then: Callable[[Connection, Remembered], None] | None = None,
    ) -> Remembered:
        """Remember something, unless it is known, or is nothing that may be kept.

        `layers` are the layers of the items that it was made from; `then` is done in the same
        transaction with what came of it.
        """
        if why := why_sensitive(f"{candidate.text}\n{candidate.context}"):
            return Remembered(outcome="refused", why=f"{why}; such things are never remembered")
        spilled = await self.spill_text(candidate.text)
        ready = await asyncio.to_thread(understand_candidate, candidate)

        def work(cursor: Connection) -> Remembered:
            remembered = keep_candidate(cursor, ready, layers, spilled, self.clock())
            if then is not None:
                then(cursor, remembered)
            return remembered

        return await self.db.write(work)

    async def spill_text(self, text: str) -> str:
        """Keep a text in the archive where the state has no room; return its hash, or nothing.

        Until a row names it, it is noted as nobody's.
        """
        content = text.encode()
        if len(content) <= INLINE:
            return ""
        await self.db.write(leftovers.note, [self.archive.key_of(content)], self.clock())
        (spilled,) = await asyncio.to_thread(self.archive.keep, [content])
        return spilled

    async def recall(
        self, layers: Sequence[Layer], question: str, limit: int = 10, now: datetime | None = None
    ) -> Recall:
        """Return what is known of a question in these layers, best first; nothing where none fits.

        Where the index fails, nothing is recalled, and the log says so.
        """
        try:
            candidates = await self.find_matches(layers, question)
        except StoreError as error:
            log.warning("nothing can be recalled: %s", error)
            await self.index.forget()
            return Recall(asked=question)
        best = await asyncio.to_thread(rank_matches, candidates, now or self.clock(), limit)
        return Recall(asked=question, items=best)

    async def find_matches(self, layers: Sequence[Layer], question: str) -> MemoryMatches:
        """Return what words and vectors bring of these layers, before it is ranked.

        Raises:
            StoreError: the index failed.

        """
        query = query_of(question)
        keys = [layer.key for layer in layers]
        async with self.index.lock:
            await self._update_index()
        words = await self.index.search_words(query.tokens, keys, DRAWN_BY_WORDS)
        near = await self.index.search_vector(await self._embed_question(question), keys, DRAWN)
        items = await self.db.read(store.find_current, layers, sorted({*words, *near}))
        return MemoryMatches(query=query, items=tuple(items.values()), words=words, likeness=near)

    async def read_whole_text(self, item: Memory) -> str:
        """Return the whole text of an item."""
        if not item.spilled:
            return item.text
        return (await asyncio.to_thread(self.archive.read, item.spilled)).decode()

    async def delete(self, layers: Sequence[Layer], ids: Sequence[str]) -> None:
        """Delete items of these layers with those that they stand for, and what they rest on.

        Their words in the index go too.
        """
        every, spilled = await self.db.write(_delete_joined, layers, ids, self.clock())
        if spilled:
            await self.db.write(leftovers.remove_now, self.archive.remove, spilled)
        async with self.index.lock:
            await self._update_index()
            await self.index.remove(every)
            await self.index.compact()

    async def _update_index(self) -> None:
        """Bring the index to what the state holds now; called under its lock."""
        embedder = self.embedder()
        newest = await self.db.read(store.read_newest_revision)
        if self.index.revision == newest:
            return
        after, stale = self.index.revision, set[str]()
        if after < 0:
            revisions = await self.index.revisions(embedder.name)
            stored_revisions = await self.db.read(store.list_revisions)
            await self.index.remove(revisions.keys() - stored_revisions.keys())
            stale = {name for name, at in stored_revisions.items() if revisions.get(name) != at}
        changed = await self.db.read(store.list_changed_after, after)
        if after < 0:
            changed = [item for item in changed if item.id in stale]
        current = [item for item in changed if item.state is MemoryState.CURRENT]
        await self.index.remove([item.id for item in changed if item not in current])
        if current:
            texts = [item.text for item in current]
            try:
                vectors = await asyncio.to_thread(embedder.documents, texts)
            except OutsideError as error:
                log.warning("what was remembered since is not found for now: %s", error)
                return
            rows = [
                IndexedMemory(item.id, item.layer, item.revision, document_of(item))
                for item in current
            ]
            await self.index.put(rows, vectors, embedder.name)
        self.index.revision = newest

    async def _embed_question(self, question: str) -> Vectors:
        try:
            vectors = await asyncio.to_thread(self.embedder().queries, [question])
        except OutsideError as error:
            log.warning("memories are searched by words alone: %s", error)
            return NO_VECTOR
        first: Vectors = vectors[0]
        return first


def _delete_joined(
    cursor: Connection, layers: Sequence[Layer], ids: Sequence[str], now: datetime
) -> tuple[list[str], list[str]]:
    """Delete items and those that they stand for; return their ids, and what the archive loses."""
    every = list(ids)
    for memory_id in ids:
        every += [item.id for item in memory_joins.list_joined(cursor, layers, memory_id)]
    return every, store.delete(cursor, layers, every, now)


def understand_candidate(candidate: Candidate) -> Candidate:
    """Return a candidate with what it says of what, as far as that is understood."""
    if candidate.slot:
        return candidate
    statement = parse_statement(candidate.text)
    fields = statement.model_dump(exclude={"denied"})
    return candidate.model_copy(update=fields)


def keep_candidate(
    cursor: Connection, candidate: Candidate, layers: Sequence[Layer], spilled: str, now: datetime
) -> Remembered:
    """Write a candidate as what it is to the items of its layer."""
    comparison = compare_candidate(candidate, store.list_comparable(cursor, candidate.layer))
    if comparison.again is not None:
        return _note_said_again(cursor, candidate, comparison.again, now)
    if (since := comparison.replaced) is not None and _is_earlier(cursor, candidate, since):
        return _keep_earlier(cursor, candidate, since, spilled, now)
    classes = [evidence_item.provenance for evidence_item in candidate.evidence]
    classes += map(Provenance, store.list_provenances(cursor, layers, candidate.lineage))
    provenance = least_trusted(classes)
    wide = candidate.layer.kind in (LayerKind.TEAM, LayerKind.ORGANIZATION)
    asks = candidate.needs_yes or comparison.asks or (wide and provenance in STRANGERS)
    item = build_item(candidate, provenance, asks=asks, spilled=spilled, now=now)
    item = store.add(cursor, item, candidate.evidence, candidate.lineage)
    if asks:
        return Remembered(outcome="proposed", memory=item)
    if (before := comparison.replaced) is not None:
        before = store.set_state(cursor, before, MemoryState.SUPERSEDED, now, item.id)
        return Remembered(outcome="superseded", memory=item, before=before)
    return Remembered(outcome="added", memory=item)


def _is_earlier(cursor: Connection, candidate: Candidate, since: Memory) -> bool:
    """Return whether a candidate was said before the words that an item rests on."""
    at = [evidence_item.said_at for evidence_item in candidate.evidence]
    rests_on = store.list_evidence(cursor, (candidate.layer,), since.id)
    return bool(at and rests_on) and max(at) < rests_on[-1].said_at


def _keep_earlier(
    cursor: Connection, candidate: Candidate, since: Memory, spilled: str, now: datetime
) -> Remembered:
    """Keep what was said earlier and is read later as what held before, once."""
    for earlier in store.list_earlier(cursor, (candidate.layer,), since):
        if earlier.text == candidate.text:
            return Remembered(outcome="superseded", memory=since, before=earlier)
    provenance = least_trusted([evidence_item.provenance for evidence_item in candidate.evidence])
    item = build_item(candidate, provenance, asks=False, spilled=spilled, now=now)
    closed = {"state": MemoryState.SUPERSEDED, "closed_at": now, "closed_by": since.id}
    item = store.add(cursor, item.model_copy(update=closed), candidate.evidence, candidate.lineage)
    return Remembered(outcome="superseded", memory=since, before=item)


def _note_said_again(
    cursor: Connection, candidate: Candidate, again: Memory, now: datetime
) -> Remembered:
    if again.state is MemoryState.REJECTED:
        return Remembered(outcome="refused", why="a person has said no to it")
    if any(
        store.has_evidence(cursor, again.id, evidence_item.message_id)
        for evidence_item in candidate.evidence
    ):
        return Remembered(outcome="counted", memory=again)
    counted = store.note_repeated(cursor, again, now)
    store.add_evidence(cursor, again.id, candidate.evidence)
    if again.state is MemoryState.PROPOSED and candidate.explicit and not candidate.needs_yes:
        return Remembered(outcome="added", memory=accept_proposed(cursor, counted, now))
    return Remembered(outcome="counted", memory=counted)


def accept_proposed(cursor: Connection, proposed: Memory, now: datetime) -> Memory:
    """Let a proposed item count; what it contradicts ends.

    Raises:
        ConflictError: it was decided meanwhile.

    """
    accepted = store.set_state(cursor, proposed, MemoryState.CURRENT, now)
    end_others(cursor, accepted, now)
    return accepted


def end_others(cursor: Connection, holds: Memory, now: datetime) -> None:
    """End what a layer knows beside an item that takes its place: a thing has one value."""
    if not (holds.replaces and holds.slot):
        return
    for item in store.list_comparable(cursor, layer_of(holds.layer)):
        same = (item.subject, item.slot) == (holds.subject, holds.slot)
        if same and item.state is MemoryState.CURRENT and item.id != holds.id:
            store.set_state(cursor, item, MemoryState.SUPERSEDED, now, holds.id)


def hand_over_layer(cursor: Connection, source: Layer, target: Layer, now: datetime) -> int:
    """Give everything of a layer into another's custody; return how many items that are.

    What the other layer knows of the same thing goes before: the item is kept as what held
    earlier. What strangers' words brought waits for a yes of those who know it from now on.
    """
    there = store.list_comparable(cursor, target)
    for item in store.list_comparable(cursor, source):
        if item.state is not MemoryState.CURRENT:
            continue
        evidence = store.list_evidence(cursor, (source,), item.id)
        shared = item.model_dump(include=_SHARED)
        comparison = compare_candidate(
            Candidate(**shared, layer=target, text=item.text, evidence=evidence), there
        )
        if (holder := comparison.again or comparison.replaced) is not None:
            store.set_state(cursor, item, MemoryState.SUPERSEDED, now, holder.id)
        elif item.provenance in STRANGERS:
            store.set_state(cursor, item, MemoryState.PROPOSED, now)
    return store.hand_over_layer(cursor, source, target, now)


def build_item(
    candidate: Candidate, provenance: Provenance, *, asks: bool, spilled: str, now: datetime
) -> Memory:
    """Return a candidate as a new item."""
    size = len(candidate.text.encode())
    text = candidate.text.encode()[:INLINE].decode(errors="ignore") if spilled else candidate.text
    shared = candidate.model_dump(include=_SHARED)
    return Memory(
        **shared,
        id=new_id(now),
        layer=candidate.layer.key,
        text=text,
        size=size,
        spilled=spilled,
        provenance=provenance,
        state=MemoryState.PROPOSED if asks else MemoryState.CURRENT,
        asked_of=candidate.layer.key if asks else "",
        count=1,
        first_at=now,
        last_at=now,
    )


def build_memories(house: House, workspace: Workspace) -> Memories:
    """Return the memory of an organization."""
    return Memories(
        db=workspace.db,
        archive=workspace.archive,
        index=workspace.memory_index,
        embedder=lambda: house.embedder,
        clock=house.clock,
    )


class KnownLayers(NamedTuple):
    """What is told to who thinks of what is remembered."""

    texts: dict[str, str]
    """A text for each layer, by its key."""
    labels: frozenset[Label]
    """What these texts bring into a turn."""


async def recall_layers(
    house: House,
    workspace: Workspace,
    occasion: Occasion,
    question: str,
    share: MemoryShare = WHOLE,
) -> KnownLayers:
    """Return what may be told to who thinks on an occasion, within a share of what there is.

    What fits the question goes first, then what a person prefers. Texts are within the budgets of
    `tasks.agents.remembering.budgets`; a layer of which nothing is told is not there.
    """
    layers = [layer for layer in list_readable_layers(occasion) if share.most(layer.kind)]
    recall = await build_memories(house, workspace).recall(layers, question, limit=DRAWN)
    fitting = [recalled_item.memory for recalled_item in recall.items]
    preferred = await workspace.db.read(store.list_preferences, layers, limit=DRAWN)
    every = {item.id: item for item in (*fitting, *preferred)}
    strange = any(item.provenance in STRANGERS for item in every.values())
    labels = frozenset({Label.PRIVATE, Label.UNTRUSTED} if strange else {Label.PRIVATE})
    uses = await workspace.db.read(memory_uses.read_last_uses, every)
    chosen = choose_items(every.values(), share, uses)
    zone = ZoneInfo(workspace.organization.timezone)
    used = [item.id for items in chosen.values() for item in items]
    await workspace.db.write(memory_uses.mark_used, used, house.clock())
    return KnownLayers(build_layer_texts(chosen, zone), labels if every else frozenset())
