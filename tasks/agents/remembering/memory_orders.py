"""Orders to an agent's memory: to remember, to tell what it remembers, or to forget.

A message has to begin with such words, in one of four languages; the rest of it is what is meant.
What is not recognized is left to who thinks.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.agents.memories import LayerKind
from data.records.core.record import Record
from data.word_forms import strip_accents
from data.word_lists import word_list
from tasks.core.language.lists import LANGUAGES, language_of

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
    layer: LayerKind | None = None
    """For whom it is to be remembered, where that is said: *for everybody*."""
    language: str


_BY_WHOM = {
    f"for_{kind}": kind for kind in (LayerKind.ORGANIZATION, LayerKind.TEAM, LayerKind.USER)
}
"""The layers that one says something is for, by the names of their lists."""


def find_wish(text: str) -> MemoryWish | None:
    """Return what a message wants of an agent's memory; None where it is about something else.

    Where the word for it is one of several languages (*note*), the message's own goes first.
    """
    own = language_of(text)
    for language in sorted(LANGUAGES, key=lambda code: code != own):
        whole = text.strip(_BETWEEN)
        rest = _find_after(whole, _read_rows(language, "please")) or whole
        asks = text.rstrip().endswith("?") and rest == whole
        if _find_after(rest.replace(",", ""), _read_rows(language, "not_remember")) is not None:
            continue
        for wish in (MemoryOrder.RECALL, MemoryOrder.FORGET, MemoryOrder.REMEMBER):
            meant = _find_after(rest, _read_rows(language, wish))
            if meant is None or (wish is MemoryOrder.REMEMBER and asks):
                continue
            return _build_wish(wish, meant, language)
    return None


def _build_wish(wish: MemoryOrder, meant: str, language: str) -> MemoryWish:
    if wish is MemoryOrder.FORGET and (not meant or _is_row(meant, _read_rows(language, "back"))):
        return MemoryWish(wish=wish, what="", language=language)
    layer = None
    if wish is MemoryOrder.REMEMBER:
        what, layer = _split_off_whom(meant, language)
    else:
        what = _find_after(meant, _read_rows(language, "that")) or meant
    oneself = wish is MemoryOrder.RECALL and (not what or _is_row(what, _read_rows(language, "me")))
    return MemoryWish(wish=wish, what=what, about_oneself=oneself, layer=layer, language=language)


def _split_off_whom(meant: str, language: str) -> tuple[str, LayerKind | None]:
    """Return what is to be remembered, and for whom where that is said before it.

    Behind it a colon or *that* has to come: *for all orders above 50 euros* is a part of
    what holds, and so is *für uns ist …*.
    """
    plain = strip_accents(meant).lower().replace("’", "'")
    for name, layer in _BY_WHOM.items():
        for row in _read_rows(language, name):
            if not plain.startswith(row):
                continue
            rest = meant[len(row) :].lstrip()
            if rest.startswith(":"):
                return rest.strip(_BETWEEN), layer
            if what := _find_after(rest.lstrip(" ,"), _read_rows(language, "that")):
                return what, layer
    return _find_after(meant, _read_rows(language, "that")) or meant, None


def _find_after(text: str, rows: Sequence[str]) -> str | None:
    """Return what stands behind the row that a text begins with; None where it begins with none."""
    plain = strip_accents(text).lower().replace("’", "'")
    for row in rows:
        if plain.startswith(row) and not plain[len(row) : len(row) + 1].isalnum():
            return text[len(row) :].strip(_BETWEEN)
    return None


def _is_row(text: str, rows: Sequence[str]) -> bool:
    return strip_accents(text).lower() in rows


@cache
def _read_rows(language: str, name: str) -> tuple[str, ...]:
    """Return the rows of a list, the longest first."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    rows = (row.strip() for row in table[language][name].split(","))
    return tuple(sorted({strip_accents(row).lower() for row in rows}, key=len, reverse=True))
