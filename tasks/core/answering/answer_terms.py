"""The words of a question that an answer should say, and what sentences mean."""

from functools import lru_cache

import numpy as np

from data.codes import is_code
from data.lexicons.bridge import CODES
from data.word_vectors import Vectors, word_vectors
from tasks.core.language.comparable_words import Term, topics
from tasks.core.language.english_bridge import gloss
from tasks.core.patterns import compiled
from tasks.core.words.questions import quantities_in
from tasks.core.words.sentence_openings import without_opening
from tasks.core.words.sentences import words

_COUNTED = compiled(
    r"(?i)^(?:\pL+,\s+)?(?:(?:and|und|et|y|e|en|i|oraz)\s+)?(?:first|second|third|fourth|last|firstly"
    r"|secondly|thirdly|finally|lastly|erstens|zweitens|drittens|premièrement|deuxièmement"
    r"|troisièmement|enfin|primero|segundo|tercero|primo|secondo|terzo|primeiro|terceiro"
    r"|ten (?:eerste|tweede|derde)|po (?:pierwsze|drugie|trzecie))\s*[,:]\s*"
)
"""What counts the questions of a mail, and is no part of what they ask."""


@lru_cache(maxsize=1024)
def wanted_terms(text: str, language: str) -> tuple[Term, ...]:
    """Return the words that an answer should say: without those that only ask for a number."""
    text = without_opening(_COUNTED.sub("", text))
    asking = {word for mark in quantities_in(text) for word in mark.split()}
    open_terms = [topic for topic in topics(text, language) if topic.word not in asking]
    parts = {part for term in open_terms if is_code(term.word) for part in words(term.word)}
    return tuple(term for term in open_terms if is_code(term.word) or term.word not in parts)


@lru_cache(maxsize=1024)
def parts_of(terms: tuple[Term, ...]) -> list[tuple[int, int]]:
    """Return which phrase each word is part of, as places: who says the phrase says the word."""
    return [
        (whole, part)
        for whole, phrase in enumerate(terms)
        if "_" in phrase.word
        for part, term in enumerate(terms)
        if term.english in phrase.word.split("_")
    ]


@lru_cache(maxsize=16_384)
def embed_meaning(text: str, language: str) -> Vectors:
    """Return the vector of a text's meaning, by its English words where they are known."""
    if language in CODES:
        text = " ".join(gloss(word, language) or word for word in words(text))
    return np.asarray(word_vectors().embed([text])[0], dtype=np.float32)
