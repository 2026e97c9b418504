"""The concepts of `data.lexicons.screen.rule_lexicon`, ready to be looked up word by word.

A concept is one bit; a word maps to the bits of all concepts it belongs to. Looking up is a
dictionary access, so that spotting is linear in the text whatever it says; nothing backtracks.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import compress
from typing import cast

from data.lexicons.screen import rule_lexicon
from data.mapped import translate_text
from data.quotation_marks import QUOTATION_MARKS
from data.screening.concepts import without_articles
from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.order_words import in_order, with_marks

Phrase = tuple[tuple[str, ...], int, bool]
"""The words after the first (each may end in `*`), the concept's bit, and whether any ends so."""

PhraseTable = tuple[dict[str, list[Phrase]], list[Phrase]]
"""Phrases by the first letter of their third word, and those of two words, which are in each."""
VocabularyEntry = tuple[int, dict[str, PhraseTable], dict[str, PhraseTable]]
"""A word's concepts, the phrases it may begin by their second word, and those whose second word has
a star, by its first letter."""

_CACHE_LIMIT = 100_000
_WEB = "www"
_SCHEMES = ("http", "https", "ftp")
_OPENING = 3
"""Letters of the shortest entry with a star, and by which words are told that begin like none."""
_TELLING, _TELLING_IDEOGRAPHS = 6, 3
"""Letters of a word by which a text is told to be in a code; shorter ones are met by chance."""
_HAN = compiled(r"^\p{Han}+$")
_CJK = compiled(r"[\x{3400}-\x{9FFF}\x{3041}-\x{3096}]")


