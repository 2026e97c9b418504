"""Words by which people go on with what was said before, in every language that is read."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import data.lexicons.agents as lexicon
from data.word_lists import word_list
from tasks.agents.alternations import build_alternation, split_list
from tasks.agents.orders import list_said_words
from tasks.core.language.lists import LANGUAGES
from tasks.core.patterns import compiled

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("going_on.yaml")
EDGES = " \t\n.,:;!?¿¡…-–"


def cut_filling(text: str) -> str:
    """Return words without those at their ends that say nothing."""
    bare = text.strip(EDGES)
    while (match := _build_filling_pattern().search(bare)) is not None:
        bare = (bare[: match.start()] + bare[match.end() :]).strip(EDGES)
    return bare


def find_words_after(text: str, *names: str) -> str | None:
    """Return what follows the words of these lists that a message begins with; None for none."""
    match = _build_leading_pattern(names).match(text)
    return None if match is None else text[match.end() :].strip(EDGES)


@cache
def _build_leading_pattern(names: tuple[str, ...]) -> "re2._Regexp":
    return compiled(
        rf"(?i)^[\s¿¡]*(?:{build_alternation(_list_entries(*names))})(?:[\s,;:.!?…]+|$)"
    )


@cache
def _build_filling_pattern() -> "re2._Regexp":
    filling = build_alternation(_list_entries("filling"))
    return compiled(rf"(?i)^(?:{filling})[\s,]+|[\s,]+(?:{filling})$")


@cache
def list_word_rows(*names: str) -> frozenset[tuple[str, ...]]:
    """Return the entries of these lists, as words."""
    return frozenset(list_said_words(row) for row in _list_entries(*names))


@cache
def list_row_words(*names: str) -> frozenset[str]:
    """Return the single words of these lists."""
    return frozenset(word for row in list_word_rows(*names) for word in row)


@cache
def _list_entries(*names: str) -> tuple[str, ...]:
    """Return the entries of these lists in every language."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return tuple(
        row for language in LANGUAGES for name in names for row in split_list(table[language][name])
    )
