"""The queries to the knowledge: the message as a whole, and each of its questions.

The vector of a long message is the mean of all it speaks of, so a question in it hardly counts;
searched by themselves, questions find their entries.
"""

from collections.abc import Sequence

from data.records.core.knowledge import KnowledgeEntry
from tasks.core.words.questions import questions

LONGEST = 2000
"""Characters of a query."""
_MOST = 3
"""Questions that are searched for by themselves."""
_SHORT = 400
"""Characters below which a message with one question is its own query."""


def queries_of(subject: str, text: str) -> list[str]:
    """Return the queries of a message, at most four: its first questions, and all of it last."""
    whole = f"{subject}\n{text}"[:LONGEST]
    asked = [question.asked[:LONGEST] for question in questions(text)]
    if len(asked) < 2 and len(text) <= _SHORT:
        return [whole]
    return [*dict.fromkeys(asked[:_MOST]), whole]


def merge_results(
    results: Sequence[Sequence[tuple[KnowledgeEntry, float]]], limit: int
) -> list[tuple[KnowledgeEntry, float]]:
    """Return what several queries found as one list: the best of each in turn, at most `limit`.

    An entry keeps the best of its scores.
    """
    best: dict[str, tuple[KnowledgeEntry, float]] = {}
    for rank in range(max(map(len, results), default=0)):
        for snippet in results:
            if rank >= len(snippet):
                continue
            entry, score = snippet[rank]
            if entry.id in best:
                best[entry.id] = (entry, max(score, best[entry.id][1]))
            elif len(best) < limit:
                best[entry.id] = (entry, score)
    return list(best.values())
