"""The families of the screen's corpus: what is written in `training/corpora/screening`.

Every line is a template family of its own. All are learned from; what is measured on are mails of
other hands (`training/corpora/screening_measured`), so no family stands on both sides.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from training.compose import Message, messages
from training.screening.grammar import CORPUS, grammar
from training.screening.whole_mails import whole_mails
from training.screening.words import SLOT, Words, broken, choices_of

IMPLICIT = frozenset({"task_injection"})
"""Techniques left out: a task without a word about machines or instructions is no explicit attack,
and the same words are what people ask each other, and a chatbot."""
NEUTRAL_SHARE = 0.1
NAMES = ("name", "ref")
"""Slots that any language may fill with the words of English."""
FOLDS = 3
"""Families are dealt to so many folds, to weigh clues on families not learned."""
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "pl", "ru", "zh", "nl", "tr", "ja", "ar")


@dataclass(frozen=True, kw_only=True)
class Fold:
    """The families of one fold, or all others."""

    number: int
    held: bool


PARAPHRASES = ("ampler", "broader", "fresh", "further")
"""Files named so hold techniques in unusual words; the others hold them in those usually used."""


SCENES = "scenes"
"""Files named so hold attacks of many situations, each plain to whoever reads it, and beside them
honest mail with the same words."""
GRAMMARS = "grammar"
"""Files named so hold productions, see `training.screening.grammar`."""


@cache
def usual(language: str) -> frozenset[str]:
    """Return the templates of a language that say a technique in the words usually used."""
    own = _templates(language, lambda name: not any(word in name for word in _NOT_USUAL))
    return own | whole(language)


@cache
def plain(language: str) -> frozenset[str]:
    """Return the templates of a language that stand in files of scenes, or are whole mails."""
    return _templates(language, lambda name: name.startswith(SCENES)) | whole(language)


_NOT_USUAL = (*PARAPHRASES, GRAMMARS, SCENES)


@cache
def whole(language: str) -> frozenset[str]:
    """Return the templates of a language that are whole mails."""
    return frozenset(mail.template for mail in whole_mails(language))


def _templates(language: str, wanted: Callable[[str], bool]) -> frozenset[str]:
    return frozenset(
        line
        for path in sorted(CORPUS.glob(f"*{language}.yaml"))
        if wanted(path.stem)
        for line in _lines_of(path.read_text(encoding="utf-8"))
    )


@cache
def _files(language: str) -> tuple[dict[str, Any], ...]:
    """Read all files of a language, in the order of their names."""
    found = []
    for path in sorted(CORPUS.glob("*.yaml")):
        if path.stem.rpartition("-")[2] == language and not path.stem.startswith(GRAMMARS):
            loaded = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
            found.append(_nested(path.stem, loaded))
    return tuple(found)


def _nested(name: str, loaded: dict[str, Any]) -> dict[str, Any]:
    """Return a file with its sections at the top; some files are one section each."""
    section = name.partition("-")[0]
    return {section: loaded} if section in ("attacks", "benign", "manner") else loaded


def _blocks(section: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield (technique or kind, its lines) of a section, wherever they stand."""
    for held in _files(language):
        for key, block in held.get(section, {}).items():
            if isinstance(block, str) and key != "language":
                yield key, block


def lines(section: str, language: str) -> dict[str, list[str]]:
    """Return the templates of a section by technique or kind, and those of whole mails."""
    found: dict[str, list[str]] = {}
    for key, block in _blocks(section, language):
        if key not in IMPLICIT:
            found.setdefault(key, []).extend(_lines_of(block))
    for mail in whole_mails(language) if section != "manner" else ():
        if mail.attack == (section == "attacks"):
            found.setdefault(mail.kind, []).append(mail.template)
    return found


def _lines_of(block: str) -> list[str]:
    return [line.strip() for line in block.strip().splitlines() if line.strip()]


def slots_of(language: str) -> dict[str, list[str]]:
    """Return what may fill the slots of a language's attacks."""
    found: dict[str, list[str]] = {}
    for held in _files(language):
        own = held.get("slots") or held.get("attacks", {}).get("slots", {})
        for name, value in own.items():
            words = [line.strip() for line in choices_of(value)]
            found.setdefault(name, []).extend(words)
    return found


def words(language: str, fold: Fold | None, neutral: list[str]) -> Words:
    """Return what fills the slots of a language's attacks."""
    slots, english = {}, slots_of("en")
    plain = {name: english[name] for name in NAMES}
    for name, choices in (plain | slots_of(language)).items():
        slots[name] = [word for word in choices if in_fold(word, fold)] or choices
    return Words(slots, neutral, 0.0 if held_back(fold) else NEUTRAL_SHARE)


def raw_lines(fold: Fold | None = None) -> Iterator[str]:
    """Yield every line that somebody wrote: templates with empty slots, fillings, ordinary text."""
    for language in LANGUAGES:
        for section in ("attacks", "benign", "manner"):
            for texts in of_fold(lines(section, language), fold).values():
                yield from (broken(SLOT.sub(" ", text)) for text in texts)
            yield from _grown_lines(section, language, fold)
        for choices in slots_of(language).values():
            yield from (SLOT.sub(" ", word) for word in choices if in_fold(word, fold))
    yield from sorted({item.core for item in everyday() if in_fold(item.core, fold)})


def grown(
    section: str, language: str, fold: Fold | None = None
) -> dict[str, list[tuple[str, str]]]:
    """Return (production, what it grew into) by technique or kind."""
    own = grammar(language)
    if section not in ("attacks", "benign"):
        return {}
    return {
        kind: [(line, own.grown(line, serial)) for line in held for serial in own.growths]
        for kind, held in of_fold(own.productions(section), fold).items()
    }


def _grown_lines(section: str, language: str, fold: Fold | None) -> Iterator[str]:
    for texts in grown(section, language, fold).values():
        yield from (broken(SLOT.sub(" ", text)) for _, text in texts)


def held_back(fold: Fold | None) -> bool:
    """Whether clues are weighed on what is made of these families, and nothing learned from it."""
    return fold is not None and fold.held


def in_fold(family: str, fold: Fold | None) -> bool:
    """Whether a template belongs to a fold; to none given belong all."""
    if fold is None:
        return True
    return (zlib.crc32(family.encode()) % FOLDS == fold.number) == fold.held


def of_fold(table: dict[str, list[str]], fold: Fold | None) -> dict[str, list[str]]:
    """Return the templates of a fold."""
    kept = {kind: [text for text in texts if in_fold(text, fold)] for kind, texts in table.items()}
    return {kind: texts for kind, texts in kept.items() if texts}


def everyday() -> list[Message]:
    """Return messages of the corpus of the classifier of wishes that it learns from too."""
    return list(messages("train"))
