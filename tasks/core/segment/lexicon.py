"""The phrases of `data/lexicons/reading/`, read once."""

from functools import cache
from pathlib import Path
from typing import Any

import data
from data.word_lists import word_list

COLONS = (":", "\uff1a")
"""What stands after a label or an attribution; the second is that of Chinese and Japanese."""
_FOLDER = Path(data.__file__).parent / "lexicons" / "reading"


@cache
def lexicon(name: str) -> dict[str, Any]:
    """Return the content of `data/lexicons/reading/<name>.yaml`; each has a shape of its own."""
    content: dict[str, Any] = word_list(_FOLDER / f"{name}.yaml")
    return content


def phrases(name: str, key: str) -> frozenset[str]:
    """Return the phrases under `key`, case-folded; a mapping by language is flattened."""
    phrase_lists = lexicon(name)[key]
    lists = phrase_lists.values() if isinstance(phrase_lists, dict) else [phrase_lists]
    return frozenset(
        str(phrase).casefold() for listed_phrases in lists for phrase in listed_phrases
    )
