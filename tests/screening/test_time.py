"""No text makes a pattern or the screen slow; times are four times what is promised."""

import importlib
import pkgutil
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import re2

import tasks.authenticate
import tasks.screen
from data.lexicons.screen import read
from tasks.screen.patterns import compiled
from tasks.screen.rules.spam_words import weigh
from tests.screening.letters import screened

MEGABYTE = 1 << 20
UNITS = {
    "letters": "a",
    "numbers": "41 ",
    "tokens": "<|im_",
    "brackets": "[]((",
    "quotes": '"a=',
    "percent": "%4",
    "fences": "### ",
    "links": "http://a.b/?x=",
    "spaced": "a ",
    "order": "ignore all previous ",
    "roles": "system: ",
    "money": "you have won 1 million us dollars ",
    "look-alikes": "ignоrе ",
    "dots": "a.",
    "lines": " \n>",
}
INPUTS = {
    name: (unit * (MEGABYTE // len(unit.encode()) + 1))[:MEGABYTE] for name, unit in UNITS.items()
}


def patterns() -> Iterator[tuple[str, Any]]:
    """Yield every pattern of the package and of its lexicons."""
    modules: list[ModuleType] = [tasks.authenticate]
    for found in pkgutil.walk_packages(tasks.screen.__path__, "tasks.screen."):
        modules.append(importlib.import_module(found.name))
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, re2._Regexp):
                yield f"{module.__name__}.{name}", value
    for lexicon in ("role_tokens", "spam"):
        for row in read(lexicon)["patterns"]:
            yield f"{lexicon}.{row['name']}", compiled(row["pattern"])


PATTERNS = dict(patterns())


def test_patterns_are_found() -> None:
    """The collection below is not empty by accident."""
    assert len(PATTERNS) > 80


@pytest.mark.parametrize("name", INPUTS)
def test_every_pattern_is_quick_on_a_megabyte(name: str) -> None:
    """Each pattern searches a megabyte of hostile text in at most 4 × 50 ms of processor time."""
    slow = {}
    for pattern_name, pattern in PATTERNS.items():
        pattern.search("warm up")
        began = time.process_time()
        pattern.search(INPUTS[name])
        seconds = time.process_time() - began
        if seconds > 0.2:
            slow[pattern_name] = seconds
    assert slow == {}


@pytest.mark.parametrize("name", INPUTS)
def test_whole_screen_is_quick_on_a_megabyte(name: str) -> None:
    """A body of a megabyte is screened in at most 4 × 1 s of processor time, without errors."""
    began = time.process_time()
    screening = screened(INPUTS[name])
    assert time.process_time() - began < 4
    assert screening.errors == ()


def test_spam_patterns_survive_hostile_text() -> None:
    """The joint automaton still finds the last words of a long text made to exhaust it."""
    text = INPUTS["money"][:50_000] + " dear friend next of kin"
    assert "next of kin" in weigh(text)[1]
