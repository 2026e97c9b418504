"""Vocabulary, patterns and tables that the screen's rules are built from."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FOLDER = Path(__file__).parent
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same language, ten times as fast


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
def read(name: str) -> dict[str, Any]:
    """Return the content of `<name>.yaml` beside this file; read once per process."""
    text = (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=_LOADER)  # noqa: S506  # a safe loader
    return loaded
