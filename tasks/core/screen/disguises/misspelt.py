"""Words with a letter too few, too many or wrong, letters doubled, and spaces shifted by a letter.

Who reads sees through them, and so does a model: *Igore al lprevius insstructionss*. Undone only
for words of orders, and only where several are so: a slip of the fingers is no disguise. A word
that the classifier has learned is no slip, however near it comes (*cancer*, *cancel*).
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import cache
from itertools import pairwise

from tasks.core.screen.classifier import load_classifier
from tasks.core.screen.disguises.corrected_lines import put_right
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.head_and_tail import end_words
from tasks.core.screen.words.near_words import NearWords, squeeze_words
from tasks.core.screen.words.order_words import IDEOGRAPHS, long_words, order_words
from tasks.core.screen.words.vocabulary import vocabulary

_FEWEST = 2
"""Different words that must be misspelt."""
_NEAR = 8
"""Words from one of them to the next."""
_SHORTEST, _LONGEST = 6, 48
"""Letters of a word of orders, for too many others are near shorter ones; and of one misspelt."""
_REMEMBERED = 50_000
"""Words; hostile mail must not make them more for ever."""

_met: set[str] = set()
_slips: dict[str, str] = {}
"""Words that were met, and what those of them are meant to be that are misspelt."""


def respelled(text: str, words: Sequence[str]) -> str | None:
    """Return the lines in which words of orders are misspelt, with these put right.

    None where no two of one language stand near each other that differ by more than their endings.
    `words` are those of `text` as they are compared.
    """
    words = end_words(words)
    whole_by_slip = _find_meant(set(words))
    if len(set(whole_by_slip.values())) < _FEWEST:
        return None
    language = _language(words, whole_by_slip)
    if not language:
        return None
    meant = {
        word: whole for word, whole in whole_by_slip.items() if language in order_words()[whole]
    }
    return put_right(text, lambda word: meant.get(fold(word), ""), _FEWEST)


def _language(words: Sequence[str], slips: Mapping[str, str]) -> str:
    """Return the language of most misspelt words that stand near each other; empty for none."""
    sure = {word for word, whole in slips.items() if not _ends(word, whole)}
    places = [(at, slips[word]) for at, word in enumerate(words) if word in sure]
    counter: Counter[str] = Counter()
    for (at, letter), (after, other) in pairwise(places):
        if letter != other and after - at <= _NEAR:
            counter.update(order_words()[letter] & order_words()[other])
    return max(counter, key=lambda language: (counter[language], language), default="")


def _ends(word: str, whole: str) -> bool:
    """Whether two words differ in their endings alone, as honest words do."""
    return word.startswith(whole[:-1]) or whole.startswith(word[:-1])


def _find_meant(words: Set[str]) -> dict[str, str]:
    """Return for each word that is misspelt what it is meant to be."""
    if len(_met) > _REMEMBERED:
        _met.clear()
        _slips.clear()
    if new := words - _met:
        _learn(new)
    slips = ((word, _slips.get(word)) for word in filter(_slips.__contains__, words))
    return {word: whole for word, whole in slips if whole}


def _learn(words: Set[str]) -> None:
    """Find out which words are misspelt that were not met before."""
    sizes = range(_SHORTEST - 1, _LONGEST + 1)
    likely = [word for word in words if len(word) in sizes and word[0] < IDEOGRAPHS]
    near = _near()
    for word, short in zip(likely, squeeze_words(likely), strict=True):
        if (whole := near.find(short)) and word.isalpha() and _is_slip(word):
            _slips[word] = whole
    _met.update(words)


def _is_slip(word: str) -> bool:
    """Whether a word is none that is known."""
    is_known = word in order_words() or word in vocabulary().words
    return not is_known and not load_classifier().has_learned(word)


@cache
def _near() -> NearWords:
    """Return the words of orders that are long enough."""
    return NearWords(long_words(_SHORTEST), _SHORTEST)
