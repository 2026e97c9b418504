"""Words beside secrets, and beside numbers that look like secrets and are none."""

from functools import cache
from importlib.resources import files

import yaml


@cache
def secret_words(group: str) -> tuple[str, ...]:
    """Return the folded words of a group of `words.yaml`, longest first.

    Raises:
        KeyError: there is no such group.

    """
    text = files(__name__).joinpath("words.yaml").read_text(encoding="utf-8")
    return tuple(sorted(set(yaml.safe_load(text)[group]), key=lambda word: (-len(word), word)))
