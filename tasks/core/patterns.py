"""Compiling patterns over untrusted text: always RE2, never a word on standard error.

Write `+` and `*` rather than large counted repetitions: RE2 unrolls a count, and a class of Unicode
letters counted to 200 is a program of a hundred thousand instructions.
"""

from collections.abc import Iterable
from functools import lru_cache

import re2

from data.patterns import LazyPattern

_MEMORY = 32 << 20
"""Bytes an automaton may use before RE2 falls back to slower, still linear, matching."""


@lru_cache(maxsize=1024)
def compiled(pattern: str, memory: int = _MEMORY) -> "re2._Regexp":
    """Return the pattern, which is compiled when it is first matched."""
    return LazyPattern(pattern, _options(memory))


def longest(pattern: str) -> "re2._Regexp":
    """Return the pattern, of whose alternatives the longest counts and not the first."""
    options = _options()
    options.longest_match = True
    return LazyPattern(pattern, options)


def compiled_set(patterns: Iterable[str]) -> "re2.Set":
    """Return one automaton that says in a single pass which of the patterns are found."""
    whole = re2.Set.SearchSet(_options())
    for pattern in patterns:
        whole.Add(pattern)
    whole.Compile()
    return whole


def found_in(whole: "re2.Set", text: str) -> list[int]:
    """Return the places, in the set, of the patterns found in `text`."""
    return sorted(whole.Match(text) or ())


def _options(memory: int = _MEMORY) -> "re2.Options":
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory
    return options
