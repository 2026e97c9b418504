"""Finding concepts in a text, sentence by sentence, and asking whether several stand together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import compress
from typing import NamedTuple

from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.vocabulary import (
    Vocabulary,
    VocabularyEntry,
    clean,
    part_text,
    stretch,
    vocabulary,
)

SENTENCE_WORDS = 60
"""A longer sentence is cut into overlapping pieces, so that searching stays linear."""
_OVERLAP = 15
_SHORT = 160
"""Characters of a text whose words are remembered."""


SpottedMark = tuple[int, int, int]
"""A word or phrase of the vocabulary: its first word, the word after its last, its concepts.

Words are counted from the beginning of the text. A plain tuple, for a text may have a hundred
thousand, and sentences share them.
"""


class Sentence(NamedTuple):
    """A sentence that holds words of the vocabulary."""

    start: int
    end: int
    mask: int
    """All concepts in it."""
    near: int
    """Concepts of this sentence and of its neighbours."""
    marks: tuple[SpottedMark, ...]
    quoted_at: tuple[int, ...]
    """Where quotation marks stand, word indexes."""
    inside: bool
    """Whether a quotation was open when the sentence began."""


@dataclass(frozen=True)
class Spotted:
    """A text as words and marked sentences."""

    words: tuple[str, ...]
    mask: int = 0
    """All concepts in the text."""
    stretch: int = 1
    """How many words of this text say what one says in languages that part words."""
    placed: tuple[SpottedMark, ...] = ()
    """All marks in order, of which `sentences` is made: rules ask for those of one text of five."""

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that hold marks."""
        return _sentences(_spans(self.words), self.placed)

    def excerpt(self, start: int, end: int) -> str:
        """Return the words around a find."""
        shown = self.words[max(0, start - 4) : end + 6]
        return " ".join(word for word in shown if word not in _SIGNS)[:200]


_SIGNS = frozenset("\x01\x02\x03")


def spot(text: str) -> Spotted:
    """Find every word and phrase of the vocabulary in `text`."""
    return _short_spot(text) if len(text) <= _SHORT else spot_lexicon(text, vocabulary())


@lru_cache(maxsize=4096)
def _short_spot(text: str) -> Spotted:
    """Find as `spot`; names, headers and footers come again with every message of a sender."""
    return spot_lexicon(text, vocabulary())


def spot_lexicon(text: str, lexicon: Vocabulary) -> Spotted:
    """Find every word and phrase of `lexicon` in `text`."""
    words = tuple(clean(part_text(fold(text)) + " ").split())
    placed, mask = _placed(words, lexicon.look_up(words))
    if not placed:
        return Spotted(words)
    return Spotted(words, mask, stretch(text), tuple(placed))


def _placed(
    words: tuple[str, ...], placed_entries: list[tuple[int, VocabularyEntry]]
) -> tuple[list[SpottedMark], int]:
    """Return every word and phrase of the vocabulary, in order, and all their concepts."""
    placed: list[SpottedMark] = []
    everything = 0
    last = len(words) - 1
    for at, (mask, followers, starred) in placed_entries:
        if mask:
            placed.append((at, at + 1, mask))
            everything |= mask
        if at < last:
            second = words[at + 1]
            phrases = followers.get(second) or starred.get(second[0])
            if phrases is None:
                continue
            by_letter, pairs = phrases
            likely = by_letter.get(words[at + 2][0], pairs) if at + 1 < last else pairs
            for rest, bit, starry in likely:
                after = at + 1 + len(rest)
                if words[at + 1 : after] == rest or (starry and _continues(words, at + 1, rest)):
                    placed.append((at, after, bit))
                    everything |= bit
    return placed, everything


def _continues(words: tuple[str, ...], at: int, rest: tuple[str, ...]) -> bool:
    """Whether a text goes on at `at` as a phrase with stars does."""
    if at + len(rest) > len(words):
        return False
    for offset, wanted_word in enumerate(rest):
        word = words[at + offset]
        if word != wanted_word and not (
            wanted_word[-1] == "*" and word.startswith(wanted_word[:-1])
        ):
            return False
    return True


