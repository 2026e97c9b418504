"""Content that the organization's policy does not take."""

from collections.abc import Iterator
from functools import lru_cache

import re2

from data.lexicons.screen import read
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled, compiled_set, found_in
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.folding import fold

_HAN = compiled(r"\p{Han}")


def look(views: Views) -> Iterator[Find]:
    """Find two different terms of a prohibited category, or one that leaves no doubt.

    A category of the organization's own (`prohibited_terms`) has only terms that leave no doubt.
    """
    for category in views.policy.prohibited:
        own = views.policy.prohibited_terms.get(category)
        entry = read("prohibited").get(category, {})
        plain = _find_terms(
            own if own is not None else tuple(entry.get("plain", ())), views.folded_body
        )
        hints = _find_terms(
            () if own is not None else tuple(entry.get("hints", ())), views.folded_body
        )
        if plain:
            yield Find(MessagePlace.BODY, f"{category}: {plain[0]}", 0.9)
        elif len(hints) >= 2:
            yield Find(MessagePlace.BODY, f"{category}: {', '.join(sorted(hints))}", 0.6)


def _find_terms(terms: tuple[str, ...], text: str) -> list[str]:
    """Return the terms that stand in folded text."""
    return [terms[place] for place in found_in(_any(terms), text)] if terms else []


@lru_cache(maxsize=64)
def _any(terms: tuple[str, ...]) -> "re2.Set":
    """Return all terms as one automaton: no letters may touch them, but ideographs may."""
    return compiled_set(map(_pattern, terms))


def _pattern(term: str) -> str:
    folded = r"\s+".join(re2.escape(word) for word in fold(term).split())
    if _HAN.search(term):
        return str(folded)
    return rf"(?:^|[^\pL\pN]){folded}(?:[^\pL\pN]|$)"


RULE = ScreenRule(
    name="prohibited_content",
    sentence="Is about something the organization's policy does not take.",
    technique="prohibited_content",
    layer=FilterLayer.CONTENT,
    severity=0.9,
    look=look,
)
