"""Questions for figures: what is to be counted, and by what.

A question that says anything else beside is left alone: *how many cases of last year are ours* is
not *how many cases*.
"""

from functools import cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.words.sentences import fold, words

_FILE = Path(lexicon.__file__).with_name("figures.yaml")
SUBJECTS = ("mails", "cases", "contacts", "replies", "promises")
DIMENSIONS = ("day", "category", "priority", "language", "state", "sender", "plan")


class Figures(Record):
    """What is to be counted."""

    subject: str
    by: str = ""
    """By what; empty for one figure."""


def figures_in(text: str, language: str) -> Figures | None:
    """Return what a question wants counted; None where it says more than that."""
    lists = _lists(language)
    text_words = words(text)
    subjects = [name for name in SUBJECTS if any(word in lists[name] for word in text_words)]
    dimensions = [name for name in DIMENSIONS if any(word in lists[name] for word in text_words)]
    known_words = lists["around"] | lists["by"]
    for name in (*subjects, *dimensions):
        known_words = known_words | lists[name]
    if (
        len(subjects) != 1
        or len(dimensions) > 1
        or any(word not in known_words for word in text_words)
    ):
        return None
    return Figures(subject=subjects[0], by=dimensions[0] if dimensions else "")


@cache
def _lists(language: str) -> dict[str, frozenset[str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    chosen = table.get(language, table["en"])
    return {
        name: frozenset(fold(word.strip()) for word in listed.split(","))
        for name, listed in chosen.items()
    }
