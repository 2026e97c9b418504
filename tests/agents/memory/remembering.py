"""Memory over a tiny organization's state, for tests of what is remembered and recalled."""

from collections.abc import Sequence
from datetime import datetime

from data.records.agents.memories import (
    Candidate,
    Evidence,
    Layer,
    LayerKind,
    Provenance,
    Remembered,
)
from flows.agents.memory import Memories
from tests.core.small import Line

IDA = Layer(kind=LayerKind.USER, owner="user-ida")


async def say(
    memories: Memories,
    text: str,
    layer: Layer = IDA,
    *,
    provenance: Provenance = Provenance.PERSON,
    explicit: bool = False,
    corrected: bool = False,
    needs_yes: bool = False,
    author: str = "Ida",
    kind: str = "fact",
    lineage: tuple[str, ...] = (),
    seen: Sequence[Layer] = (),
    said_at: datetime | None = None,
) -> Remembered:
    """Remember what somebody says."""
    evidence = Evidence(
        words=text, said_by=author, provenance=provenance, said_at=said_at or memories.clock()
    )
    return await memories.remember(
        Candidate(
            layer=layer,
            text=text,
            kind=kind,
            explicit=explicit,
            corrected=corrected,
            needs_yes=needs_yes,
            author=f"user-{author.lower()}",
            author_name=author,
            evidence=(evidence,),
            lineage=lineage,
        ),
        seen,
    )


async def recalled(memories: Memories, question: str, *layers: Layer) -> list[str]:
    """Return the texts that are recalled for a question, best first."""
    recall = await memories.recall(layers or (IDA,), question)
    return [one.memory.text for one in recall.items]


async def states(line: Line) -> list[tuple[str, str]]:
    """Return every item with its state, in the order in which they were written."""
    rows = await line.rows("SELECT text, state FROM memories ORDER BY id")
    return [(str(row["text"]), str(row["state"])) for row in rows]
