"""The interface of a rule: something with a name and a sentence that finds, and does not act."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from data.records.core.screening import FilterLayer, Hit, MessagePlace
from tasks.core.screen.message.views import Views


@dataclass(frozen=True, slots=True)
class Find:
    """What a rule found; the rule's own columns are added when it becomes a hit."""

    place: MessagePlace
    excerpt: str
    score: float
    """How strongly this alone speaks for an attack, 0 to 1."""
    technique: str | None = None
    """When it differs from the rule's."""
    advisory: bool = False
    """Whether it may only flag; see `Hit.advisory`."""


Check = Callable[[Views], Iterable[Find]]


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """One line of the chain."""

    name: str
    sentence: str
    """What it finds, for a person."""
    technique: str
    """Kind of attack, as fine as the rule can tell."""
    layer: FilterLayer
    severity: float
    """The most that this rule can add, 0 to 1."""
    look: Check
    """Finds; a pure function of the message."""

    def check(self, views: Views) -> Iterable[Hit]:
        """Return the strongest find of each place and technique as a hit."""
        best: dict[tuple[MessagePlace, str], Find] = {}
        for find in self.look(views):
            technique = find.technique or self.technique
            best_hit = best.get((find.place, technique))
            if best_hit is None or find.score > best_hit.score:
                best[find.place, technique] = find
        return [
            Hit(
                rule=self.name,
                technique=technique,
                layer=self.layer,
                place=place,
                excerpt=find.excerpt[:200],
                score=round(min(find.score, self.severity), 4),
                advisory=find.advisory,
            )
            for (place, technique), find in best.items()
        ]
