"""No text makes a pattern or the screen hang; `benchmarks.screening` prints how quick they are."""

import time

import pytest

from benchmarks._hostile_text import INPUTS, patterns
from tasks.screen.rules.spam_words import weigh
from tests.screening.letters import classified

PATTERNS = dict(patterns())


def test_patterns_are_found() -> None:
    """The collection below is not empty by accident."""
    assert len(PATTERNS) > 80


@pytest.mark.parametrize("name", INPUTS)
def test_every_pattern_is_quick_on_a_megabyte(name: str) -> None:
    """No pattern takes more than a second of processor time for a megabyte of hostile text."""
    slow = {}
    for pattern_name, pattern in PATTERNS.items():
        pattern.search("warm up")
        began = time.process_time()
        pattern.search(INPUTS[name])
        seconds = time.process_time() - began
        if seconds > 1:
            slow[pattern_name] = seconds
    assert slow == {}


@pytest.mark.parametrize("name", INPUTS)
def test_whole_screen_is_quick_on_a_megabyte(name: str) -> None:
    """A body of a megabyte is screened in at most 10 s of processor time, without errors."""
    began = time.process_time()
    screening = classified(INPUTS[name])
    assert time.process_time() - began < 10
    assert screening.errors == ()


def test_spam_patterns_survive_hostile_text() -> None:
    """The joint automaton still finds the last words of a long text made to exhaust it."""
    text = INPUTS["money"][:50_000] + " dear friend next of kin"
    assert "next of kin" in weigh(text)[1]
