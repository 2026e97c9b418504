"""The weight of an entry beside how well it fits: significance, age, and use.

A gentle factor: it decides between entries that fit about equally well. What leads both rankings is
overtaken by the next alone, and only when that is as significant and as used as can be, or when
it has itself aged. What an organization wrote with the standard significance, without a half-life
and without use counts exactly 1.
"""

import math
from datetime import date

from data.records.core.knowledge import KnowledgeEntry, KnowledgeKind, Usage

SIGNIFICANCE, AGE, USE = 0.15, 0.25, 0.1
"""By how much each may change the factor: up or down, down, up."""
PREFERRED = 0.9
"""The factor of a preference: what holds for everybody goes before it."""
MANY = 50
"""Uses from which more make no difference."""
HEAVIEST = (1 + SIGNIFICANCE) * (1 + USE)
"""The most that an entry can weigh."""


def weight(entry: KnowledgeEntry, usage: Usage | None, day: date) -> float:
    """Return the factor, 0.57 to `HEAVIEST`."""
    significance = 1 + SIGNIFICANCE * (2 * entry.significance - 1)
    age = 1 - AGE * (1 - freshness(entry, day))
    used = 0 if usage is None else min(usage.used, MANY)
    kind = PREFERRED if entry.kind is KnowledgeKind.PREFERENCE else 1
    return kind * significance * age * (1 + USE * math.log1p(used) / math.log1p(MANY))


def freshness(entry: KnowledgeEntry, day: date) -> float:
    """Return how much of an entry is left on `day`: halved with each half-life, 1 without one."""
    since = entry.checked_on or entry.valid_from
    if entry.half_life_days is None or since is None:
        return 1.0
    return float(0.5 ** (max((day - since).days, 0) / entry.half_life_days))
