"""The concepts of `vocabulary.yaml` and `phishing_words.yaml`, ready to be looked up word by word.

A concept is one bit; a word maps to the bits of all concepts it belongs to. Looking up is a
dictionary access, so that spotting is linear in the text whatever it says; nothing backtracks.
"""

import codecs
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import compress
from typing import cast

import re2

from data.lexicons.screen import concepts, read
from data.mapped import mapped
from data.screening_concepts import without_articles
from tasks.patterns import compiled
from tasks.screen.normalize import fold

Phrase = tuple[tuple[str, ...], int]
"""The words after the first (each may end in `*`), and the concept's bit."""

Entry = tuple[int, dict[str, list[Phrase]], list[Phrase]]
"""A word's concepts, the phrases it may begin by their second word, and those before any other."""

SIGN: Entry = (0, {}, [])
"""What is looked up for the end of a sentence, a quotation mark and a new paragraph."""

_CACHE_LIMIT = 100_000
_SIGN_WORDS = frozenset("\x01\x02\x03")
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
        self._known = _Known(self._find)
        for name, languages in concepts.items():
            for entries in languages.values():
                for entry in entries:
                    self._add(entry, self.bits[name])
        self._openings: dict[str, set[int]] = {}
        for prefix in (*self._prefix, *self._prefix_heads):
            self._openings.setdefault(prefix[:2], set()).add(len(prefix))
        self.coded = _coded_pattern(concepts)
        """Matches telling words in rot13 or backwards."""

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
        """Return the place and entry of each sign and each word that says something, in order."""
        known = self._known
        if len(known) > _CACHE_LIMIT:  # hostile mail must not grow it for ever
            known.clear()
        entries = list(map(known.__getitem__, words))
        return list(compress(enumerate(cast("list[Entry]", entries)), entries))

    def _find(self, word: str) -> Entry | None:
        if word in _SIGN_WORDS:
            return SIGN
        mask = self._exact.get(word, 0)
        phrases = list(self._heads.get(word, ()))
        for length in sorted(self._openings.get(word[:2], ())):
            mask |= self._prefix.get(word[:length], 0)
            phrases += self._prefix_heads.get(word[:length], ())
        if word in _SCHEMES or "@" in word or word.startswith("www."):
            mask |= self.target
        if not mask and not phrases:
            return None
        any_other = [(rest, bit) for rest, bit in phrases if rest[0].endswith("*")]
        followers: dict[str, list[Phrase]] = {}
        for rest, bit in phrases:
            if not rest[0].endswith("*"):
                followers.setdefault(rest[0], []).append((rest, bit))
        for own in followers.values():
            own += any_other
        return mask, followers, any_other


class _Known(dict[str, "Entry | None"]):
    """Words that were looked up before; a new one is looked up when it is asked for."""

    def __init__(self, find: Callable[[str], Entry | None]) -> None:
        super().__init__()
        self._look = find

    def __missing__(self, word: str) -> Entry | None:
        entry = self[word] = self._look(word)
        return entry


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
    raw = text.encode("utf-8", "surrogatepass").translate(_PUNCTUATION, b"'")
    text = mapped(raw.decode("utf-8", "surrogatepass"), _WIDE_PUNCTUATION)
    for mark, between in _SIGNS:
        if mark in text:
            text = text.replace(mark, between)
    return text


_BULLETS = tuple(f"\n{bullet}" for bullet in "-*#>+|")
_PUNCTUATION = bytes.maketrans(
    b',:()[]{}<>|~#=/\\-_\n\r\t!?;"`',
    b"                     \x01\x01\x01\x02\x02",
)
_WIDE_PUNCTUATION = str.maketrans(
    dict.fromkeys("，：、（）【】「」", " ")
    | dict.fromkeys("。！？；…", "\x01")
    | dict.fromkeys("“”„«»", "\x02")
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
