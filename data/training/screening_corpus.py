"""Attacks and ordinary mail for the screen's classifier, composed from `data/corpora/screening`.

An attack stands alone or in an ordinary message, at its start, in its middle or at its end; the
same surroundings carry ordinary text. Every line of the corpus is a template family of its own and
belongs to one half, and so do the words that fill it: no family stands in both halves.
"""

import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from data.training.compose import messages
from data.training.screening_words import SLOT, Words, choices_of, neutral_of, roughened

CORPUS = Path(__file__).parent.parent / "corpora" / "screening"
HARD = frozenset(
    {
        "reports_attacks",
        "corrections",
        "developers",
        "requests_to_people",
        "how_to",
        "marketing",
        "roles_and_words",
        "markup_and_rules",
        "delegated",
        "letters",
    }
)
"""Kinds of ordinary mail that look like attacks."""

Half = Literal["train", "test"]
HALVES: tuple[Half, ...] = ("train", "test")
ATTACKS_WANTED = {"train": 4200, "test": 1500}
BENIGN_WANTED = {"train": 4200, "test": 2200}
ENGLISH_SHARE = 0.5
NEUTRAL_SHARE = 0.1
ORDINARY_WANTED = {"train": 2600, "test": 900}
"""How many messages are taken from the corpus of the classifier of wishes."""
FOLDS = 4
"""Families of the train half are dealt to so many folds, to measure on families not learned."""


@dataclass(frozen=True, kw_only=True)
class Fold:
    """The families of one fold, or all others."""

    number: int
    held: bool


LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "pl", "ru", "zh")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A piece of a message: an attack, or ordinary text."""

    text: str
    attack: bool
    family: str
    """The template it was made from."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A made message."""

    parts: tuple[Part, ...]
    technique: str
    """Of the attack; for ordinary mail its kind."""
    language: str
    glue: str
    """Stands between the parts."""
    family: str

    @property
    def text(self) -> str:
        """The whole message."""
        return self.glue.join(part.text for part in self.parts)

    @property
    def attack(self) -> bool:
        """Whether an attack stands in it."""
        return any(part.attack for part in self.parts)

    @property
    def hard(self) -> bool:
        """Whether it is ordinary mail that looks like an attack."""
        return not self.attack and self.technique in HARD


@cache
def _section(section: str, language: str) -> dict[str, Any]:
    """Read one section of a language; English has a file for each."""
    path = CORPUS / f"{section}-{language}.yaml"
    apart = path.exists()
    path = path if apart else CORPUS / f"{language}.yaml"
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return loaded if apart else loaded[section]


def lines(section: str, language: str, half: Half) -> dict[str, list[str]]:
    """Return the templates of a section by technique or kind.

    What surrounds messages is parted by hand; attacks and ordinary text are dealt to the halves by
    their hash, about three to the train half and one to the test half.
    """
    held = _section(section, language)
    if section == "manner":
        return {key: _lines_of(block) for key, block in held[half].items()}
    found: dict[str, list[str]] = {}
    for part in HALVES:
        for key, block in held[part].items():
            dealt = [line for line in _lines_of(block) if half_of(line) == half]
            found.setdefault(key, []).extend(dealt)
    return {key: texts for key, texts in found.items() if texts}


def _lines_of(block: str) -> list[str]:
    return [line.strip() for line in block.strip().splitlines() if line.strip()]


def half_of(family: str) -> Half:
    """Return the half that a template belongs to."""
    return "test" if zlib.crc32(f"half of {family}".encode()) % 4 == 0 else "train"


def words(language: str, half: Half, fold: Fold | None, neutral: list[str]) -> Words:
    """Return what fills the slots of a language's attacks."""
    slots = {}
    for name, value in _section("attacks", language)["slots"][half].items():
        choices = [line.strip() for line in choices_of(value)]
        slots[name] = [word for word in choices if in_fold(word, fold)] or choices
    measured = half == "test" or (fold is not None and fold.held)
    return Words(slots, neutral, 0.0 if measured else NEUTRAL_SHARE)


def raw_lines(half: Half, fold: Fold | None = None) -> Iterator[str]:
    """Yield every line that somebody wrote: templates with empty slots, fillings, ordinary text."""
    for language in LANGUAGES:
        for section in ("attacks", "benign", "manner"):
            for texts in _of_fold(lines(section, language, half), fold).values():
                yield from (SLOT.sub(" ", text).replace(" / ", "\n") for text in texts)
        for value in _section("attacks", language)["slots"][half].values():
            yield from (SLOT.sub(" ", word) for word in choices_of(value) if in_fold(word, fold))
    yield from sorted({item.core for item in messages(half) if in_fold(item.core, fold)})


