"""The test that a text is in another language than it should be, by its function words."""

from functools import lru_cache

from data.lexicons.drafting import LANGUAGES, phrases
from tasks.core.words.sentences import fold, words

_FEWEST = 6
"""Words from which the function words say anything."""
_TIMES = 2
"""How many times as many function words another language must have."""


def is_in_another_language(text: str, language: str) -> bool:
    """Return whether `text` clearly looks like another drafting language than `language`.

    Text of another script than the Latin one differs from every drafting language.
    """
    text_words = words(text)
    letters = [word for word in text_words if word[:1].isalpha()]
    if sum(not word[:1].isascii() for word in letters) * 2 > len(letters) > 0:
        return True
    if language not in LANGUAGES or len(text_words) < _FEWEST:
        return False
    counts = {code: sum(map(_function_words(code).__contains__, text_words)) for code in LANGUAGES}
    best = max(counts.values())
    return best >= 3 and best >= _TIMES * max(1, counts[language])


@lru_cache(maxsize=16)
def _function_words(language: str) -> frozenset[str]:
    """Return the stop words of one language, folded."""
    return frozenset(fold(word) for word in phrases(language).stop_words)
