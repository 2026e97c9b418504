"""Patterns that are compiled when they are first matched, and search plain text the short way.

There are some hundreds, a message meets few of them, and to compile them all took more processor
time than to read it. Some hundred and fifty searches are made in each message, of which most match
nothing: the package makes a generator and a table of places for each of them, which is needed
only where characters and octets are counted differently.
"""

from collections.abc import Iterator
from typing import Any

import re2

_NOWHERE = re2._NULL_SPAN


class LazyPattern(re2._Regexp):  # type: ignore[misc]  # the package has no types
    """A pattern of RE2 that is kept as text until something is searched with it."""

    __slots__ = ("_chosen",)

    def __init__(self, pattern: str | bytes, options: re2.Options) -> None:
        self._pattern = pattern  # type: ignore[misc]  # a slot of the class above
        self._chosen = options

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # the automaton, which has no type
        """Compile, when the automaton is asked for and not there yet.

        Raises:
            re2.error: the pattern is none.

        """
        if name != "_regexp":
            raise AttributeError(name)
        super().__init__(self._pattern, self._chosen)
        return self._regexp

    def _match(
        self,
        anchor: Any,  # noqa: ANN401
        text: str | bytes,
        pos: int | None = None,
        endpos: int | None = None,
    ) -> Iterator[Any]:
        """Return the matches in `text`, from left to right; all of the package's ways ask here."""
        if pos is not None or endpos is not None or not isinstance(text, str):
            return super()._match(anchor, text, pos, endpos)  # type: ignore[no-any-return]
        octets = text.encode()
        spans = self._regexp.Match(anchor, octets, 0, len(octets))
        if spans[0] == _NOWHERE:
            return iter(())
        if len(octets) != len(text):
            return super()._match(anchor, text)  # type: ignore[no-any-return]
        return self._matches(anchor, text, octets, spans)

    def _matches(
        self,
        anchor: Any,  # noqa: ANN401
        text: str,
        octets: bytes,
        spans: Any,  # noqa: ANN401
    ) -> Iterator[Any]:
        """Yield the match at `spans` of an ASCII text, and those behind it."""
        start, end = 0, len(text)
        while spans[0] != _NOWHERE:
            yield re2._Match(self, text, 0, end, spans)
            if start == end:
                return
            # After an empty match the next one is looked for a character further on.
            start = spans[0][1] if spans[0][1] != start else start + 1
            spans = self._regexp.Match(anchor, octets, start, end)
