"""Questions for figures: what is to be counted, and by what.

A question that says anything else beside is not answered as if it did not: *how many cases of ours
are from Berlin* is not *how many cases*.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pydantic import Field

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.core.calendar.periods import split_question
from tasks.core.words.sentences import fold

_FILE = Path(lexicon.__file__).with_name("figures.yaml")
SUBJECTS = ("mails", "cases", "contacts", "replies", "promises")
DIMENSIONS = ("day", "category", "priority", "language", "state", "sender", "plan")


_NOUNS = ("complaint", "feature_request", "spam")
"""Categories whose name is a thing that is counted: a complaint is a case."""


class Figures(Record):
    """What is to be counted."""

    subject: str
    by: str = ""
    """By what; empty for one figure."""
    where: dict[str, str] = Field(default_factory=dict)
    """What has to hold of it, by dimension."""
    when: str = ""
    """Words for the days it is about."""
    language: str = "en"
    unread: str = ""
    """Words of the question that were not understood; then it is not what was asked."""


def find_figures(text: str, language: str) -> Figures | None:
    """Return what a question wants counted; None where it names nothing that can be."""
    lists = _read_lists(language)
    text_words, when = split_question(text, language)
    conditions = _read_conditions(lists, text_words)
    subjects = [name for name in SUBJECTS if not lists[name].isdisjoint(text_words)]
    if not subjects and conditions.get("category") in _NOUNS:
        subjects = ["cases"]
    if not subjects and "verdict" in conditions:
        subjects = ["mails"]
    dimensions = [name for name in DIMENSIONS if not lists[name].isdisjoint(text_words)]
    if len(subjects) != 1 or len(dimensions) > 1:
        return None
    of_values = [f"{name}_{value}" for name, value in conditions.items()]
    names = ("around", "by", *subjects, *dimensions, *of_values)
    known_words = frozenset().union(*(lists[name] for name in names))
    if subjects == ["replies"]:  # which are ours: what others answered is not counted
        known_words -= lists["received"]
    return Figures(
        subject=subjects[0],
        by=dimensions[0] if dimensions else "",
        where=conditions,
        when=when,
        language=language,
        unread=" ".join(word for word in text_words if word not in known_words),
    )


def find_language_named(text: str, language: str) -> str:
    """Return the code of the language that a word names; empty where it names none.

    Words for days beside it are passed over.
    """
    spoken = split_question(text, language).words
    conditions = _read_conditions(_read_lists(language), spoken[:1]) if len(spoken) == 1 else {}
    return conditions.get("language", "")


def _read_conditions(
    lists: Mapping[str, frozenset[str]], text_words: Sequence[str]
) -> dict[str, str]:
    """Return the values of dimensions that words name; the first of each."""
    conditions: dict[str, str] = {}
    for listed, value_words in lists.items():
        name, mark, value = listed.partition("_")
        if mark and not value_words.isdisjoint(text_words):
            conditions.setdefault(name, value)
    return conditions


@cache
def _read_lists(language: str) -> dict[str, frozenset[str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    chosen = table.get(language, table["en"])
    return {
        name: frozenset(fold(word.strip()) for word in listed.split(","))
        for name, listed in chosen.items()
    }