_Span = tuple[int, int, tuple[int, ...], bool]
"""Where a sentence begins and ends, its quotation marks, and whether one was open before."""


def _sentences(spans: list[_Span], placed: tuple[SpottedMark, ...]) -> tuple[Sentence, ...]:
    """Group marks by sentence; return the sentences that have any.

    Sentences without marks are left out but count as neighbours.
    """
    groups: list[tuple[int, int, int]] = []
    first = 0
    count = len(placed)
    for start, end, _, _ in spans:
        while first < count and placed[first][0] < start:
            first += 1
        last, mask = first, 0
        while last < count and placed[last][0] < end:
            mask |= placed[last][2]
            last += 1
        groups.append((mask, first, last))
    around = [0, *(mask for mask, _, _ in groups), 0]
    return tuple(
        [
            Sentence(
                start,
                end,
                mask,
                around[place] | mask | around[place + 2],
                placed[first:last],
                quoted_at,
                inside,
            )
            for place, ((start, end, quoted_at, inside), (mask, first, last)) in enumerate(
                zip(spans, groups, strict=True)
            )
            if mask
        ]
    )


def _spans(words: Sequence[str]) -> list[_Span]:
    """Return the sentences; a long one is cut into pieces that overlap."""
    spans: list[_Span] = []
    quoted: list[int] = []
    start = after = 0
    inside = open_now = False
    signs = compress(range(len(words)), map(_SIGNS.__contains__, words))
    for at in (*signs, len(words)):
        while (cut := max(start + SENTENCE_WORDS, after)) < at:
            spans.append((start, cut, tuple(quoted), inside))
            start, quoted, inside = cut - _OVERLAP, [], open_now
        word = words[at] if at < len(words) else "\x01"
        if word == "\x02":
            quoted.append(at)
            open_now = not open_now
        elif word == "\x03":
            open_now = inside = False  # a quotation does not outlive its paragraph
        else:
            if at > start:
                spans.append((start, at, tuple(quoted), inside))
            start, quoted, inside = at + 1, [], open_now
        after = at + 1
    return spans


@cache
def _bit(name: str) -> int:
    """Return the bit of a concept; `target` is an address or a link."""
    return vocabulary().target if name == "target" else vocabulary().bits[name]


@cache
def mask_of(names: str) -> int:
    """Return the bits of concepts written `one|other`; any of them will do."""
    mask = 0
    for name in names.split("|"):
        mask |= _bit(name)
    return mask


def mask_within(words: Sequence[str], lexicon: Vocabulary | None = None) -> int:
    """Return all concepts among `words`, which are as `Spotted.words` holds them."""
    lexicon = lexicon or vocabulary()
    return _placed(tuple(words), lexicon.look_up(words))[1]


def find_together(
    sentence: Sentence, parts: Sequence[int], within: int, ordered: bool
) -> tuple[int, int] | None:
    """Return the shortest stretch of words holding one mark of each part, or None.

    Args:
        sentence: where to look.
        parts: one mask per part; each must be met by a mark of its own.
        within: most words from the first mark's start to the last one's start.
        ordered: whether the parts must come in this order.

    """
    best: tuple[int, int] | None = None
    for at, (start, _, mask) in enumerate(sentence.marks):
        starts = range(1) if ordered else range(len(parts))
        for begin in starts:
            if not mask & parts[begin]:
                continue
            rest = [part for place, part in enumerate(parts) if place != begin]
            end = _complete(sentence.marks, at, rest, within, ordered)
            if end is not None and (best is None or end - start < best[1] - best[0]):
                best = (start, end)
    return best


def _complete(
    marks: tuple[SpottedMark, ...], at: int, rest: list[int], within: int, ordered: bool
) -> int | None:
    """Return where the other parts are complete after the mark `at`, or None.

    Marks that share a word with one already taken are passed over: no word says two things.
    """
    first, end, _ = marks[at]
    for start, after, mask in marks[at + 1 :]:
        if not rest:
            break
        if start > first + within:
            return None
        if start < end:
            continue
        places = range(1) if ordered else range(len(rest))
        for place in places:
            if mask & rest[place]:
                del rest[place]
                end = max(end, after)
                break
    return None if rest else end
