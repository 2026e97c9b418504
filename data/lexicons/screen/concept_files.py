"""The words of the screen by concept: `concepts/*.yaml`, one schema for all of them.

    override:                      # a name that no other file has
      means: take no notice of …   # in a sentence, for a person
      match: words                 # or `patterns`
      kind: 0                      # the number under which the classifier counts it, if it does
      shared:                      # read by the rules, and learned by the classifier
        en: [ignore, "pay no heed to", disregard*]
      rules:                       # read by the rules alone: may change without new weights
        en: [scrap]
      classifier:                  # learned, and by the rules read no more

Words are compared without case, accents and apostrophes. `ignor*` stands for every word that begins
so; an entry of several words is a phrase, each word of which may end in `*`. Patterns are
alternatives of RE2, matched without regard to case. Languages are those of ISO 639-1, and `und` is
none or any.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path

import re2
import yaml
from pydantic import Field, model_validator

from data.errors import ManifestError
from data.manifest_files import validate_values
from data.records.core.record import Record
from data.word_lists import word_list

FOLDER = Path(__file__).with_name("concepts")
ConceptWords = Mapping[str, tuple[str, ...]]
"""What is read in each language."""
_LANGUAGE = re2.compile(r"^(?:[a-z]{2}|und)$")
_STARRED_BEGINNING = 3
"""Letters that an entry with a star has at least: fewer would begin too many words."""


class Match(StrEnum):
    """How entries are found in a text."""

    WORDS = "words"
    """Word by word, folded."""
    PATTERNS = "patterns"
    """As alternatives of RE2."""


class Concept(Record):
    """Words that mean the same to the screen, by language."""

    means: str
    """What they say, for a person."""
    match: Match = Match.WORDS
    """How they are found."""
    kind: int | None = None
    """The number under which the classifier counts the concept; None where it never learned it."""
    shared: ConceptWords = Field(default_factory=dict)
    """Read by the rules, and learned by the classifier."""
    rules: ConceptWords = Field(default_factory=dict)
    """Read by the rules alone."""
    classifier: ConceptWords = Field(default_factory=dict)
    """Learned by the classifier, and read by the rules no more."""

    @model_validator(mode="after")
    def _is_sound(self) -> "Concept":
        languages = [*self.shared, *self.rules, *self.classifier]
        if not languages:
            raise ValueError("lists no words; add some or remove it")
        if unknown := sorted(code for code in languages if _LANGUAGE.search(code) is None):
            raise ValueError(f"{unknown[0]!r} is no language; write one of ISO 639-1, or 'und'")
        for language in dict.fromkeys(languages):
            _check_entries(self.all_in(language), self.match)
        if (self.kind is None) == bool(self.shared or self.classifier):
            raise ValueError("has a 'kind' if and only if the classifier learned words of it")
        return self

    def all_in(self, language: str) -> tuple[str, ...]:
        """Return every entry of a language, whoever reads it."""
        return tuple(chain.from_iterable(part.get(language, ()) for part in self._parts()))

    def _parts(self) -> tuple[ConceptWords, ConceptWords, ConceptWords]:
        return self.shared, self.rules, self.classifier


def _check_entries(entries: Iterable[str], match: Match) -> None:
    """Refuse entries that stand for nothing, for too much, or twice."""
    met: set[str] = set()
    for entry in entries:
        if not entry.strip():
            raise ValueError("has an empty entry; remove it")
        if entry in met:
            raise ValueError(f"lists {entry!r} twice in one language; remove one of them")
        met.add(entry)
        if match is Match.WORDS:
            _check_stars(entry)


def _check_stars(entry: str) -> None:
    """Refuse stars within words, which stand for nothing, and after too few letters."""
    words = entry.split()
    if any("*" in word[:-1] for word in words):
        raise ValueError(f"the entry {entry!r} has a star within a word; end the word with it")
    if words[0].endswith("*") and len(words[0]) <= _STARRED_BEGINNING:
        raise ValueError(f"the entry {entry!r} would begin too many words; name them")


@cache
def concepts_of(file: str, folder: Path = FOLDER) -> Mapping[str, Concept]:
    """Return the concepts of `<file>.yaml` by name, in their order.

    Raises:
        ManifestError: the file is not there or not valid; names file, concept and what to do.

    """
    path = folder / f"{file}.yaml"
    try:
        content = word_list(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ManifestError(
            f"{str(path)!r} cannot be read ({error}); restore it from the release"
        ) from error
    if not isinstance(content, dict):
        raise ManifestError(f"{str(path)!r} holds no concepts; restore it from the release")
    return {
        str(name): validate_values(
            Concept, own if isinstance(own, dict) else {}, f"{path.name}: {name}"
        )
        for name, own in content.items()
    }


def concepts_in(files: Iterable[str], folder: Path = FOLDER) -> Mapping[str, Concept]:
    """Return the concepts of several files, each name once.

    Raises:
        ManifestError: a file is not valid, or two of them have the same name.

    """
    every: dict[str, Concept] = {}
    for file in files:
        own = concepts_of(file, folder)
        if twice := sorted(every.keys() & own.keys()):
            raise ManifestError(f"{file}.yaml: {twice[0]!r} stands in another file too; rename it")
        every.update(own)
    return every


def rule_words(concept: Concept) -> dict[str, tuple[str, ...]]:
    """Return what the rules read, by language."""
    return _merge_parts((concept.shared, concept.rules))


def learned_words(concept: Concept) -> dict[str, tuple[str, ...]]:
    """Return what the classifier learned, by language."""
    return _merge_parts((concept.shared, concept.classifier))


def _merge_parts(parts: Iterable[ConceptWords]) -> dict[str, tuple[str, ...]]:
    merged: dict[str, tuple[str, ...]] = {}
    for language, entries in _pairs(parts):
        merged[language] = merged.get(language, ()) + entries
    return merged


def _pairs(parts: Iterable[ConceptWords]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for part in parts:
        yield from part.items()
