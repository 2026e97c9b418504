"""Whether somebody tells an agent to remember, asks what it remembers, or tells it to forget.

A message has to begin with such words, in one of four languages; the rest of it is what is meant.
What is not recognized is left to who thinks.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.word_forms import bare
from data.word_lists import word_list
from tasks.core.language.lists import LANGUAGES

_FILE = Path(lexicon.__file__).with_name("asked_of_memory.yaml")
_BETWEEN = " ,:;.-–—!?¿¡\"'“”„«»"


class MemoryOrder(StrEnum):
    """What an agent is to do with its memory."""

    REMEMBER = "remember"
    RECALL = "recall"
    FORGET = "forget"


class MemoryWish(Record):
    """What somebody wants of an agent's memory."""

    wish: MemoryOrder
    what: str
    """What to remember, what is asked for, or what to forget; empty for what was said last."""
    about_oneself: bool = False
    """Whether everything that is known of who asks is asked for."""
    language: str


def wish_of(text: str) -> MemoryWish | None:
    """Return what a message wants of an agent's memory; None where it is about something else."""
    for language in LANGUAGES:
        whole = text.strip(_BETWEEN)
        rest = _after(whole, _rows(language, "please")) or whole
        asks = text.rstrip().endswith("?") and rest == whole
        if _after(rest.replace(",", ""), _rows(language, "not_remember")) is not None:
            continue
        for wish in (MemoryOrder.RECALL, MemoryOrder.FORGET, MemoryOrder.REMEMBER):
            meant = _after(rest, _rows(language, wish))
            if meant is None or (wish is MemoryOrder.REMEMBER and asks):
                continue
            return _wish(wish, meant, language)
    return None


def _wish(wish: MemoryOrder, meant: str, language: str) -> MemoryWish:
    if wish is MemoryOrder.FORGET and (not meant or _is(meant, _rows(language, "back"))):
        return MemoryWish(wish=wish, what="", language=language)
    without_that = _after(meant, _rows(language, "that"))
    what = meant if without_that is None or not without_that else without_that
    oneself = wish is MemoryOrder.RECALL and (not what or _is(what, _rows(language, "me")))
    return MemoryWish(wish=wish, what=what, about_oneself=oneself, language=language)


def _after(text: str, rows: Sequence[str]) -> str | None:
    """Return what stands behind the row that a text begins with; None where it begins with none."""
    plain = bare(text).lower().replace("’", "'")
    for row in rows:
        if plain.startswith(row) and not plain[len(row) : len(row) + 1].isalnum():
            return text[len(row) :].strip(_BETWEEN)
    return None


def _is(text: str, rows: Sequence[str]) -> bool:
    return bare(text).lower() in rows


@cache
def _rows(language: str, name: str) -> tuple[str, ...]:
    """Return the rows of a list, the longest first."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    rows = (row.strip() for row in table[language][name].split(","))
    return tuple(sorted({bare(row).lower() for row in rows}, key=len, reverse=True))
