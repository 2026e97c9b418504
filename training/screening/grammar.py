"""Grammars of attacks and of ordinary text: productions that grow into many wordings.

A written line shows one combination of words; a production shows what may be combined, so that the
classifier learns the combination and not its words (a grammar for synthetic data as in J. Wagner
et al., "Overnight", ACL 2015). A production is a family: its growths are never on two sides.

`[name]` takes one of the alternatives of a name, `[one|other]` one of these, `[one|]` maybe none;
they nest. `((` and `))` are square brackets of the text. Slots in braces are filled as in any line.
"""

import random
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from data.errors import SettingsError

CORPUS = Path(__file__).parents[1] / "corpora" / "screening"
GROWTHS = {"en": 6}
"""Texts that are made of one production, by language."""
OTHER_GROWTHS = 3
"""Of the languages not named there: English stays about half of what is learned."""
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_BEFORE_MARKS = re.compile(r"(?<=\S) +(?=[,.:;!?](?:\s|$))")
_SENTENCE = re.compile(r"(^|[.!?] )([^\W\d_])")
_LONGEST = 20_000
"""Letters from which a production is held to grow without end."""


class Grammar:
    """The productions of one language."""

    def __init__(self, files: Sequence[Mapping[str, Any]], growths: int = OTHER_GROWTHS) -> None:
        self._growths = growths
        self._sections: dict[str, dict[str, list[str]]] = {"attacks": {}, "benign": {}}
        self._words: dict[str, Mapping[str, Sequence[str]]] = {}
        for held in files:
            given = held.get("words", {}).items()
            words = {name: _alternatives(str(value)) for name, value in given}
            for section, kinds in self._sections.items():
                for kind, block in held.get(section, {}).items():
                    own = [line.strip() for line in block.splitlines() if line.strip()]
                    kinds.setdefault(kind, []).extend(own)
                    self._words.update(dict.fromkeys(own, words))

    @property
    def growths(self) -> range:
        """The serials of the texts that each production is learned in."""
        return range(self._growths)

    def productions(self, section: str) -> dict[str, list[str]]:
        """Return the productions of `attacks` or `benign` by technique or kind."""
        return self._sections[section]

    def grown(self, production: str, serial: int) -> str:
        """Return the text that `production` grows into; the same for the same `serial`.

        Raises `SettingsError` for a name that its file does not have.
        """
        chance = random.Random(zlib.crc32(f"{serial} {production}".encode()))
        words = self._words[production]
        text = production
        while _CHOICE.search(text) is not None:
            if len(text) > _LONGEST:
                raise SettingsError(f"The production {production!r} grows without end.")
            text = _CHOICE.sub(lambda found: _one(found[1], words, chance), text)
        return _tidy(text.replace("((", "[").replace("))", "]"))


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language; without productions where none is written."""
    names = sorted(CORPUS.glob(f"grammar*-{language}.yaml"))
    files = [yaml.load(name.read_text(encoding="utf-8"), yaml.CSafeLoader) for name in names]
    return Grammar(files, GROWTHS.get(language, OTHER_GROWTHS))


def _alternatives(value: str) -> list[str]:
    """Part at the bars that stand in no bracket."""
    found, depth = [""], 0
    for letter in value.strip():
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one.strip() for one in found]


def _one(inside: str, words: Mapping[str, Sequence[str]], chance: random.Random) -> str:
    if "|" in inside:
        return chance.choice(inside.split("|"))
    if inside not in words:
        raise SettingsError(f"The grammar has no words for [{inside}]; add them under `words`.")
    return chance.choice(words[inside])


def _tidy(text: str) -> str:
    """Return `text` with marks and capitals as people write them."""
    text = " ".join(_BEFORE_MARKS.sub("", text).split())
    return _SENTENCE.sub(lambda found: found[1] + found[2].upper(), text)
