"""Patterns that are compiled when they are first matched, and search plain text the short way.

There are some hundreds, a message meets few of them, and to compile them all took more processor
time than to read it. Some hundred and fifty searches are made in each message, of which most match
nothing: the package makes a generator and a table of places for each of them, which is needed
only where characters and octets are counted differently.
"""

from collections.abc import Iterator
from typing import Any

import re2

_ANYWHERE, _AT_START, _WHOLE = (
    re2._Anchor.UNANCHORED,
    re2._Anchor.ANCHOR_START,
    re2._Anchor.ANCHOR_BOTH,
)
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

    def search(self, text: str | bytes, pos: int | None = None, endpos: int | None = None) -> Any:  # noqa: ANN401  # the package's match, which has no type
        """Return the first match anywhere in `text`, or None."""
        if pos is None and endpos is None and isinstance(text, str):
            return self._first(_ANYWHERE, text)
        return super().search(text, pos, endpos)

    def match(self, text: str | bytes, pos: int | None = None, endpos: int | None = None) -> Any:  # noqa: ANN401
        """Return the match at the start of `text`, or None."""
        if pos is None and endpos is None and isinstance(text, str):
            return self._first(_AT_START, text)
        return super().match(text, pos, endpos)

    def fullmatch(
        self, text: str | bytes, pos: int | None = None, endpos: int | None = None
    ) -> Any:  # noqa: ANN401
        """Return the match of the whole of `text`, or None."""
        if pos is None and endpos is None and isinstance(text, str):
            return self._first(_WHOLE, text)
        return super().fullmatch(text, pos, endpos)

    def finditer(
        self, text: str | bytes, pos: int | None = None, endpos: int | None = None
    ) -> Iterator[Any]:
        """Return the matches in `text`, from left to right, none of which overlap."""
        if pos is None and endpos is None and isinstance(text, str) and text.isascii():
            return self._each(text)
        return super().finditer(text, pos, endpos)  # type: ignore[no-any-return]

    def _first(self, anchor: Any, text: str) -> Any:  # noqa: ANN401
        octets = text.encode()
        spans = self._regexp.Match(anchor, octets, 0, len(octets))
        if spans[0] == _NOWHERE:
            return None
        if len(octets) == len(text):
            return re2._Match(self, text, 0, len(text), spans)
        return next(self._match(anchor, text), None)

    def _each(self, text: str) -> Iterator[Any]:
        octets, start, end = text.encode(), 0, len(text)
        while True:
            spans = self._regexp.Match(_ANYWHERE, octets, start, end)
            first = spans[0]
            if first == _NOWHERE:
                return
            yield re2._Match(self, text, 0, end, spans)
            if start == end:
                return
            # After an empty match the next one is looked for a character further on.
            start = first[1] if first[1] != start else start + 1
