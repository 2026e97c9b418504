"""A figure of a source told of something else than there.

*The red loom costs 200 euros, the blue one 300* does not hold *The red loom costs 300 euros*,
though it holds each of its words. First version: what a figure belongs to is what stands in the
same part of a sentence; a list with its figures in a row and its things in another is not seen.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tasks.core.claims.claims import claims, other_forms
from tasks.core.patterns import compiled
from tasks.core.words.sentences import sentences, terms

_CUT = compiled(
    r"[,;:]\s|[()|]|\s[-–—]\s"
    r"|\s(?:and|und|et|y|e|en|i|oraz|ed|sowie|but|aber|mais|pero)\s"
)
_FIGURES = frozenset({"number", "amount", "percentage", "date_or_time", "duration", "phone"})
_NOT_SPOKEN = compiled(
    r"(?i)\S*\d\S*|\b(?:per ?cent|percent|prozent|pour ?cent|por ciento|por cento|per cento|procent"
    r"|euros?|eur|usd|dollars?|chf|gbp|pounds?|pln|zł|uhr|uur|hrs?|hours?|days?|tage?n?|jours?|días?"
    r"|giorni|dagen|dias?|dni|minutes?|minuten)\b"
)
"""Figures, and units that say nothing of what is counted."""

PairForm = tuple[str, str]
"""A kind of figure, and its form for comparing."""


class _Figure(NamedTuple):
    """A number, date or time."""

    excerpt: str
    """As written."""
    kind: str
    forms: frozenset[PairForm]


class _Part(NamedTuple):
    """A part of a sentence of a source that states figures."""

    figures: tuple[_Figure, ...]
    terms: frozenset[str]
    """What it speaks of, without them."""

    @property
    def forms(self) -> frozenset[PairForm]:
        """The forms of all its figures."""
        return frozenset[PairForm]().union(*(figure.forms for figure in self.figures))

    def kinds_of(self, figure: _Figure) -> set[str]:
        """Return of what kinds a figure is here."""
        return {own.kind for own in self.figures if not own.forms.isdisjoint(figure.forms)}


def misplaced_figure(sentence: str, text: str) -> str:
    """Return a figure that a source states of another thing than the sentence; empty for none.

    It is one where a sentence names what stands beside another figure of its kind, which it does
    not tell, and not what stands beside this one.

    Args:
        sentence: the sentence of the draft.
        text: what is cited for it.

    """
    figures = _figures(sentence, sentence)
    if not figures:
        return ""
    spoken = _read_topic(sentence)
    forms_in_draft = frozenset[PairForm]().union(*(figure.forms for figure in figures))
    parts = _parts(text)
    untold = [part for part in parts if part.forms.isdisjoint(forms_in_draft)]
    for figure in figures:
        own = [part for part in parts if not part.forms.isdisjoint(figure.forms)]
        kinds = {kind for part in own for kind in part.kinds_of(figure)}
        beside_own = frozenset[str]().union(*(part.terms for part in own))
        for part in untold:
            names_it = part.terms & spoken - beside_own
            if not names_it or kinds.isdisjoint(other.kind for other in part.figures):
                continue
            if all(near.terms - part.terms - spoken for near in own):
                return figure.excerpt
    return ""


def _figures(part: str, within: str) -> tuple[_Figure, ...]:
    """Return the figures of a part of a sentence."""
    return tuple(
        _Figure(
            excerpt=claim.excerpt,
            kind="time" if ":" in claim.value else claim.kind,
            forms=frozenset({(claim.kind, claim.value), *other_forms(claim, within)}),
        )
        for claim in claims(part)
        if claim.kind in _FIGURES
    )


def _read_topic(text: str) -> frozenset[str]:
    """Return what a text speaks of, without its figures and their units."""
    return frozenset(terms(_NOT_SPOKEN.sub(" ", text)))


@lru_cache(maxsize=512)
def _parts(text: str) -> tuple[_Part, ...]:
    """Return the parts of a text that state figures."""
    return tuple(_figured(text))


def _figured(text: str) -> Iterator[_Part]:
    for sentence in sentences(text):
        for part in _CUT.split(sentence):
            if figures := _figures(part, sentence):
                yield _Part(figures, _read_topic(part))
