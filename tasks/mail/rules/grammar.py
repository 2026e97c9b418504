"""The words of handling rules in one language, ready for the compiler: folded, as patterns."""

from collections.abc import Iterable, Mapping
from functools import cache

import re2

from data.lexicons.rules import FreeWords, RuleWords, free_words, rule_words
from tasks.core.language.english_bridge import gloss
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold

_PEOPLE = frozenset(
    {"customer", "partner", "supplier", "guest", "friend", "boss", "employee", "person", "member"}
    | {"neighbour", "teacher", "doctor", "lawyer", "man", "woman", "mother", "child", "family"}
)
"""English words for people, who are senders and no matters."""


class Grammar:
    """One language: what its words mean, and where a sentence is parted.

    `words` and `free` are the lists of `data/lexicons/rules`, where each is explained; here they
    are folded, and those that are tried one after the other stand longest first.
    """

    def __init__(self, code: str, words: RuleWords, free: FreeWords) -> None:
        self.code = code
        self.anything = fold(words.any[0])
        self.about = fold(words.parts["about"][0])
        self.lead = sorted(_folded(free.lead), key=len, reverse=True)
        self.filler = sorted(_folded(free.filler), key=len, reverse=True)
        self.around = {name: tuple(map(fold, rows)) for name, rows in free.around.items()}
        self.limits = _folded(free.limits)
        self.linkers = _folded(free.linkers)
        self.any = _folded(words.any)
        self.every = sorted(_folded(words.every), key=len, reverse=True)
        self.attachments = _folded(words.attachments)
        self.articles = _folded(words.bare)
        self.looser = _folded(words.looser)
        self.kinds = _by_word(words.kinds)
        self.languages = _by_word(words.languages)
        self.shown = {"kinds": tuple(self.kinds), "languages": tuple(self.languages)}
        self._names = {fold(word): name for name, own in words.parts.items() for word in own}
        self._parts = compiled(rf"\s+({_either(self._names)})")
        self._or = compiled(rf"\s*,\s*|\s+(?:{_either(map(fold, words.either), '')})\s+")
        self._and = compiled(rf"\s*,\s*|\s+(?:{_either(map(fold, words.also), '')})\s+")
        self.plain_effects = {
            fold(word): effect
            for effect in ("ask", "hold", "file")
            for word in words.effects[effect]
        }
        self._templates = [
            (fold(phrase), effect)
            for effect in ("tag", "assign")
            for phrase in words.effects[effect]
        ]

    def split_into_parts(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """Return what stands first, and the parts by name with their words."""
        head, *rest = self._parts.split(f" {text}")
        names = [self._names[word.strip()] for word in rest[::2]]
        texts = [text.strip() for text in rest[1::2]]
        named_parts = list(zip(names, texts, (word.strip() for word in rest[::2]), strict=True))
        return self._join_from(head.strip(), named_parts)

    def _join_from(
        self, head: str, parts: list[tuple[str, str, str]]
    ) -> tuple[str, list[tuple[str, str]]]:
        """Let a word for *from* join two words of one matter, as in *protección de datos*."""
        joined_parts: list[tuple[str, str]] = []
        for name, text, word in parts:
            joins = name == "from" and word in self.linkers and self._is_matter(text)
            if joins and joined_parts and joined_parts[-1][0] == "about":
                joined_parts[-1] = ("about", f"{joined_parts[-1][1]} {word} {text}")
            elif joins and not joined_parts and head and head not in self.any:
                head = f"{head} {word} {text}"
            else:
                joined_parts.append((name, text))
        return head, joined_parts

    def _is_matter(self, text: str) -> bool:
        """Return whether words name a thing that the dictionary knows, and no person."""
        glosses = [gloss(word, self.code) for word in text.split() if word not in self.articles]
        return bool(glosses) and all(
            gloss_word is not None and gloss_word not in _PEOPLE for gloss_word in glosses
        )

    def template_of(self, effect: str) -> str:
        """Return how the effect `tag` or `assign` is written, with `{x}` for its argument."""
        return next(one for one, name in self._templates if name == effect)

    def split_at_or(self, text: str) -> list[str]:
        """Return what is joined by *or* and commas."""
        return [part.strip() for part in self._or.split(text) if part.strip()]

    def split_at_and(self, text: str) -> list[str]:
        """Return what is joined by *and* and commas."""
        return [part.strip() for part in self._and.split(text) if part.strip()]

    def effect_of(self, text: str) -> tuple[str, str] | None:
        """Return the effect that words ask for with its argument, or None."""
        if text in self.plain_effects:
            return self.plain_effects[text], ""
        for template, effect in self._templates:
            before, _, after = template.partition("{x}")
            inner = text.removeprefix(before).removesuffix(after).strip("'\" ")
            if text.startswith(before) and text.endswith(after) and inner:
                return effect, inner
        return None

    def without_leading_articles(self, words: list[str]) -> list[str]:
        """Return words without the articles that they begin with."""
        while words and words[0] in self.articles:
            words = words[1:]
        return words


@cache
def grammars() -> tuple[Grammar, ...]:
    """Return the grammars of all languages, English first."""
    free = free_words()
    return tuple(Grammar(code, given, free[code]) for code, given in rule_words().items())


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, words))


def _by_word(words_by_key: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {fold(word): name for name, words in words_by_key.items() for word in words}


def _either(words: Iterable[str], end: str = r"\s+") -> str:
    """Return alternatives, longest first; one that ends in an apostrophe needs no space after."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re2.escape(text) + ("" if text.endswith("'") else end) for text in ordered)
