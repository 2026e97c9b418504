"""Vocabulary, patterns and tables that the screen's rules are built from."""

from functools import cache
from pathlib import Path
from typing import Any

from data.word_lists import word_list

_FOLDER = Path(__file__).parent
_RULES_ALONE = (
    "vocabulary_usual",
    "vocabulary_idiom",
    "vocabulary_documents",
    "vocabulary_orders",
    "vocabulary_world",
    "vocabulary_telling",
)
"""Files of words that the rules alone read, in this order."""


@cache
def concepts() -> dict[str, dict[str, list[str]]]:
    """Return the words of each concept by language, from both files that list them."""
    found = {
        name: {language: list(words) for language, words in own.items()}
        for name, own in read("vocabulary").items()
    }
    for name, own in read("vocabulary_further").items():
        for language, words in own.items():
            found[name].setdefault(language, []).extend(words)
    return found


@cache
def rule_concepts() -> dict[str, dict[str, list[str]]]:
    """Return the words that the rules know: `concepts`, as the files of `_RULES_ALONE` change them.

    The classifier learns from `concepts` alone, so these can change without new weights.
    """
    found = {
        name: {language: list(words) for language, words in own.items()}
        for name, own in concepts().items()
    }
    for file in _RULES_ALONE:
        for name, own in read(file).items():
            for language, words in own.items():
                taken = {word[1:] for word in words if word.startswith("-")}
                held = found.setdefault(name, {}).get(language, [])
                added = [word for word in words if not word.startswith("-")]
                found[name][language] = [word for word in held if word not in taken] + added
    return found


@cache
def read(name: str) -> dict[str, Any]:
    """Return the content of `<name>.yaml` beside this file; read once per process."""
    loaded: dict[str, Any] = word_list(_FOLDER / f"{name}.yaml")
    return loaded


def joined(text: str) -> str:
    """Return alternatives of a pattern, written over several lines, as one line."""
    return "|".join(part.strip() for part in text.split("|"))
