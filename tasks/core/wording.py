"""The sentences of the embedded agent in the languages that it answers in."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

import data.lexicons.wording as lexicon
from data.word_lists import word_list

_FILES = tuple(
    Path(lexicon.__file__).with_name(name) for name in ("answers.yaml", "answers_of_line.yaml")
)
_WORDS = "words"
"""The key of a language that holds words of results, not a sentence."""
PLAIN = "en"


def word_sentence(language: str, key: str, **given: object) -> str:
    """Return a sentence in a language; in English where there is none in that language."""
    return _sentences(language)[key].format(**given)


def day_words(day: date, language: str = PLAIN) -> str:
    """Return a day in words: *Friday, 4 December 2026*."""
    return word_sentence(language, "day", **day_parts(day, language))


def day_parts(day: date, language: str) -> dict[str, object]:
    """Return what a day is written of: the names of weekday and month, day and year as numbers."""
    sentences = _sentences(language)
    return {
        "weekday": sentences["weekdays"].split(", ")[day.weekday()],
        "month": sentences["months"].split(", ")[day.month - 1],
        "number": day.day,
        "year": day.year,
    }


def word_for(language: str, word: str) -> str:
    """Return a word of a result (*urgent*, *3 hours*) in a language; itself where none is known."""
    words = _words(language)
    if word in words:
        return words[word]
    number, _, unit = word.partition(" ")
    return f"{number} {words[unit]}" if number.isdigit() and unit in words else word


def languages() -> tuple[str, ...]:
    """Return the languages that the embedded agent answers in."""
    return tuple(_table())


def _sentences(language: str) -> Mapping[str, str]:
    return _table().get(language) or _table()[PLAIN]


@cache
def _table() -> dict[str, dict[str, str]]:
    """Return the sentences of each language, of all files together."""
    table: dict[str, dict[str, str]] = {}
    for file in _FILES:
        written: dict[str, dict[str, str]] = word_list(file)
        for language, sentences in written.items():
            own = {key: said for key, said in sentences.items() if key != _WORDS}
            table.setdefault(language, {}).update(own)
    return table


@cache
def _words(language: str) -> dict[str, str]:
    """Return the words of results in a language, of all files together."""
    words: dict[str, str] = {}
    for file in _FILES:
        written: dict[str, dict[str, dict[str, str]]] = word_list(file)
        words.update(written.get(language, {}).get(_WORDS, {}))
    return words
