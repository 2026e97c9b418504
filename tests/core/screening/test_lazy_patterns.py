"""Patterns are compiled when they are first matched, and every one of them can be."""

import importlib
import pkgutil
import random
from collections.abc import Iterator

import pytest
import re2

import tasks
from data.patterns import LazyPattern
from tasks.core.patterns import compiled


def _patterns() -> Iterator[tuple[str, LazyPattern]]:
    """Every pattern that a module of `tasks` keeps, by itself or in a tuple."""
    for module in pkgutil.walk_packages(tasks.__path__, "tasks."):
        for name, kept in vars(importlib.import_module(module.name)).items():
            for one in kept if isinstance(kept, tuple) else (kept,):
                if isinstance(one, LazyPattern):
                    yield f"{module.name}.{name}", one


def test_every_pattern_compiles() -> None:
    """One that RE2 refuses would else be met by the first mail that needs it."""
    patterns = list(_patterns())
    assert len(patterns) > 300
    refused = []
    for name, pattern in patterns:
        try:
            pattern.search("")
        except re2.error as error:
            refused.append((name, error))
    assert refused == []


def test_a_pattern_that_cannot_be_compiled_says_so_when_it_is_matched() -> None:
    """Until then it is text."""
    pattern = compiled("(quince")
    assert pattern.pattern == "(quince"
    with pytest.raises(re2.error):
        pattern.search("quince")


def test_a_lazy_pattern_does_what_others_do() -> None:
    """Groups, replacing, splitting; and what it has not is missing."""
    pattern = compiled(r"(q\w+)-(?P<second>\w+)")
    assert (pattern.groups, dict(pattern.groupindex)) == (2, {"second": 2})
    assert re2.sub(pattern, r"\2", "a quince-pear") == "a pear"
    assert pattern.fullmatch("quince-pear")["second"] == "pear"
    assert not hasattr(pattern, "quince")


@pytest.mark.parametrize(
    "pattern", [r"a*", r"(\w+)@(\w+)", r"b|", r"(a)|(b)", r"^x", r"\b\w", r"\d+", r"$", r"é+", ""]
)
def test_the_short_way_gives_what_the_package_gives(pattern: str) -> None:
    """Plain text is searched without the package's table of places; nothing else is different."""
    own, package = compiled(pattern), re2.compile(pattern)
    draw = random.Random(pattern)
    texts = ["".join(draw.choices("ab @1éх\n", k=size)) for size in range(24) for _ in range(8)]
    texts += [text.replace("é", "e").replace("х", "x") for text in texts]
    for text in texts:
        for way in ("search", "match", "fullmatch"):
            assert _places(getattr(own, way)(text)) == _places(getattr(package, way)(text))
        assert [*map(_places, own.finditer(text))] == [*map(_places, package.finditer(text))]
        assert own.split(text) == package.split(text)
        assert own.sub("-", text) == package.sub("-", text)
        assert own.findall(text) == package.findall(text)


def _places(match: "re2._Match | None") -> tuple[object, ...] | None:
    """Return all that a match says of itself."""
    if match is None:
        return None
    groups = range(match.re.groups + 1)
    return (match.pos, match.endpos, [(match.span(n), match.group(n)) for n in groups])
