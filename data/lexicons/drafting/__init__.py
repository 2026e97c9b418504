"""Phrases and marker words of the drafting stages, by language, read once from this folder."""

from data.lexicons.drafting.phrases import (
    INFORMAL,
    LANGUAGES,
    Phrases,
    asked_words,
    concept_stems,
    number_words,
    phrases,
    shared_words,
    stop_words,
)

__all__ = [
    "INFORMAL",
    "LANGUAGES",
    "Phrases",
    "asked_words",
    "concept_stems",
    "number_words",
    "phrases",
    "shared_words",
    "stop_words",
]
