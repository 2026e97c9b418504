"""Statements that an agent's extraction keeps, and the kind of each."""

from collections.abc import Iterable

from data.strategy_format import Extraction
from tasks.core.words.sentences import words


def is_wanted(extraction: Extraction, sentence: str) -> bool:
    """Return whether a statement is about what the extraction keeps."""
    return not extraction.about or _has_mark(sentence, extraction.about)


def kind_of(extraction: Extraction, sentence: str) -> str:
    """Return the kind that a statement's words make it; empty where none does."""
    kinds = (kind for kind, marks in extraction.kinds.items() if _has_mark(sentence, marks))
    return next(kinds, "")


def _has_mark(sentence: str, marks: Iterable[str]) -> bool:
    """Return whether a sentence has one of these words, or words in a row."""
    sentence_words = f" {' '.join(words(sentence))} "
    return any(f" {' '.join(words(mark))} " in sentence_words for mark in marks)
