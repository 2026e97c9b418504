"""The concepts of `vocabulary.yaml` and `phishing_words.yaml`, ready to be looked up word by word.

A concept is one bit; a word maps to the bits of all concepts it belongs to. Looking up is a
dictionary access, so that spotting is linear in the text whatever it says; nothing backtracks.
"""

import codecs
from collections.abc import Mapping, Sequence
from functools import cache

import re2

from data.lexicons.screen import concepts, read
from data.screening_concepts import without_articles
from tasks.patterns import compiled
from tasks.screen.normalize import fold

Phrase = tuple[tuple[str, ...], int]
"""The words after the first (each may end in `*`), and the concept's bit."""

Entry = tuple[int, dict[str, list[Phrase]]]
"""A word's concepts, and the phrases it may begin by their second word (`""`: any)."""

_CACHE_LIMIT = 100_000
_SCHEMES = frozenset({"http", "https", "ftp"})
_CJK = compiled(r"[\x{3400}-\x{9FFF}\x{3041}-\x{3096}]")


class Vocabulary:
    """Words and phrases of the concepts, in all languages at once."""

    def __init__(self, concepts: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self.bits = {name: 1 << place for place, name in enumerate(concepts)}
        self.target = 1 << len(self.bits)
        """The concept of an address or a link, which no list can hold."""
        self._exact: dict[str, int] = {}
        self._prefix: dict[str, int] = {}
        self._heads: dict[str, list[Phrase]] = {}
        self._prefix_heads: dict[str, list[Phrase]] = {}
        self._known: dict[str, Entry | None] = {}
        for name, languages in concepts.items():
            for entries in languages.values():
                for entry in entries:
                    self._add(entry, self.bits[name])
        self._openings: dict[str, set[int]] = {}
        for prefix in (*self._prefix, *self._prefix_heads):
            self._openings.setdefault(prefix[:2], set()).add(len(prefix))
        self._coded = _coded_pattern(concepts)

    def _add(self, entry: str, bit: int) -> None:
        words = clean(parted(fold(entry))).split()
        head, rest = words[0], tuple(words[1:])
        star = head.endswith("*")
        head = head.rstrip("*")
        if rest:
            (self._prefix_heads if star else self._heads).setdefault(head, []).append((rest, bit))
            return
        table = self._prefix if star else self._exact
        table[head] = table.get(head, 0) | bit

    def look_up(self, words: Sequence[str]) -> list[tuple[int, Entry]]:
        """Return the place and entry of each word that says something; one access per word."""
        known = self._known
        if len(known) > _CACHE_LIMIT:  # hostile mail must not grow it for ever
            known.clear()
        for word in set(words).difference(known):
            known[word] = self._find(word)
        entries = map(known.__getitem__, words)
        return [(at, entry) for at, entry in enumerate(entries) if entry is not None]

    def _find(self, word: str) -> Entry | None:
        mask = self._exact.get(word, 0)
        phrases = list(self._heads.get(word, ()))
        for length in sorted(self._openings.get(word[:2], ())):
            mask |= self._prefix.get(word[:length], 0)
            phrases += self._prefix_heads.get(word[:length], ())
        if word in _SCHEMES or "@" in word or word.startswith("www."):
            mask |= self.target
        if not mask and not phrases:
            return None
        followers: dict[str, list[Phrase]] = {}
        for rest, bit in phrases:
            key = "" if rest[0].endswith("*") else rest[0]
            followers.setdefault(key, []).append((rest, bit))
        return mask, followers

    def holds_coded_word(self, text: str) -> bool:
        """Whether a telling word stands in `text` in rot13 or backwards."""
        return self._coded.search(text) is not None


def parted(text: str) -> str:
    """Return `text` with spaces around words that are written without.

    Every ideograph and every hiragana is a word; Arabic words lose what is written onto them.
    """
    if text.isascii():
        return text
    if _CJK.search(text) is not None:
        text = "".join(
            f" {letter} "
            if "\u3400" <= letter <= "\u9fff" or "\u3041" <= letter <= "\u3096"
            else letter
            for letter in text
        )
    return without_articles(text)


def clean(folded: str) -> str:
    """Return folded text as words between spaces.

    The end of a sentence becomes the word U+0001, a quotation mark U+0002, a new paragraph U+0003.
    """
    text = folded.replace("\n\n", " \x01 \x03 ")
    for bullet in _BULLETS:
        if bullet in text:
            text = text.replace(bullet, " \x01 ")
    text = text.translate(_PUNCTUATION).replace("'", "")
    for mark, between in _SIGNS:
        if mark in text:
            text = text.replace(mark, between)
    return text


_BULLETS = tuple(f"\n{bullet}" for bullet in "-*#>+|")
_PUNCTUATION = str.maketrans(
    dict.fromkeys(",:()[]{}<>|~#=/\\-_\n\r\t，：、（）【】「」", " ")
    | dict.fromkeys("!?;。！？；…", "\x01")
    | dict.fromkeys('"“”„«»`', "\x02")
)
_SIGNS = (
    ("\x02", " \x02 "),
    ("..", "."),
    ("..", "."),
    (". ", " \x01 "),
    ("\x01", " \x01 "),
    ("\x03", " \x03 "),
)


def _coded_pattern(concepts: Mapping[str, Mapping[str, Sequence[str]]]) -> "re2._Regexp":
    """Return a pattern of the telling English words in rot13 and backwards."""
    words = {
        word
        for name in ("override", "instruction", "machine", "secret", "prior")
        for entry in concepts.get(name, {}).get("en", ())
        for word in entry.split()
        if len(word) >= 6 and word.isalpha()
    }
    forms = {codecs.encode(word, "rot13") for word in words} | {word[::-1] for word in words}
    return compiled(r"(?i)\b(?:" + "|".join(sorted(forms)) + r")\b" if forms else "$^")


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary, read and built once per process."""
    return Vocabulary(concepts() | read("phishing_words"))
