"""Complaints in so many words; they only ever raise (docs/pipeline.md#plan).

A classifier weighs a whole message, and a question beside a complaint may outweigh it. What is said
outright, by words that people use for complaining and for little else, is heard all the same.
"""

from functools import lru_cache
from pathlib import Path

import data.lexicons.drafting as lexicon
from data.lexicons.drafting import LANGUAGES, phrases
from data.word_lists import word_list
from tasks.core.words.sentences import sentences, words

_FILE = Path(lexicon.__file__).with_name("grievances.yaml")
_DENIED = 3
"""Words before it within which a denial takes it back: *I don't want to complain*."""
_READ = 40
"""Sentences that are listened to."""


@lru_cache(maxsize=1024)
def complains(text: str, language: str) -> bool:
    """Return whether a statement of `text` says that its writer complains.

    A question does not: *Where do I send a complaint?* asks. An unknown language hears nothing.
    """
    rows = _rows(language)
    longest = max(map(len, rows), default=0)
    for sentence in sentences(text)[:_READ]:
        if sentence.rstrip().endswith(("?", "？")):
            continue
        sentence_words = words(sentence)
        for at in range(len(sentence_words)):
            near = tuple(sentence_words[at : at + longest])
            is_grievance = any(near[:size] in rows for size in range(1, len(near) + 1))
            if is_grievance and negations(language).isdisjoint(
                sentence_words[max(0, at - _DENIED) : at]
            ):
                return True
    return False


@lru_cache(maxsize=len(LANGUAGES))
def negations(language: str) -> frozenset[str]:
    """Return the words of a language that deny, folded."""
    return frozenset(word for mark in phrases(language).negations for word in words(mark))


@lru_cache(maxsize=len(LANGUAGES))
def _rows(language: str) -> frozenset[tuple[str, ...]]:
    table: dict[str, object] = word_list(_FILE)
    rows = (tuple(words(row)) for row in str(table.get(language, "")).split(","))
    return frozenset(row for row in rows if row)
