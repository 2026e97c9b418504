"""Marks that separate roles in a model's conversation; nobody writes them in a letter."""

from collections.abc import Iterator
from functools import cache, lru_cache

import re2

from data.lexicons.screen import read
from data.records.screening import Layer
from tasks.patterns import compiled, compiled_set
from tasks.screen.combinations import REPORT_WEIGHT, around, weighed
from tasks.screen.rule import Find, Rule
from tasks.screen.spotting import mask_of
from tasks.screen.views import Text, Views

_AROUND = 150
"""Characters before and after a mark that tell whether somebody writes about it."""


@cache
def patterns() -> tuple[tuple["re2._Regexp", float, bool], ...]:
    """Return (pattern, score, whether a colon or order must follow) from `role_tokens.yaml`."""
    return tuple(
        (compiled(row["pattern"]), float(row["score"]), bool(row.get("alone", True)))
        for row in read("role_tokens")["patterns"]
    )


@cache
def _any() -> "re2.Set":
    """Return one pattern for all, so that ordinary mail costs a single search."""
    rows = read("role_tokens")["patterns"]
    return compiled_set(["|".join(f"(?:{row['pattern']})" for row in rows)])


def _marked(text: str) -> bool:
    return bool(_any().Match(text))


@lru_cache(maxsize=4096)
def _short_marked(text: str) -> bool:
    """Return the same for a short text; names, headers and footers come with every message."""
    return _marked(text)


def look(views: Views) -> Iterator[Find]:
    """Find forged role marks and prompt boundaries."""
    for text in views.texts:
        if not (_short_marked if text.short else _marked)(text.text):
            continue
        for pattern, score, _ in patterns():
            found = pattern.search(text.text)
            if found is not None:
                start = max(0, found.start() - 20)
                excerpt = text.text[start : found.end() + 80]
                yield Find(text.place, excerpt, weighed(text, score * _told(text, found)))


def _told(text: Text, found: "re2._Match") -> float:
    """Return less than 1 where somebody writes about such marks."""
    return REPORT_WEIGHT if around(text, found, _AROUND) & mask_of("report") else 1.0


RULE = Rule(
    name="role_tokens",
    sentence="Forges the marks that separate system, user and assistant for a model.",
    technique="delimiter_attack",
    layer=Layer.INJECTION,
    severity=0.9,
    look=look,
)
