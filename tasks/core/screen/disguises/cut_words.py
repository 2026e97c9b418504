"""Words cut by spaces or marks: *ign-ore all prev ious instr*uctions*.

Put together only where they are words of orders, and only where several are so: a slip of the
fingers is no disguise.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import chain, filterfalse, pairwise

from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.head_and_tail import end_words, ends
from tasks.core.screen.words.order_words import letters_of, long_words, with_marks
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.spotting import Spotted
from tasks.core.screen.words.vocabulary import vocabulary

_FEWEST, _SHORTEST = 2, 5
"""Different words that must be cut, and letters that they have."""
_PIECES = 8
"""The most pieces of a word."""
_AROUND = 12
"""Words shown before and after one that was cut."""
_SIGNS = frozenset("\x01\x02\x03")
"""What `Spotted.words` has for marks between words."""
_SENTENCE_SIGN = GATE.watch(compiled(r"\pL(?:[;!?\"`]|\.\.+ ?|\. )\p{Ll}"), kind="names")
"""Sign of a text in which one of these may cut a word."""
_CHARACTERS = 32_000
"""Characters of a text that are searched for apostrophes, at its two ends."""
_WITH_APOSTROPHES = compiled(r"\pL{3,}(?:['\x{2019}]+\pL{2,})+")
"""Not *l'heure* and *reader's*."""
_APOSTROPHE_SIGN = GATE.watch(compiled(r"\pL['\x{2019}]+\pL\pL"), kind="names")


def uncut(text: str, spotted: Spotted, signs: int) -> str:
    """Return what was cut put together, with some words around; empty where nothing was.

    `spotted` are the words of `text`, and `signs` are `GATE`'s.
    """
    words = end_words(spotted.words)
    if signs & _SENTENCE_SIGN:
        words = list(filterfalse(_SIGNS.__contains__, words))
    apart = _with_apostrophes(text) if signs & _APOSTROPHE_SIGN else frozenset()
    marked = spotted.mask & vocabulary().marked
    if not (marked or apart) and _cuts().isdisjoint(pairwise(words)):
        return ""
    begun = {at for at, pair in enumerate(pairwise(words)) if pair in _cuts()}
    if not (marked or apart) and len(begun) < _FEWEST:
        return ""
    whole = [piece for piece in _join_cut_words(words, begun, apart) if piece[0] not in _SIGNS]
    places = [at for at, (_, cut) in enumerate(whole) if cut]
    several = len({whole[at][0] for at in places}) >= _FEWEST
    return _shown([word for word, _ in whole], places) if several else ""


def _shown(words: Sequence[str], places: Sequence[int]) -> str:
    """Return the words at and around `places`; those that are not beside each other are parted."""
    near = {at + step for at in places for step in range(-_AROUND, _AROUND + 1)}
    shown = [at for at in sorted(near) if 0 <= at < len(words)]
    between = (" " if before + 1 == at else "\n\n" for before, at in pairwise((-1, *shown)))
    return "".join(chain(*zip(between, (words[at] for at in shown), strict=True))).strip()


def _with_apostrophes(text: str) -> frozenset[str]:
    """Return the words of orders that have apostrophes within, which are none of their letters."""
    words_with_marks = set(_WITH_APOSTROPHES.findall(ends(text, _CHARACTERS)))
    return _long() & {letters_of(fold(word)) for word in words_with_marks}


def _join_cut_words(
    words: Sequence[str], begun: Set[int], apart: Set[str]
) -> Iterator[tuple[str, bool]]:
    """Yield every word, and whether it was cut.

    Args:
        words: of a text.
        begun: where one may begin that was cut to several.
        apart: those that were cut by what `words` have not kept.

    """
    after = 0
    for at, word in enumerate(words):
        if at < after:
            continue
        whole_word, after = word if word in apart else with_marks(word), at + 1
        if at in begun:
            longest = _longest(words[at : at + _PIECES])
            whole_word, after = longest[0] or whole_word, at + longest[1]
        yield whole_word or word, bool(whole_word)


def _longest(words: Sequence[str]) -> tuple[str, int]:
    """Return the longest word that the first of `words` make, and how many; or nothing, and 1."""
    letters, longest_cut = letters_of(words[0]), ("", 1)
    for end, word in enumerate(words[1:], start=2):
        if letters not in _beginnings():
            break
        letters += letters_of(word)
        if letters in _long() and _is_cut(words[:end]):
            longest_cut = letters, end
    return longest_cut


def _is_cut(pieces: Iterable[str]) -> bool:
    """Whether pieces of a word are not words themselves: *system prompt* may be written so."""
    return max(map(letters_of, pieces), key=len) not in vocabulary().words


@cache
def _beginnings() -> frozenset[str]:
    """Return what words of orders begin with."""
    return frozenset(word[:end] for word in _long() for end in range(1, len(word)))


@cache
def _cuts() -> frozenset[tuple[str, str]]:
    """Return the first two pieces that words of orders may be cut to.

    But for two known words, and single letters, which are `joining`'s.
    """
    known_words = vocabulary().words
    return frozenset(
        (word[:cut], word[cut:end])
        for word in _long()
        for cut in range(1, len(word))
        for end in range(cut + 1, len(word) + 1)
        if end > 2 and (word[:cut] not in known_words or word[cut:end] not in known_words)
    )


@cache
def _long() -> frozenset[str]:
    """Return the words of orders that have enough letters."""
    return frozenset(long_words(_SHORTEST))
