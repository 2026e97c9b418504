"""Promises that nobody has made, which a letter is shown with to see whether it is read."""

from functools import cache
from pathlib import Path

from data.word_lists import word_list


@cache
def planted_promise(language: str) -> str:
    """Return the sentence in a language; empty where there is none."""
    return str(word_list(Path(__file__).parent / "planted.yaml").get(language, ""))
