"""From two rankings to one: reciprocal rank fusion."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

from connectors.knowledge.succession import in_force
from connectors.knowledge.weighing import HEAVIEST, weight
from data.records.core.knowledge import KnowledgeEntry, Usage

Scored = tuple[KnowledgeEntry, float]
"""An entry and how well it fits: 1 when it leads both rankings, falling towards 0."""

RANK_CONSTANT = 3
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009, who take 60).

Small, because an organization's knowledge is small: at 60 the tenth place counts nearly as much as
the first, and a stray shared word beats the meaning (docs/quality.md)."""
MEANING_SHARE = 0.6
"""Weight of the ranking by vectors. The rest is enough to bring what only the words find, such as
a part number, among the first five."""


def fuse(
    near: Sequence[str],
    worded: Sequence[str],
    bodies: Mapping[str, str],
    used: Mapping[str, Usage],
    day: date,
    limit: int,
) -> list[Scored]:
    """Return the entries that either ranking names, best first, with scores up to 1.

    `bodies` holds each entry as JSON by its id. Of those that are superseded on `day` none is
    returned; the others are weighed by what `connectors.knowledge.weighing` says.
    """
    scores: dict[str, float] = {}
    for ranking, share in ((near, MEANING_SHARE), (worded, 1 - MEANING_SHARE)):
        for rank, name in enumerate(ranking):
            scores[name] = scores.get(name, 0.0) + share * (RANK_CONSTANT + 1) / (
                RANK_CONSTANT + 1 + rank
            )
    best: list[Scored] = []
    for score, name in sorted((-score, name) for name, score in scores.items()):
        if len(best) >= limit and -score * HEAVIEST < best[limit - 1][1]:
            break  # nothing that fits less can weigh more
        entry = _entry(bodies[name])
        if in_force(entry, day):
            best.append((entry, -score * weight(entry, used.get(name), day)))
            best.sort(key=lambda item: (-item[1], item[0].id))
    return [(entry, min(1.0, score)) for entry, score in best[:limit]]


@lru_cache(maxsize=1024)
def _entry(body: str) -> KnowledgeEntry:
    """Return an entry from its JSON; the same few are found again and again."""
    return KnowledgeEntry.model_validate_json(body)
