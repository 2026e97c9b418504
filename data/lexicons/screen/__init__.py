"""Words, patterns and tables that the screen's rules are built from.

Words stand in `concepts/`, by what they mean (`concept_files`); the files beside this one are
tables: marks of models and signs of spam with their weights, kinds of files, hosts, categories that
a policy may prohibit.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from data.errors import ManifestError
from data.lexicons.screen.concept_files import (
    concepts_in,
    concepts_of,
    learned_words,
    rule_words,
)
from data.word_lists import word_list

_FOLDER = Path(__file__).parent
ORDERS = (
    "overriding",
    "leaking",
    "machines",
    "roles",
    "tasks",
    "answers",
    "authority",
    "data_and_tools",
    "honest_talk",
)
"""Files about orders to a machine, and about what people say in their words."""
PHISHING, FRAMES, MARKS, PROGRAMS = "phishing", "frames", "marks", "programs"
"""The other files of concepts; the words of `FRAMES` and `MARKS` are looked up beside a find only,
and `PROGRAMS` holds patterns."""

Lexicon = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Entries by concept and language."""


@cache
def order_lexicon() -> Lexicon:
    """Return what the rules read of orders to machines."""
    return {name: rule_words(own) for name, own in concepts_in(ORDERS).items()}


@cache
def rule_lexicon() -> Lexicon:
    """Return all words that the rules look up: of orders to machines, and of phishing."""
    return {name: rule_words(own) for name, own in concepts_in((*ORDERS, PHISHING)).items()}


@cache
def learned_lexicon() -> Lexicon:
    """Return what the classifier learned, in the order of its kinds.

    The rules' own words are not among it, so these can change without new weights.
    """
    learned = {name: own for name, own in concepts_in(ORDERS).items() if own.kind is not None}
    order = sorted(learned, key=lambda name: learned[name].kind or 0)
    if [learned[name].kind for name in order] != list(range(len(order))):
        raise ManifestError("The kinds of the concepts are not numbered from 0 without gaps; do so")
    return {name: learned_words(learned[name]) for name in order}


@cache
def lexicon_of(file: str) -> Lexicon:
    """Return what the rules read of one file of concepts."""
    return {name: rule_words(own) for name, own in concepts_of(file).items()}


def alternatives(file: str, concept: str) -> dict[str, str]:
    """Return the patterns of a concept by language, each language's as one pattern."""
    return {language: "|".join(own) for language, own in lexicon_of(file)[concept].items()}


@cache
def read(name: str) -> dict[str, Any]:
    """Return the content of the table `<name>.yaml` beside this file; read once per process.

    Tables differ in shape: who reads one knows what is in it.
    """
    loaded: dict[str, Any] = word_list(_FOLDER / f"{name}.yaml")
    return loaded