class Composer:
    """Makes messages of one language and half."""

    def __init__(self, language: str, half: Half, fold: Fold | None = None) -> None:
        self.language, self.half = language, half
        self.attacks = _of_fold(lines("attacks", language, half), fold)
        self.benign = _of_fold(lines("benign", language, half), fold)
        self.words = words(language, half, fold, neutral_of(self.benign))
        manner = lines("manner", language, half)
        self.opens, self.closes = manner["opens"], manner["closes"]
        self.subjects, self.carriers = manner["subjects"], manner["carriers"]
        self.fillers = [
            (text, kind)
            for kind, texts in self.benign.items()
            for text in texts
            if kind in {"ordinary", "disclaimers", "requests_to_people", "delegated"}
        ]

    def part(
        self, template: str, chance: random.Random, attack: bool = False, framed: bool = False
    ) -> Part:
        """Fill a template; `framed` when its own words make the attack, whatever the task."""
        text = self.words.filled(template, chance, framed)
        return Part(text=text, attack=attack, family=template)

    def surroundings(self, chance: random.Random) -> tuple[list[Part], list[Part], str]:
        """Return what may stand before and after something, and what between."""
        if chance.random() < 0.35:
            carrier = self.part(chance.choice(self.carriers), chance)
            pieces = re.split(r"(?<=[.!?]) |(?<=。)|\n", carrier.text)
            cut = chance.choice((0, len(pieces), chance.randint(0, len(pieces))))
            around = [
                [Part(text=text, attack=False, family=carrier.family) for text in some if text]
                for some in (pieces[:cut], pieces[cut:])
            ]
            return around[0], around[1], chance.choice((" ", "\n", "\n\n"))
        size = chance.choice((0, 1, 2, 2, 3, 4, 6, 9, 14, 25))
        body = [
            self.part(text, chance)
            for text, _ in chance.sample(self.fillers, min(size, len(self.fillers)))
        ]
        cut = chance.choice((0, len(body), chance.randint(0, len(body))))
        before, after = body[:cut], body[cut:]
        if chance.random() < 0.8:
            before.insert(0, self.part(chance.choice(self.opens), chance))
        if chance.random() < 0.5:
            before.insert(0, self.part(chance.choice(self.subjects), chance))
        if chance.random() < 0.8:
            after.append(self.part(chance.choice(self.closes), chance))
        return before, after, chance.choice((" ", "\n", "\n\n", "\n\n"))

    def message(self, template: str, kind: str, attack: bool, serial: int) -> Sample:
        """Make one message around a template; the same for the same `serial`."""
        seed = f"{self.language} {kind} {serial} {template}"
        chance = random.Random(zlib.crc32(seed.encode()))
        heart = self.part(template, chance, attack, attack and kind != "task_injection")
        if chance.random() < 0.15:
            heart = Part(text=roughened(heart.text, chance), attack=attack, family=template)
        before, after, glue = self.surroundings(chance)
        if chance.random() < 0.3:
            before, after = [], []
        return Sample(
            parts=(*before, heart, *after),
            technique=kind,
            language=self.language,
            glue=glue,
            family=template,
        )

    def made(self, table: dict[str, list[str]], attack: bool, wanted: float) -> Iterator[Sample]:
        """Make about `wanted` messages, templates of rare kinds more often."""
        if not table:
            return
        for kind, templates in table.items():
            own = wanted * len(templates) ** 0.7 / sum(len(t) ** 0.7 for t in table.values())
            times = max(1, round(own / len(templates)))
            for template in templates:
                for serial in range(times):
                    yield self.message(template, kind, attack, serial)


def in_fold(family: str, fold: Fold | None) -> bool:
    """Whether a template belongs to a fold; to none given belong all."""
    if fold is None:
        return True
    return (zlib.crc32(family.encode()) % FOLDS == fold.number) == fold.held


def _of_fold(table: dict[str, list[str]], fold: Fold | None) -> dict[str, list[str]]:
    kept = {kind: [text for text in texts if in_fold(text, fold)] for kind, texts in table.items()}
    return {kind: texts for kind, texts in kept.items() if texts}


def samples(half: Half, fold: Fold | None = None) -> Iterator[Sample]:
    """Yield all messages of a half, the same each time."""
    others = (1 - ENGLISH_SHARE) / (len(LANGUAGES) - 1)
    for language in LANGUAGES:
        share = ENGLISH_SHARE if language == "en" else others
        composer = Composer(language, half, fold)
        yield from composer.made(composer.attacks, True, ATTACKS_WANTED[half] * share)
        yield from composer.made(composer.benign, False, BENIGN_WANTED[half] * share)
    yield from ordinary(half, fold)


@cache
def own_lines() -> frozenset[str]:
    """Return every template of this corpus."""
    return frozenset(
        line
        for language in LANGUAGES
        for section in ("attacks", "benign")
        for half in HALVES
        for texts in lines(section, language, half).values()
        for line in texts
    )


def ordinary(half: Half, fold: Fold | None) -> Iterator[Sample]:
    """Yield everyday mail from the corpus of `data.training.compose`, some of it joined."""
    own = own_lines()  # dealt to a half already
    made = [item for item in messages(half) if in_fold(item.core, fold) and item.core not in own]
    chance = random.Random(len(made))
    wanted = ORDINARY_WANTED[half]
    for _ in range(wanted):
        first = chance.choice(made)
        some = [first]
        for _ in range(chance.choice((0, 0, 0, 1, 2, 5))):
            other = chance.choice(made)
            some += [other] if other.language == first.language else []
        texts = [(f"{item.subject}\n\n{item.text}".strip(), item.core) for item in some]
        yield Sample(
            parts=tuple(Part(text=text, attack=False, family=core) for text, core in texts),
            technique="everyday",
            language=first.language,
            glue="\n\n",
            family=first.core,
        )