class Vocabulary:
    """Words and phrases of the concepts, in all languages at once."""

    def __init__(self, concepts: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self.bits = {name: 1 << place for place, name in enumerate(concepts)}
        self.target = 1 << len(self.bits)
        """The concept of an address or a link, which no list can hold."""
        self.disorder = self.target << 1
        """The concept of a word of orders whose letters are out of order."""
        self.marked = self.target << 2
        """The concept of a word of orders that has marks among its letters."""
        self._exact: dict[str, int] = {}
        self._prefix: dict[str, int] = {}
        self._heads: dict[str, list[Phrase]] = {}
        self._prefix_heads: dict[str, list[Phrase]] = {}
        for name, languages in concepts.items():
            for entries in languages.values():
                for words in _compared(entries):
                    self._add(words, self.bits[name])
        self.words = frozenset((*self._exact, *self._heads))
        """Words that are entries or begin one, as they are compared."""
        starred = (*self._prefix, *self._prefix_heads)
        self._openings: dict[str, set[int]] = {_WEB: set()}
        for prefix in starred:
            self._openings.setdefault(prefix[:_OPENING], set()).add(len(prefix))
        alone = frozenset((*self.words, *_SCHEMES))
        self._known = _Known(self._find, self._openings, alone)
        self.telling = _telling(concepts)
        """Words by which a text is told to be turned."""

    def _add(self, words: Sequence[str], bit: int) -> None:
        head, rest = words[0], tuple(words[1:])
        star = head.endswith("*")
        head = head.rstrip("*")
        if rest:
            (self._prefix_heads if star else self._heads).setdefault(head, []).append(
                (rest, bit, any(word.endswith("*") for word in rest))
            )
            return
        table = self._prefix if star else self._exact
        table[head] = table.get(head, 0) | bit

    @property
    def remembered(self) -> int:
        """How many words it knows by now."""
        return len(self._known)

    def look_up(self, words: Sequence[str]) -> list[tuple[int, VocabularyEntry]]:
        """Return the place and entry of each word that says something, in order."""
        known_entries = self._known
        if len(known_entries) > _CACHE_LIMIT:  # hostile mail must not grow it for ever
            self._known.clear()
        entries = list(map(known_entries.__getitem__, words))
        return list(compress(enumerate(cast("list[VocabularyEntry]", entries)), entries))

    def _find(self, word: str) -> VocabularyEntry | None:
        mask = self._exact.get(word, 0)
        phrases = list(self._heads.get(word, ()))
        for length in sorted(self._openings.get(word[:_OPENING], ())):
            mask |= self._prefix.get(word[:length], 0)
            phrases += self._prefix_heads.get(word[:length], ())
        if word in _SCHEMES or "@" in word or word.startswith(f"{_WEB}."):
            mask |= self.target
        if in_order(word) and word not in self.words:
            mask |= self.disorder
        if with_marks(word):
            mask |= self.marked
        if not mask and not phrases:
            return None
        followers: dict[str, list[Phrase]] = {}
        starred: dict[str, list[Phrase]] = {}
        for phrase in phrases:
            second = phrase[0][0]
            if second.endswith("*"):
                starred.setdefault(second[0], []).append(phrase)
            else:
                followers.setdefault(second, []).append(phrase)
        before = {
            second: _by_third([*own, *starred.get(second[0], ())])
            for second, own in followers.items()
        }
        return mask, before, {letter: _by_third(own) for letter, own in starred.items()}


def _compared(entries: Sequence[str]) -> list[list[str]]:
    """Return the words of each entry as they are compared, in one pass over all entries."""
    if not entries:
        return []
    *others, last = clean(part_text(fold("\n\n".join(entries)))).split("\x03")
    return [
        *(other.split()[:-1] for other in others),
        last.split(),
    ]  # each but the last ends with \x01


def _by_third(phrases: Sequence[Phrase]) -> PhraseTable:
    """Put phrases in order by the letter that tells most of them from what a text goes on with."""
    letters = {rest[1][0] for rest, _, _ in phrases if len(rest) > 1}
    by_letter = {
        letter: [phrase for phrase in phrases if len(phrase[0]) == 1 or phrase[0][1][0] == letter]
        for letter in letters
    }
    return by_letter, [phrase for phrase in phrases if len(phrase[0]) == 1]


class _Known(dict[str, "VocabularyEntry | None"]):
    """What words were found to be when they were met.

    Most are no entries, which their first letters tell, or every new word would cost as much as a
    search.
    """

    def __init__(
        self,
        find: Callable[[str], VocabularyEntry | None],
        openings: Collection[str],
        entries: Collection[str],
    ) -> None:
        super().__init__()
        self._look = find
        self._openings = openings
        self._entries = entries

    def __missing__(self, word: str) -> VocabularyEntry | None:
        likely = word in self._entries or word[:_OPENING] in self._openings or "@" in word
        likely = likely or bool(in_order(word) if word.isalpha() else with_marks(word))
        entry = self[word] = self._look(word) if likely else None
        return entry


def part_text(text: str) -> str:
    """Return `text` with spaces around words that are written without.

    Every ideograph and every hiragana is a word; Arabic words lose what is written onto them.
    """
    if text.isascii():
        return text
    if _CJK.search(text) is not None:
        text = text.translate({ord(letter): _apart(letter) for letter in set(text)})
    return without_articles(text)


def _apart(letter: str) -> str:
    """Return a letter, with spaces around it where it is a word."""
    is_word = "\u3400" <= letter <= "\u9fff" or "\u3041" <= letter <= "\u3096"
    return f" {letter} " if is_word else letter


def stretch(text: str) -> int:
    """Return how many words of `text` stand for one: two, where every ideograph is a word."""
    return 1 if text.isascii() or _CJK.search(text) is None else 2


def clean(folded: str) -> str:
    """Return folded text as words between spaces.

    The end of a sentence becomes the word U+0001, a quotation mark U+0002, a new paragraph U+0003.
    """
    text = folded.replace("\n\n", " \x01 \x03 ")
    for bullet in _BULLETS:
        if bullet in text:
            text = text.replace(bullet, " \x01 ")
    raw = text.encode("utf-8", "surrogatepass").translate(_PUNCTUATION, b"'")
    text = translate_text(raw.decode("utf-8", "surrogatepass"), _WIDE_PUNCTUATION)
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
    dict.fromkeys("，：、（）【】¿¡،—―‒", " ")
    | dict.fromkeys("。！？；…؟؛•●▪◦‣", "\x01")
    | dict.fromkeys(QUOTATION_MARKS, "\x02")
)
_SIGNS = (
    ("\x02", " \x02 "),
    ("..", "."),
    ("..", "."),
    (". ", " \x01 "),
    ("\x01", " \x01 "),
    ("\x03", " \x03 "),
)


def _telling(concepts: Mapping[str, Mapping[str, Sequence[str]]]) -> frozenset[str]:
    """Return the words of orders to machines that are long enough to be met nowhere by chance."""
    return frozenset(
        word
        for name in ("override", "instruction", "machine", "secret", "prior")
        for entries in concepts.get(name, {}).values()
        for entry in entries
        for word in (*entry.lower().split(), *fold(entry).split())
        if word.isalpha() and len(word) >= (_TELLING_IDEOGRAPHS if _HAN.search(word) else _TELLING)
    )


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary, read and built once per process."""
    return Vocabulary(rule_lexicon())
