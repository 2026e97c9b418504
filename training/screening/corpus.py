"""Attacks and ordinary mail for the screen's classifier, from `training/corpora/screening`.

An attack stands alone or in an ordinary message, at its start, in its middle or at its end; the
same surroundings carry ordinary text. Every line of the corpus is a template family of its own.
"""

import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache

from training.screening.families import (
    LANGUAGES,
    Fold,
    everyday,
    grown,
    held_back,
    in_fold,
    lines,
    of_fold,
    usual,
    whole,
    words,
)
from training.screening.messages import HARD, Part, Sample
from training.screening.whole_mails import whole_mails
from training.screening.words import neutral_of, roughened

CHATTED = frozenset({"chat_questions", "chat_triggers", "chat_tasks"})
"""Kinds that are typed to an assistant and stand alone."""

VARIED = frozenset({"furniture", "requests", "chat_tasks", "phrases"})
"""Kinds made of slots, of which more messages are made."""
SLOTTED = 3
USUAL = (2, 3)
"""How many times more messages are learned from of ordinary text and of attacks in usual words."""
AGAIN = 3
"""How often an attack, and ordinary text that looks like one, is offered further surroundings to
learn from; single lines are not made again."""
_AGAIN_FROM = 1000
"""The serial of the first of these, beyond those of `made`."""
GROWN_WEIGHT = 0.3
"""What a message grown from a grammar counts, beside 1 of one that somebody wrote."""

FILLERS = frozenset(
    {
        "ordinary",
        "disclaimers",
        "requests_to_people",
        "delegated",
        "office",
        "requests",
        "phrases",
    }
)
"""Kinds of ordinary text that surround others."""
LEARNED_FILLERS = frozenset(
    {
        "letters",
        "notices",
        "support_tickets",
        "job_offers",
        "mailing_lists",
        "policies",
        "how_to",
        "newsletters",
        "translations",
        "roles_and_words",
        "developers",
        "prose",
    }
)
"""Those that do so besides in what is learned from."""

_IN_DOCUMENTS, _IN_CARRIERS = 0.35, 0.15
"""Shares of what does not stand alone that stand in a whole document, and in a short text."""
_PIECES = re.compile(r"(?<=[.!?] )|(?<=。)|(?<=\n)")
"""Behind these something may be put into a text."""


@lru_cache(8_192)
def _pieces(text: str) -> tuple[str, ...]:
    return tuple(_PIECES.split(text))


ATTACKS_WANTED = 8000
BENIGN_WANTED = 10_000
ENGLISH_SHARE = 0.5
ORDINARY_WANTED = 6000
"""How many messages are taken from the corpus of the classifier of wishes."""


