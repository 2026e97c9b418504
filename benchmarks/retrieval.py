"""Finding knowledge: recall@5 and mean reciprocal rank of each local choice; the time of a query.

The set (`sets/retrieval.yaml`) asks for each of its entries in four ways: with its words, without a
shared word, with typing errors, and in another language. Speed is measured over 20,000 entries
made of the same words, in batches of 32 queries.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import yaml

from connectors.embedding import LocalEmbedder, Vectors
from connectors.knowledge import KnowledgeIndex
from data.records.core.knowledge import KnowledgeEntry
from data.word_vectors import word_vectors
from tasks.core.language.embedding import embed
from tasks.core.language.english_bridge import bridge
from tasks.core.words.letters import embed_letters

SET = Path(__file__).parent / "sets" / "retrieval.yaml"
KINDS = ("same words", "no shared word", "typing errors", "other language")
TODAY = date(2026, 3, 4)
BATCH = 32

Embed = Callable[[Sequence[str]], Vectors]
CHOICES: dict[str, Embed] = {
    "letters": embed_letters,
    "word vectors": lambda texts: word_vectors().embed(texts),
    "word vectors, bridged": lambda texts: word_vectors().embed(bridge(texts)),
    "both, bridged": embed,
}


def read() -> tuple[list[KnowledgeEntry], list[list[str]]]:
    """Return the entries, and the queries for them by kind, in the order of the entries."""
    made = yaml.safe_load(SET.read_text(encoding="utf-8"))["entries"]
    entries = [KnowledgeEntry(id=i, title=row[0], body=row[1]) for i, row in made.items()]
    return entries, [[row[2 + kind] for row in made.values()] for kind in range(len(KINDS))]


def ranks_by_vectors(
    choice: Embed, entries: Sequence[KnowledgeEntry], queries: Sequence[str]
) -> list[int]:
    """Return the place of each query's own entry among all, from 0, by vectors alone."""
    documents = choice([f"{entry.title} . {entry.body}" for entry in entries])
    likeness = choice(queries) @ documents.T
    return [int((row > row[place]).sum()) for place, row in enumerate(likeness)]


async def ranks_by_index(
    index: KnowledgeIndex, entries: Sequence[KnowledgeEntry], queries: Sequence[str]
) -> list[int]:
    """Return the same for the index: vectors and full text, fused."""
    found = await index.search(queries, limit=10, today=TODAY)
    places = []
    for entry, hits in zip(entries, found, strict=True):
        names = [hit.id for hit, _ in hits]
        places.append(names.index(entry.id) if entry.id in names else 10**6)
    return places


def line(name: str, ranks: Sequence[Sequence[int]]) -> str:
    """Return one row of the table: recall@5 and MRR by kind."""
    cells = [
        f"{np.mean([place < 5 for place in places]):.2f}/"
        f"{np.mean([1 / (1 + place) for place in places]):.2f}"
        for places in ranks
    ]
    return f"  {name:26}" + "".join(f"{cell:>16}" for cell in cells)


async def quality(folder: Path) -> None:
    """Print the table of quality."""
    entries, queries = read()
    print(f"recall@5 / MRR over {len(entries)} entries, {len(KINDS)} questions each")
    print(" " * 28 + "".join(f"{kind:>16}" for kind in KINDS))
    for name, choice in CHOICES.items():
        print(line(name, [ranks_by_vectors(choice, entries, asked) for asked in queries]))
    for name in ("letters", "both, bridged"):
        place = folder / name.replace(" ", "-")
        index = await KnowledgeIndex.open(place, LocalEmbedder(name, CHOICES[name]))
        await index.replace(entries)
        ranks = [await ranks_by_index(index, entries, asked) for asked in queries]
        print(line(f"index: {name}", ranks))
        await index.close()


def many(count: int) -> list[KnowledgeEntry]:
    """Return `count` entries made of the set's own words, the same every time."""
    entries, _ = read()
    rng = random.Random(7)  # a benchmark's words are no secret
    words = [word for entry in entries for word in entry.body.split()]
    return [
        KnowledgeEntry(
            id=f"entry-{number}",
            title=" ".join(rng.sample(words, 4)),
            body=" ".join(rng.choices(words, k=40)),
        )
        for number in range(count)
    ]


async def speed(folder: Path, count: int) -> None:
    """Print the time of a query in batches of 32."""
    index = await KnowledgeIndex.open(folder / "speed", LocalEmbedder("local", embed))
    began = time.perf_counter()
    await index.replace(many(count))
    built = time.perf_counter() - began
    _, queries = read()
    asked = [query for kind in queries for query in kind]
    taken = []
    for at in range(0, len(asked) - BATCH + 1, BATCH):
        began = time.perf_counter()
        await index.search(asked[at : at + BATCH], limit=10, today=TODAY)
        taken.append((time.perf_counter() - began) * 1000 / BATCH)
    await index.close()
    print(f"{count:,} entries: made in {built:.1f} s ({count / built:,.0f} entries a second)")
    print(
        f"  a query in batches of {BATCH}: median {np.median(taken):.2f} ms, "
        f"slowest batch {max(taken):.2f} ms"
    )


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--entries", type=int, default=20_000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(quality(Path(folder)))
        asyncio.run(speed(Path(folder), given.entries))


if __name__ == "__main__":
    main()
