"""Content that the organization's policy does not take."""

from collections.abc import Iterator

import re2

from data.lexicons.screen import read
from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views


def categories() -> tuple[str, ...]:
    """Return the names a policy may list under `prohibited`."""
    return tuple(read("prohibited"))


def look(views: Views) -> Iterator[Find]:
    """Find two different terms of a prohibited category, or one that leaves no doubt."""
    for category in views.policy.prohibited:
        entry = read("prohibited").get(category)
        if entry is None:
            continue
        plain = re2.search(_any(entry["plain"]), views.folded_body)
        hints = {
            found.group()
            for found, _ in zip(
                re2.finditer(_any(entry["hints"]), views.folded_body), range(50), strict=False
            )
        }
        if plain is not None:
            yield Find(Place.BODY, f"{category}: {plain.group()}", 0.9)
        elif len(hints) >= 2:
            yield Find(Place.BODY, f"{category}: {', '.join(sorted(hints))}", 0.6)


def _any(terms: list[str]) -> str:
    return r"\b(?:" + "|".join(re2.escape(term) for term in terms) + r")\b"


RULE = Rule(
    name="prohibited_content",
    sentence="Is about something the organization's policy does not take.",
    technique="prohibited_content",
    layer=Layer.CONTENT,
    severity=0.9,
    look=look,
)
