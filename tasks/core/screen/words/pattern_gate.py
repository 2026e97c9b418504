"""One pass over a text that says which searches are worth making.

A search of its own costs more to begin than to read an ordinary text, and most find nothing. So the
patterns that begin a search are put together in automata (Thompson, "Regular Expression Search
Algorithm", 1968), and who registered one asks whether its bit is set before searching.

An automaton's states are made when a text first needs them, one for each combination of how far
every pattern has come. So what is registered should be short: a part that no match can lack.
Patterns of words, of runs of letters, of long hexadecimal numbers, of turns in a conversation, of
lines, of numbers, of signs in programs, of escapes and links, of ciphers, of words backwards, of
names of programs and of words in rows are in automata of their own, or there would be a state for
each place in a word and each length of a run. Another automaton costs less than the states that
kinds make together.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import re2

from tasks.core.patterns import compiled_set

AutomatonKind = Literal[
    "runs", "hex", "words", "turns", "lines", "numbers", "signs", "escapes", "ciphers", "reversed",
    "names", "rows",
]  # fmt: skip
_KINDS: tuple[AutomatonKind, ...] = get_args(AutomatonKind)


class PatternGate:
    """Patterns that other modules register when they are imported."""

    def __init__(self) -> None:
        self._patterns: dict[AutomatonKind, list[str]] = {kind: [] for kind in _KINDS}
        self._bits: dict[tuple[AutomatonKind, str], int] = {}
        self._ready: list[tuple[re2.Set, list[int]]] = []

    def watch(self, *patterns: "re2._Regexp", kind: AutomatonKind = "words") -> int:
        """Register patterns; returns the bits that `signs` sets where one of them is found."""
        bits = 0
        for pattern in patterns:
            key = kind, pattern.pattern
            if key not in self._bits:
                self._bits[key] = 1 << len(self._bits)
                self._patterns[kind].append(pattern.pattern)
                self._ready = []
            bits |= self._bits[key]
        return bits

    def signs(self, text: str) -> int:
        """Return the bits of all patterns found in `text`."""
        return self.signs_of((text,))[0]

    def signs_of(self, texts: Sequence[str]) -> list[int]:
        """Return the signs of each text; quicker, for an automaton's tables are fetched once."""
        raw = [text.encode() for text in texts]  # once, or each automaton would do it
        signs = [0] * len(raw)
        for automaton, bits in self._automata():
            for number, pattern_sign in enumerate(raw):
                for place in automaton.Match(pattern_sign) or ():
                    signs[number] |= bits[place]
        return signs

    def _automata(self) -> list[tuple["re2.Set", list[int]]]:
        """Return an automaton for each kind with the bits of its patterns."""
        if not self._ready:
            self._ready = [
                (compiled_set(own), [self._bits[kind, pattern] for pattern in own])
                for kind, own in self._patterns.items()
                if own
            ]
        return self._ready


GATE = PatternGate()
"""The gate of the screen."""
