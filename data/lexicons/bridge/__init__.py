"""A small dictionary from seven languages to English: words of mail, by their beginnings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CODES = ("de", "fr", "es", "it", "pt", "nl", "pl")
"""Languages of the columns after the first, ISO 639-1."""

_FILE = Path(__file__).with_name("words.txt")
_BEGINS = 5
"""Letters from which on a word stands for every word that begins with it."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One language: English words by whole words, and by the beginnings of words."""

    whole: Mapping[str, str]
    begin: Mapping[str, str]


@cache
def columns() -> Mapping[str, Column]:
    """Return the dictionary by language; the first line that names a word wins."""
    column_by_code: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        code: ({}, {}) for code in CODES
    }
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        head, *cells = (cell.strip() for cell in line.split("|"))
        for code, cell in zip(CODES, cells, strict=True):
            whole, begin = column_by_code[code]
            for word in cell.split():
                bare = word.rstrip("-=")
                wide = word.endswith("-") or (len(bare) >= _BEGINS and not word.endswith("="))
                (begin if wide else whole).setdefault(bare, head.rstrip("="))
    return {
        code: Column(whole=whole, begin=begin) for code, (whole, begin) in column_by_code.items()
    }
