"""Words run together in lower case, parted where words of the vocabulary end.

Dynamic programming over the places of a run: as few letters as possible are left outside of words,
and then as few words as possible are made.
"""

from collections.abc import Iterator
from functools import cache

import re2

from tasks.core.patterns import compiled, longest
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.vocabulary import vocabulary

_LETTER = "[a-zß-öø-ÿа-яё]"
_RUN = compiled(f"{_LETTER}{{20}}{_LETTER}*")
RUN_TOGETHER = GATE.watch(compiled(f"{_LETTER}{{20}}"), kind="runs")
"""Sign of a text that may hold words run together; few languages have words as long."""
_LONGEST_RUN, _MOST_LETTERS = 600, 20_000
"""Letters of one run that are looked at, and of all runs of a text that may be words."""
_SHORTEST_WORD, _LONGEST_WORD = 2, 20
_FEWEST_TELLING, _TELLING = 3, 4
"""Words that must be found, and letters that they must have."""
_LIKELY = 0.4
"""Share of a run's letters in known words, one after the other, from which it is parted."""
_LEFT_OVER, _LETTERS_EACH = 0.25, 4
"""Share of a run's letters up to which may stand in no known word, and letters that its pieces have
on average: a compound falls into the shortest words."""


def parted_runs(text: str) -> Iterator[str]:
    """Yield what each run of `text` says, where nearly all of it is words that are known."""
    left = _MOST_LETTERS
    for match in _RUN.finditer(text):
        begin = match.start()
        if begin and text[begin - 1].isalpha():
            begin -= 1  # a capital
        run = text[begin : min(match.end(), begin + _LONGEST_RUN)].lower()
        if not _may_be_words(run):
            continue
        left -= len(run)
        if left < 0:
            return
        words, outside = part_run(run)
        telling = sum(len(word) >= _TELLING for word in words)
        if (
            telling >= _FEWEST_TELLING
            and outside <= _LEFT_OVER * len(run)
            and len(run) >= _LETTERS_EACH * len(words)
        ):
            yield " ".join(words)


@cache
def any_word() -> "re2._Regexp":
    """Return a pattern of the words of the vocabulary but the shortest; the longest counts."""
    words = sorted(word for word in vocabulary().words if len(word) > 3 and word.isalpha())
    return longest("|".join(words))


def _may_be_words(run: str) -> bool:
    """Whether enough of a run is words that are known, taken as they come."""
    words = any_word().findall(run)
    return len(words) >= _FEWEST_TELLING and sum(map(len, words)) >= _LIKELY * len(run)


def part_run(run: str) -> tuple[list[str], int]:
    """Return the pieces of a run, and how many of its letters are in no word."""
    known_words = vocabulary().words
    best = [(0, 0, 0)]  # letters outside, pieces, where the last piece begins
    for end in range(1, len(run) + 1):
        outside, pieces, _ = best[end - 1]
        choice = (outside + 1, pieces + 1, end - 1)
        for begin in range(max(0, end - _LONGEST_WORD), end - _SHORTEST_WORD + 1):
            if run[begin:end] in known_words:
                outside, pieces, _ = best[begin]
                choice = min(choice, (outside, pieces + 1, begin))
        best.append(choice)
    words: list[str] = []
    end = len(run)
    while end:
        begin = best[end][2]
        words.append(run[begin:end])
        end = begin
    return words[::-1], best[-1][0]
