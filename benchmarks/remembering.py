"""Recalling what was said: share of the evidence among the first ten, and silence where none is.

Takes the file of long conversations with questions and evidence (LoCoMo, CC BY-NC 4.0) by `--set`
or POSTERN_LOCOMO; it is only measured with. Each turn is an item of its conversation's layer, with
the turn before it as its context, and goes through the memory's own index and ranking.
"""

import argparse
import asyncio
import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from connectors.embedding import LocalEmbedder
from connectors.memory_index import MemoryIndex
from data.records.agents.memories import Layer, LayerKind, Memory, Provenance
from data.states import MemoryState
from data.store.agents import memories as store
from data.store.core.archive import Archive
from data.store.core.database import Connection, Database
from flows.agents.memory import Memories
from tasks.agents.remembering.ranking import (
    ENOUGH,
    measure_fit_of_people,
    measure_sureness,
    rank_all_matches,
)
from tasks.core.language.embedding import embed

NOW = datetime(2024, 1, 1, tzinfo=UTC)
KINDS = {1: "several turns", 2: "time", 3: "inference", 4: "one turn", 5: "never said"}
NEVER = 5
LOST = 0.1
"""Share of the questions with an answer that silence may cost."""
FIRST = 10


def layer_of(conversation: dict[str, Any]) -> Layer:
    """Return the layer of one conversation."""
    return Layer(kind=LayerKind.USER, owner=str(conversation["sample_id"]))


def turns_of(conversation: dict[str, Any]) -> Iterator[Memory]:
    """Yield each turn of a conversation as an item of memory."""
    said = conversation["conversation"]
    number = 1
    while f"session_{number}" in said:
        before = ""
        for turn in said[f"session_{number}"]:
            text = " ".join(filter(None, (turn["text"], turn.get("blip_caption", ""))))
            yield Memory(
                id=f"{conversation['sample_id']} {turn['dia_id']}",
                layer=layer_of(conversation).key,
                text=text[:4000],
                size=len(text),
                context=before,
                language="en",
                provenance=Provenance.PERSON,
                significance=0.5,
                state=MemoryState.CURRENT,
                count=1,
                author=turn["speaker"],
                author_name=turn["speaker"],
                first_at=NOW,
                last_at=NOW,
            )
            before = turn["text"][:1000]
        number += 1


async def measure(conversations: Sequence[dict[str, Any]], folder: Path) -> None:
    """Fill a memory with the conversations, ask every question, and print what came."""
    db = await asyncio.to_thread(Database.in_memory, "organization")
    memories = Memories(
        db=db,
        archive=Archive(folder / "archive"),
        index=MemoryIndex(folder / "memories.lance"),
        embedder=lambda: LocalEmbedder("local", embed),
        clock=lambda: NOW,
    )

    def fill(cursor: Connection) -> int:
        items = [item for one in conversations for item in turns_of(one)]
        for item in items:
            store.add(cursor, item, ())
        return len(items)

    print(f"{await db.write(fill)} turns of {len(conversations)} conversations")
    recalls: dict[int, list[float]] = defaultdict(list)
    sure: dict[bool, list[float]] = {True: [], False: []}
    ahead: dict[bool, list[bool]] = {True: [], False: []}
    for conversation in conversations:
        for asked in conversation["qa"]:
            found = await memories.candidates([layer_of(conversation)], asked["question"])
            best = rank_all_matches(found, NOW)
            wanted = {f"{conversation['sample_id']} {place}" for place in asked["evidence"]}
            answerable = asked["category"] != NEVER
            sure[answerable].append(measure_sureness(found, best))
            theirs, others = measure_fit_of_people(found, best)
            if found.query.names & found.people:
                ahead[answerable].append(theirs >= others)
            if wanted and answerable:
                first = {one.memory.id for one in best[:FIRST]}
                recalls[asked["category"]].append(len(first & wanted) / len(wanted))
    report(recalls, sure, ahead)
    await memories.index.close()
    await asyncio.to_thread(db.close)


def report(
    recalls: dict[int, list[float]],
    sure: dict[bool, list[float]],
    ahead: dict[bool, list[bool]],
) -> None:
    """Print shares."""
    every = [share for shares in recalls.values() for share in shares]
    print(f"evidence recall@{FIRST}: {np.mean(every):.3f} of {len(every)} questions")
    for kind, shares in sorted(recalls.items()):
        print(f"  {KINDS[kind]:14} {np.mean(shares):.3f} of {len(shares)}")
    known, never = np.array(sure[True]), np.array(sure[False])
    bar = float(np.quantile(known, LOST))
    print(
        f"silent on {np.mean(never < bar):.3f} of {len(never)} never said, "
        f"with {np.mean(known < bar):.3f} of {len(known)} answerable lost (bar {bar:.3f})"
    )
    print(
        f"as it is set ({ENOUGH}): silent on {np.mean(never < ENOUGH):.3f}, "
        f"lost {np.mean(known < ENOUGH):.3f}"
    )
    print(
        "own words fit as well as another's: "
        f"{np.mean(ahead[False]):.3f} of {len(ahead[False])} never said that name a person, "
        f"{np.mean(ahead[True]):.3f} of {len(ahead[True])} answerable"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", type=Path, default=os.environ.get("POSTERN_LOCOMO"))
    given = parser.parse_args()
    if given.set is None:
        print("name the file of conversations by --set or POSTERN_LOCOMO; nothing was measured")
        return
    conversations = json.loads(Path(given.set).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(conversations, Path(folder)))


if __name__ == "__main__":
    main()
