"""Patterns that are compiled when they are first matched.

There are some hundreds, a message meets few of them, and to compile them all took more processor
time than to read it.
"""

from typing import Any

import re2


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
