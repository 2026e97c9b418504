"""Spam filters of others that call a message spam: all of them together are one witness."""

from collections.abc import Iterator

from data.records.core.filters import FilterSymbol, FilterVerdict
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

FLAGGED, STOPPED = 0.45, 0.8
"""What counts where a filter just calls it spam, and from twice its threshold on or where it would
refuse it outright. At the default thresholds the first flags and the second stops."""
MOST_SYMBOLS = 6


def look(views: Views) -> Iterator[Find]:
    """Find what the most certain of the filters says; who calls nothing spam says nothing."""
    spam = [verdict for verdict in views.known.filters if verdict.spam]
    if spam:
        surest = max(spam, key=strength)
        yield Find(MessagePlace.HEADER, in_words(surest), strength(surest))


def strength(verdict: FilterVerdict) -> float:
    """Return how strongly a filter that calls a message spam speaks against it."""
    if verdict.certain:
        return STOPPED
    if verdict.threshold <= 0:
        return FLAGGED
    beyond = (verdict.score - verdict.threshold) / verdict.threshold
    return FLAGGED + (STOPPED - FLAGGED) * min(1.0, max(0.0, beyond))


def in_words(verdict: FilterVerdict) -> str:
    """Return a filter's points and the tests that gave most of them, as a person reads them."""
    points = f", {verdict.score:g} of {verdict.threshold:g} points" if verdict.threshold else ""
    against = [symbol for symbol in verdict.symbols if symbol.points > 0] or list(verdict.symbols)
    tests = "; ".join(_words(symbol) for symbol in against[:MOST_SYMBOLS])
    sentence = f"{verdict.filter}{points}" if points or tests else f"{verdict.filter} calls it spam"
    return f"{sentence}: {tests}" if tests else sentence


def _words(symbol: FilterSymbol) -> str:
    """Return a test's sentence, or its name as words."""
    return symbol.words or symbol.name.replace("_", " ").lower()


RULE = ScreenRule(
    name="other_filters",
    sentence="Is spam to a filter of others (SpamAssassin, rspamd, or that of a front server).",
    technique="spam",
    layer=FilterLayer.CONTENT,
    severity=0.8,
    look=look,
)