class Composer:
    """Makes messages of one language; with `once` a single message of each template."""

    def __init__(self, language: str, fold: Fold | None = None, *, once: bool = False) -> None:
        self.language, self.fold, self.once = language, fold, once
        self.attacks = of_fold(lines("attacks", language), fold)
        self.benign = of_fold(lines("benign", language), fold)
        self.words = words(language, fold, neutral_of(self.benign))
        manner = lines("manner", language)
        self.opens, self.closes = manner["opens"], manner["closes"]
        self.subjects, self.carriers = manner["subjects"], manner["carriers"]
        self.usual = usual(language)
        self.whole = whole(language)
        self.furniture = self.benign.get("furniture", [])
        self.documents = self.benign.get("documents", [])
        self.held = held_back(fold)
        around = FILLERS if self.held else FILLERS | LEARNED_FILLERS
        self.fillers = [
            text
            for kind, texts in self.benign.items()
            for text in texts
            if kind in around and len(text) < 400
        ]

    def part(self, template: str, chance: random.Random) -> Part:
        """Fill a template of ordinary text."""
        text = self.words.filled(template, chance)
        return Part(text=text, attack=False, family=template)

    def carried(self, carrier: Part, chance: random.Random) -> tuple[list[Part], list[Part], str]:
        """Return a text in two halves, parted between sentences or lines, and what stands between.

        Lines that belong together stay so: only at the cut are they parted by what is between.
        """
        pieces = _pieces(carrier.text)
        cut = chance.choice((0, len(pieces), chance.randint(0, len(pieces))))
        halves = "".join(pieces[:cut]).strip(), "".join(pieces[cut:]).strip()
        before, after = ([replace(carrier, text=text)] if text else [] for text in halves)
        return before, after, chance.choice((" ", "\n", "\n\n"))

    def surroundings(self, chance: random.Random) -> tuple[list[Part], list[Part], str]:
        """Return what may stand before and after something, and what between."""
        kind = chance.random()
        if kind < _IN_CARRIERS + _IN_DOCUMENTS:
            among = self.documents if self.documents and kind < _IN_DOCUMENTS else self.carriers
            return self.carried(self.part(chance.choice(among), chance), chance)
        size = chance.choice((0, 1, 2, 2, 3, 4, 6, 9, 14, 25))
        body = [
            self.part(text, chance)
            for text in chance.sample(self.fillers, min(size, len(self.fillers)))
        ]
        cut = chance.choice((0, len(body), chance.randint(0, len(body))))
        before, after = body[:cut], body[cut:]
        if self.furniture:
            for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 4))):
                piece = self.part(chance.choice(self.furniture), chance)
                side = chance.choice((before, after))
                side.insert(chance.randint(0, len(side)), piece)
        if chance.random() < 0.8:
            before.insert(0, self.part(chance.choice(self.opens), chance))
        if chance.random() < 0.5:
            before.insert(0, self.part(chance.choice(self.subjects), chance))
        if chance.random() < 0.8:
            after.append(self.part(chance.choice(self.closes), chance))
        return before, after, chance.choice((" ", "\n", "\n\n", "\n\n"))

    def message(
        self, template: str, kind: str, attack: bool, serial: int, family: str | None = None
    ) -> Sample:
        """Make one message around a template; the same for the same `serial`.

        `family` is what the template grew from, when it is not its own family.
        """
        family = family or template
        seed = f"{self.language} {kind} {serial} {template}"
        chance = random.Random(zlib.crc32(seed.encode()))
        text = self.words.filled(template, chance, attack and kind != "task_injection")
        heart = Part(text=text, attack=attack, family=family)
        if chance.random() < 0.15:
            heart = Part(text=roughened(heart.text, chance), attack=attack, family=family)
        before, after, glue = self.surroundings(chance)
        alone = 0.95 if kind in CHATTED else min(0.85, 0.3 + len(template) / 400)
        if chance.random() < alone:
            before, after = [], []
        return Sample(
            parts=(*before, heart, *after),
            technique=kind,
            language=self.language,
            glue=glue,
            family=family,
            whole=family in self.whole,
        )

    def made(self, table: dict[str, list[str]], attack: bool, wanted: float) -> Iterator[Sample]:
        """Make about `wanted` messages, templates of rare kinds more often."""
        if not table:
            return
        for kind, templates in table.items():
            own = wanted * len(templates) ** 0.7 / sum(len(t) ** 0.7 for t in table.values())
            times = max(1, round(own / len(templates))) * (SLOTTED if kind in VARIED else 1)
            for template in templates:
                often = USUAL[attack] if template in self.usual else 1
                for serial in range(1 if self.once else times * often):
                    yield self.message(template, kind, attack, serial)
                if (attack or kind in HARD) and not self.once:
                    yield from self.again(template, kind, attack)

    def again(self, template: str, kind: str, attack: bool) -> Iterator[Sample]:
        """Make messages around a template once more, to learn from; none to measure on.

        Where an order stands among other text says less about it than that text does, so it is
        learned in more than one.
        """
        if self.held:
            return
        for serial in range(_AGAIN_FROM, _AGAIN_FROM + AGAIN):
            made = self.message(template, kind, attack, serial)
            if len(made.parts) > 1:
                yield made

    def as_written(self) -> Iterator[Sample]:
        """Make the whole mails in which an attack stands among the words it was written with."""
        for mail in whole_mails(self.language):
            template = mail.template
            if not (mail.before or mail.after) or not in_fold(template, self.fold):
                continue
            around = {"before": mail.before, "after": mail.after}
            before, after = (
                [Part(text=text, attack=False, family=f"{side} {template}")] if text else []
                for side, text in around.items()
            )
            heart = Part(text=mail.text, attack=True, family=template)
            yield Sample(
                parts=(*before, heart, *after),
                technique=mail.kind,
                language=self.language,
                glue="\n\n",
                family=template,
                whole=True,
            )

    def grown(self, section: str) -> Iterator[Sample]:
        """Make a message of each growth of the language's grammar."""
        for kind, texts in grown(section, self.language, self.fold).items():
            for serial, (production, text) in enumerate(texts):
                made = self.message(text, kind, section == "attacks", serial, production)
                yield replace(made, weight=GROWN_WEIGHT)


def samples(fold: Fold | None = None, *, once: bool = False) -> Iterator[Sample]:
    """Yield all messages, the same each time; with `once` a single one of each template."""
    for language in LANGUAGES:
        yield from of_language(language, fold, once=once)
    yield from ordinary(fold)


def of_language(language: str, fold: Fold | None = None, *, once: bool = False) -> Iterator[Sample]:
    """Yield the messages of a language that are made of this corpus."""
    others = (1 - ENGLISH_SHARE) / (len(LANGUAGES) - 1)
    share = ENGLISH_SHARE if language == "en" else others
    composer = Composer(language, fold, once=once)
    yield from composer.made(composer.attacks, True, ATTACKS_WANTED * share)
    yield from composer.made(composer.benign, False, BENIGN_WANTED * share)
    yield from composer.as_written()
    for section in ("attacks", "benign"):
        yield from composer.grown(section)


@cache
def own_lines() -> frozenset[str]:
    """Return every template of this corpus."""
    return frozenset(
        line
        for language in LANGUAGES
        for section in ("attacks", "benign")
        for texts in lines(section, language).values()
        for line in texts
    )


def ordinary(fold: Fold | None = None) -> Iterator[Sample]:
    """Yield everyday mail from the corpus of `training.compose`, some of it joined."""
    own = own_lines()  # made into messages already
    made = [item for item in everyday() if in_fold(item.core, fold) and item.core not in own]
    chance = random.Random(len(made))
    for _ in range(ORDINARY_WANTED):
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
