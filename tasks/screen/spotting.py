"""Finding concepts in a text, sentence by sentence, and asking whether several stand together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from tasks.screen.normalize import fold
from tasks.screen.vocabulary import Vocabulary, clean, parted, vocabulary

SENTENCE_WORDS = 60
"""A longer sentence is cut into overlapping pieces, so that searching stays linear."""
_OVERLAP = 15
_SHORT = 160
"""Characters of a text whose words are remembered."""


class Mark(NamedTuple):
    """A word or phrase of the vocabulary."""

    start: int
    """Index of its first word in the text."""
    end: int
    """Index after its last word."""
    mask: int
    """The concepts it belongs to."""


class Sentence(NamedTuple):
    """A sentence that holds words of the vocabulary."""

    start: int
    end: int
    mask: int
    """All concepts in it."""
    near: int
    """Concepts of this sentence and of its neighbours."""
    marks: tuple[Mark, ...]
    quoted_at: tuple[int, ...]
    """Where quotation marks stand, word indexes."""
    inside: bool
    """Whether a quotation was open when the sentence began."""


@dataclass(frozen=True, slots=True)
class Spotted:
    """A text as words and marked sentences."""

    words: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    mask: int
    """All concepts in the text."""

    def excerpt(self, start: int, end: int) -> str:
        """Return the words around a find."""
        shown = self.words[max(0, start - 4) : end + 6]
        return " ".join(word for word in shown if word not in _SIGNS)[:200]


_SIGNS = frozenset("\x01\x02\x03")


def spot(text: str) -> Spotted:
    """Find every word and phrase of the vocabulary in `text`."""
    return _short_spot(text) if len(text) <= _SHORT else spotted(text, vocabulary())


@lru_cache(maxsize=4096)
def _short_spot(text: str) -> Spotted:
    """Find as `spot`; names, headers and footers come again with every message of a sender."""
    return spotted(text, vocabulary())


def spotted(text: str, lexicon: Vocabulary) -> Spotted:
    """Find every word and phrase of `lexicon` in `text`."""
    words = clean(parted(fold(text)) + " ").split()
    marks = _marks(words, lexicon)
    sentences = _sentences(words, marks)
    return Spotted(tuple(words), sentences, _union(marks))


def _marks(words: list[str], lexicon: Vocabulary) -> list[Mark]:
    """Return every word and phrase of the vocabulary, in order."""
    found: list[Mark] = []
    last = len(words) - 1
    for at, (mask, followers) in lexicon.look_up(words):
        if mask:
            found.append(Mark(at, at + 1, mask))
        if followers and at < last:
            for rest, bit in (*followers.get(words[at + 1], ()), *followers.get("", ())):
                if _continues(words, at + 1, rest):
                    found.append(Mark(at, at + 1 + len(rest), bit))
    return found


def _continues(words: list[str], at: int, rest: tuple[str, ...]) -> bool:
    if at + len(rest) > len(words):
        return False
    for offset, wanted in enumerate(rest):
        word = words[at + offset]
        if word != wanted and not (wanted[-1] == "*" and word.startswith(wanted[:-1])):
            return False
    return True


def _union(marks: Sequence[Mark]) -> int:
    mask = 0
    for mark in marks:
        mask |= mark.mask
    return mask


def _sentences(words: list[str], marks: list[Mark]) -> tuple[Sentence, ...]:
    """Group marks by sentence; sentences without marks are left out but count as neighbours."""
    spans, quotes, opened = _spans(words)
    masks: list[int] = []
    grouped: list[tuple[Mark, ...]] = []
    first = 0
    for start, end in spans:
        while first < len(marks) and marks[first].start < start:
            first += 1
        last = first
        while last < len(marks) and marks[last].start < end:
            last += 1
        grouped.append(tuple(marks[first:last]))
        masks.append(_union(grouped[-1]))
    return tuple(
        Sentence(
            start=start,
            end=end,
            mask=masks[place],
            near=masks[place]
            | (masks[place - 1] if place else 0)
            | (masks[place + 1] if place + 1 < len(masks) else 0),
            marks=grouped[place],
            quoted_at=quotes[place],
            inside=opened[place],
        )
        for place, (start, end) in enumerate(spans)
        if masks[place]
    )


def _spans(words: list[str]) -> tuple[list[tuple[int, int]], list[tuple[int, ...]], list[bool]]:
    """Return where sentences begin and end, their quotation marks, and whether one was open."""
    spans: list[tuple[int, int]] = []
    quotes: list[tuple[int, ...]] = []
    opened: list[bool] = []
    here: list[int] = []
    start, inside = 0, False
    open_now = False

    def close(at: int, following: int) -> None:
        nonlocal start, here, inside
        if at > start:
            spans.append((start, at))
            quotes.append(tuple(here))
            opened.append(inside)
        start, here, inside = following, [], open_now

    after = 0
    for at in [*(at for at, word in enumerate(words) if word in _SIGNS), len(words)]:
        while (cut := max(start + SENTENCE_WORDS, after)) < at:
            close(cut, cut - _OVERLAP)
        word = words[at] if at < len(words) else "\x01"
        if word == "\x02":
            here.append(at)
            open_now = not open_now
        elif word == "\x03":
            open_now = inside = False  # a quotation does not outlive its paragraph
        else:
            close(at, at + 1)
        after = at + 1
    return spans, quotes, opened


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
    for at, mark in enumerate(sentence.marks):
        starts = range(1) if ordered else range(len(parts))
        for begin in starts:
            if not mark.mask & parts[begin]:
                continue
            rest = [part for place, part in enumerate(parts) if place != begin]
            end = _complete(sentence.marks, at + 1, mark, rest, within, ordered)
            if end is not None and (best is None or end - mark.start < best[1] - best[0]):
                best = (mark.start, end)
    return best


def _complete(
    marks: tuple[Mark, ...], at: int, first: Mark, rest: list[int], within: int, ordered: bool
) -> int | None:
    """Return where the other parts are complete after `first`, or None.

    Marks that share a word with one already taken are passed over: no word says two things.
    """
    end = first.end
    for mark in marks[at:]:
        if not rest:
            break
        if mark.start > first.start + within:
            return None
        if mark.start < end:
            continue
        places = range(1) if ordered else range(len(rest))
        for place in places:
            if mark.mask & rest[place]:
                del rest[place]
                end = max(end, mark.end)
                break
    return None if rest else end
