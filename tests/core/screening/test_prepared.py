"""What a process loads before its first message: everything, so that no sender waits for it."""

import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import tasks.core.screen
from data.lexicons.screen import read
from tasks.core.screen import prepare


def tables() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the functions of the screen that load or compile once, by name."""
    for found in pkgutil.walk_packages(tasks.core.screen.__path__, "tasks.core.screen."):
        for name, own in vars(import_module(found.name)).items():
            cached = hasattr(own, "cache_info") and own.__module__ == found.name
            if cached and own is not prepare and not inspect.signature(own).parameters:
                yield f"{found.name}.{name}", own


def missing() -> list[str]:
    """Return the tables that nothing has asked for yet."""
    return [name for name, own in tables() if not own.cache_info().currsize]  # type: ignore[attr-defined]


def test_everything_is_loaded_beforehand() -> None:
    """A process of its own, for this one has screened; a table added later wants a letter."""
    asked = (
        "from tests.core.screening.test_prepared import missing, prepare;"
        "before = len(missing()); prepare(); print(before, missing())"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked], check=True, capture_output=True, text=True
    ).stdout
    before, after = told.strip().split(" ", 1)
    assert int(before) > 10
    assert after == "[]"


def test_letters_are_of_every_script() -> None:
    """Rehearsed with one script alone, the automata would have no states for the others."""
    letters = read("rehearsal")["letters"]
    for sign in ("ß", "ç", "ñ", "ł", "щ", "ş", "您", "お", "ش"):
        assert any(sign in letter.lower() for letter in letters), sign
