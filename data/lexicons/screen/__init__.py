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
def rule_concepts() -> dict[str, dict[str, list[str]]]:
    """Return the words that the rules know: `concepts`, as `vocabulary_usual.yaml` changes them.

    The classifier learns from `concepts` alone, so these can change without new weights.
    """
    found = {
        name: {language: list(words) for language, words in own.items()}
        for name, own in concepts().items()
    }
    for name, own in read("vocabulary_usual").items():
        for language, words in own.items():
            taken = {word[1:] for word in words if word.startswith("-")}
            held = found.setdefault(name, {}).get(language, [])
            added = [word for word in words if not word.startswith("-")]
            found[name][language] = [word for word in held if word not in taken] + added
    return found


@cache
def read(name: str) -> dict[str, Any]:
    """Return the content of `<name>.yaml` beside this file; read once per process."""
    text = (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=_LOADER)  # noqa: S506  # a safe loader
    return loaded
