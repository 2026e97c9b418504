"""The words of handling rules in one language, ready for the compiler: folded, as patterns."""

from collections.abc import Iterable, Mapping
from functools import cache

import re2

from data.lexicons.rules import RuleWords, rule_words
from tasks.words.sentences import fold

CODES = tuple(rule_words())
"""Languages that rules are understood in, ISO 639-1; English first."""


class Grammar:
    """One language: what its words mean, and where a sentence is parted."""

    def __init__(self, code: str, given: RuleWords) -> None:
        self.code = code
        self.any = _folded(given.any)
        self.every = sorted(_folded(given.every), key=len, reverse=True)
        self.attachments = _folded(given.attachments)
        self.bare = _folded(given.bare)
        self.looser = _folded(given.looser)
        self.kinds = _by_word(given.kinds)
        self.languages = _by_word(given.languages)
        self.shown = {"kinds": tuple(self.kinds), "languages": tuple(self.languages)}
        self._names = {fold(word): name for name, words in given.parts.items() for word in words}
        self._parts = re2.compile(rf"\s+({_either(self._names)})")
        self._or = re2.compile(rf"\s*,\s*|\s+(?:{_either(map(fold, given.either), '')})\s+")
        self._and = re2.compile(rf"\s*,\s*|\s+(?:{_either(map(fold, given.also), '')})\s+")
        self._plain = {
            fold(word): effect
            for effect in ("ask", "hold", "file")
            for word in given.effects[effect]
        }
        self._with = [
            (fold(one), effect) for effect in ("tag", "assign") for one in given.effects[effect]
        ]

    def parted(self, left: str) -> tuple[str, list[tuple[str, str]]]:
        """Return what stands first, and the parts by name with their words."""
        head, *rest = self._parts.split(f" {left}")
        names = [self._names[word.strip()] for word in rest[::2]]
        return head.strip(), list(zip(names, (text.strip() for text in rest[1::2]), strict=True))

    def alternatives(self, text: str) -> list[str]:
        """Return what is joined by *or* and commas."""
        return [one.strip() for one in self._or.split(text) if one.strip()]

    def effects(self, text: str) -> list[str]:
        """Return what is joined by *and* and commas."""
        return [one.strip() for one in self._and.split(text) if one.strip()]

    def effect(self, said: str) -> tuple[str, str] | None:
        """Return the effect that words ask for with its argument, or None."""
        if said in self._plain:
            return self._plain[said], ""
        for pattern, effect in self._with:
            before, _, after = pattern.partition("{x}")
            inner = said.removeprefix(before).removesuffix(after).strip("'\" ")
            if said.startswith(before) and said.endswith(after) and inner:
                return effect, inner
        return None

    def without_bare(self, said: list[str]) -> list[str]:
        """Return words without articles before them."""
        while said and said[0] in self.bare:
            said = said[1:]
        return said


@cache
def grammars() -> tuple[Grammar, ...]:
    """Return the grammars of all languages, English first."""
    return tuple(Grammar(code, given) for code, given in rule_words().items())


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, words))


def _by_word(given: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {fold(word): name for name, words in given.items() for word in words}


def _either(words: Iterable[str], end: str = r"\s+") -> str:
    """Return alternatives, longest first; one that ends in an apostrophe needs no space after."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re2.escape(one) + ("" if one.endswith("'") else end) for one in ordered)
