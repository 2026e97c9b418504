"""Patterns are compiled when they are first matched, and every one of them can be."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
import re2

import tasks
from data.patterns import LazyPattern
from tasks.patterns import compiled


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
