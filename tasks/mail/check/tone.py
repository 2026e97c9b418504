"""The tone of a draft: insults, shouting, and the form of address that the policy asks for.

First version: lists of words in eight languages; irony and coldness are not heard.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import data.lexicons.drafting as lexicon
from data.word_lists import word_list
from tasks.core.words.sentences import fold

_FILE = Path(lexicon.__file__).with_name("tone.yaml")
_LOUD_WORDS = 3
"""Words in capitals in a row that are shouting; names and codes come alone or in pairs."""
_LOUD_LETTERS = 3
_EDGES = "\"'«»“”„()[]¿¡,;:.!?…"
_CASED = {("de", "formal"), ("it", "formal")}
"""Lists whose words mean something else in lower case."""


class ToneFound(NamedTuple):
    """One thing about a sentence's tone."""

    check: str
    """`insult`, `shouting` or `wrong_address`."""
    excerpt: str
    why: str
    cost: float
    """What remains of the tone with it, 0 to 1."""


def tone_of(sentences: Sequence[str], language: str, formality: str) -> list[ToneFound]:
    """Return what is wrong with the tone of sentences; `formality` is the policy's, or empty."""
    faults: list[ToneFound] = []
    for sentence in sentences:
        bare = [word.strip(_EDGES) for word in sentence.split()]
        if (insult := _of_list(bare, "insults", language)) is not None:
            faults.append(ToneFound("insult", insult, "This may insult the reader.", 0.0))
        if (loud := _shouted(sentence, bare)) is not None:
            faults.append(ToneFound("shouting", loud, "This reads as shouting.", 0.5))
        other = {"formal": "informal", "informal": "formal"}.get(formality, "")
        if other and (word := _of_list(bare, other, language)) is not None:
            why = f"This addresses the reader in the {other} way; the policy asks for {formality}."
            faults.append(ToneFound("wrong_address", word, why, 0.5))
    return faults


def _shouted(sentence: str, bare: Sequence[str]) -> str | None:
    """Return what shouts in a sentence: capitals, or exclamation marks in a row."""
    if "!!" in sentence:
        return "!!"
    row: list[str] = []
    for word in [*bare, ""]:
        loud = word.isalpha() and word.isupper() and len(word) >= _LOUD_LETTERS
        if loud:
            row.append(word)
        elif len(row) >= _LOUD_WORDS:
            return " ".join(row)
        else:
            row = []
    return None


def _of_list(bare: Sequence[str], name: str, language: str) -> str | None:
    """Return the first word or phrase of a sentence that is on a list, as written."""
    cased = (language, name) in _CASED
    words = _words(name, language, cased=cased)
    list_words = list(bare) if cased else [fold(word) for word in bare]
    for at, word in enumerate(list_words):
        for size in (1, 2):
            if " ".join(list_words[at : at + size]) in words and not (cased and at == 0):
                return " ".join(bare[at : at + size]) or word
    return None


@cache
def _words(name: str, language: str, *, cased: bool) -> frozenset[str]:
    listed = [word.strip() for word in _table()[name].get(language, "").split(",") if word.strip()]
    return frozenset(listed if cased else map(fold, listed))


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table
