"""One pass over a text that says which searches are worth making.

A search of its own costs more to begin than to read an ordinary text, and most find nothing. So the
patterns that begin a search are put together in one automaton (Thompson, "Regular Expression Search
Algorithm", 1968), and who registered one asks whether its bit is set before searching.
"""

import re2

from tasks.patterns import compiled_set


class Gate:
    """Patterns that other modules register when they are imported."""

    def __init__(self) -> None:
        self._patterns: list[str] = []
        self._whole: re2.Set | None = None

    def watch(self, *patterns: "re2._Regexp") -> int:
        """Register patterns; returns the bits that `signs` sets where one of them is found."""
        bits = 0
        for pattern in patterns:
            if pattern.pattern not in self._patterns:
                self._patterns.append(pattern.pattern)
                self._whole = None
            bits |= 1 << self._patterns.index(pattern.pattern)
        return bits

    def signs(self, text: str) -> int:
        """Return the bits of all patterns found in `text`."""
        if self._whole is None:
            self._whole = compiled_set(self._patterns)
        bits = 0
        for place in self._whole.Match(text) or ():
            bits |= 1 << place
        return bits


GATE = Gate()
"""The gate of the screen."""
