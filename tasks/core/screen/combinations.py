"""Rules made of concepts: verbs × objects × qualifiers close together in one sentence.

The words in which somebody writes *about* attacks are often the attack's own words. What is quoted,
or stands beside words of a report ("researchers", "for example"), weighs less; what a reader cannot
see, or had to be decoded, weighs more and is never excused by its surroundings. What stands around
a find is looked at by `tasks.core.screen.words.framing`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

import re2

from data.records.core.parsed_mail import ParsedMail
from data.records.core.screening import MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find
from tasks.core.screen.words.framing import (
    LISTED_WEIGHT,
    PEOPLE_WEIGHT,
    QUESTION_WEIGHT,
    TOLD_WEIGHT,
    among_people,
    is_change_list,
    led_on,
    told_in_line,
    told_of,
    weigh_correction,
)
from tasks.core.screen.words.link_names import LINK_WEIGHT, in_link
from tasks.core.screen.words.scanned import ScannedText, Text
from tasks.core.screen.words.spotting import Sentence, find_together, mask_of, spot

QUOTATION_WEIGHT = 0.6
REPORT_WEIGHT = 0.45
"""Beside words that letters about attacks have, and logs and documents too."""
REPORT_BESIDE_WEIGHT = 0.6
"""Where these stand in another sentence, and the order begins its own."""
ATTACK_TALK_WEIGHT = 0.17
"""Beside words that only somebody uses who tells of attacks."""
DISGUISE_BONUS = 0.25
_LEADING = 2
"""Words before an order at the beginning of its sentence, such as *now please*."""
_CERTAIN = 0.66
"""From this score on a row says what nobody says to people, even in a game."""
_OF_ATTACKS = "override|prompt_object|target|conceal|freedom|hoard|verbatim|every_answer"
"""What no customer's question has."""
_SLIGHT = 0.12
"""What is no more than this needs no excuse."""
_LOOKED_AT = 40
"""Finds of a text whose frames are looked at; nobody quotes more orders to tell of them."""
PLACE_WEIGHT = {
    MessagePlace.QUOTED: 0.7,
    MessagePlace.FORWARDED: 0.85,
    MessagePlace.HIDDEN: 1.3,
    MessagePlace.LINK: 0.8,
}


@dataclass(frozen=True)
class Together:
    """Concepts that speak for an attack when they stand together."""

    parts: tuple[str, ...]
    """Concept names, `one|other` for alternatives."""
    score: float
    within: int = 12
    """Most words from the first to the last."""
    ordered: bool = False
    """Whether they must come in this order."""
    without: str = ""
    """Concepts that weaken the find when they stand in the sentence."""
    weakened: float = 0.4
    """What the score is multiplied by then."""
    beside: str = ""
    """Concepts of which one must stand in the sentence or in one beside it."""
    led_on: str = ""
    """`question` or `goods`: it says little where a customer goes on so (`framing.led_on`)."""

    @property
    def masks(self) -> tuple[int, ...]:
        """The parts as bits."""
        return tuple(mask_of(part) for part in self.parts)


_Row = tuple[Together, tuple[int, ...], int, int]
"""A row, its parts as bits, what weakens it, and what must stand beside it."""
_MASKS_KEPT = 20_000
_AS_WRITTEN = frozenset({"unmasked", "respelt"})
"""Forms that say once more what is not disguised, with some words put right."""


class Combinations:
    """A rule's table of combinations, callable as its `look`."""

    def __init__(self, *table: Together) -> None:
        self.table = sorted(table, key=lambda row: -row.score)
        self._compiled: list[_Row] = []
        self._concepts = 0
        """All concepts of the table, as bits; the others of a text make no difference."""
        self._possible: dict[int, list[_Row]] = {}

    def possible(self, mask: int) -> list["_Row"]:
        """Return the rows whose concepts are all in `mask`, the strongest first."""
        if not self._compiled:
            self._compiled = [
                (
                    row,
                    row.masks,
                    mask_of(row.without) if row.without else 0,
                    mask_of(row.beside) if row.beside else -1,
                )
                for row in self.table
            ]
            for _, parts, _, _ in self._compiled:
                self._concepts |= reduce(or_, parts)
        mask &= self._concepts
        rows = self._possible.get(mask)
        if rows is None:
            if len(self._possible) > _MASKS_KEPT:  # hostile mail must not grow it for ever
                self._possible.clear()
            rows = [row for row in self._compiled if _holds(mask, row[1])]
            self._possible[mask] = rows
        return rows

    def __call__(self, views: Views) -> Iterator[Find]:
        """Yield the strongest find of every text."""
        openly: dict[tuple[MessagePlace, str], float] = {}
        for scanned in views.scanned:
            rows = self.possible(scanned.spotted.mask)
            if not rows:
                continue
            source = scanned.source
            best = _strongest(rows, scanned, views.mail)
            if best is None:
                continue
            if not source.disguised:
                openly[source.place, source.note] = best.score
            elif source.form in _AS_WRITTEN and openly.get((source.place, source.note), 0) > 0.3:
                continue  # nothing was disguised about it
            yield best


def _strongest(rows: list[_Row], scanned: ScannedText, mail: ParsedMail) -> Find | None:
    """Return the strongest find of `rows`, which are sorted by score."""
    best: Find | None = None
    looked_at = 0
    stretch = scanned.spotted.stretch
    for row, parts, weakening, beside in rows:
        if best is not None and best.score >= weighed(scanned.source, row.score):
            break  # nothing stronger can follow
        for sentence in scanned.spotted.sentences:
            if not _holds(sentence.mask, parts) or not sentence.near & beside:
                continue
            span = find_together(sentence, parts, stretch * row.within, row.ordered)
            if span is None:
                continue
            score = row.score * (row.weakened if sentence.near & weakening else 1)
            looked_at += score > _SLIGHT
            if looked_at <= _LOOKED_AT and score > _SLIGHT:
                score *= _framed(scanned, row.led_on, score, sentence, span, mail)
            find = _find(scanned, sentence, span, score)
            if best is None or find.score > best.score:
                best = find
            if find.score >= weighed(scanned.source, row.score):
                break
    return best


def _holds(mask: int, parts: tuple[int, ...]) -> bool:
    """Whether `mask` has something of every part."""
    for part in parts:  # noqa: SIM110  # the hottest line of the screen; all() costs three times this
        if not mask & part:
            return False
    return True


def weighed(source: Text, score: float) -> float:
    """Return `score` in the light of where and in what form the words stood."""
    if source.disguised:
        score = min(1.0, score + DISGUISE_BONUS * min(1.0, score / 0.3))
    elsewhere = source.set_aside or source.shown_elsewhere
    weight = 1.0 if elsewhere else PLACE_WEIGHT.get(source.place, 1.0)
    return min(1.0, score * weight)


def excusable(source: Text) -> bool:
    """Whether what stands around words may excuse them: a reader sees them as they are."""
    return not source.disguised and (
        source.place is not MessagePlace.HIDDEN or source.shown_elsewhere
    )


def _find(scanned: ScannedText, sentence: Sentence, span: tuple[int, int], score: float) -> Find:
    source = scanned.source
    if excusable(source):
        score *= reported(sentence, span)
    technique = None
    if source.place is MessagePlace.HIDDEN:
        technique = "instruction_smuggling"
    elif source.disguised:
        technique = "encoding_evasion"
    return Find(source.place, scanned.spotted.excerpt(*span), weighed(source, score), technique)


def reported(sentence: Sentence, span: tuple[int, int]) -> float:
    """Return the weight of a find: below 1 when quoted, or when somebody writes about attacks."""
    weight = QUOTATION_WEIGHT if _quoted(sentence, span) else 1.0
    if sentence.near & mask_of("attack_talk"):
        told_share = _told_with(sentence, span, "attack_talk")
        weight = min(weight, ATTACK_TALK_WEIGHT if told_share else REPORT_WEIGHT)
    elif sentence.near & mask_of("report"):
        told_share = _told_with(sentence, span, "report")
        weight *= REPORT_WEIGHT if told_share else REPORT_BESIDE_WEIGHT
    return weight


def _told_with(sentence: Sentence, span: tuple[int, int], concept: str) -> bool:
    """Whether the words of `concept` near a sentence excuse it wholly.

    They do where they stand in it, or where it does not begin with the order that was found.
    """
    return bool(sentence.mask & mask_of(concept)) or not _begins(sentence, span)


def _begins(sentence: Sentence, span: tuple[int, int]) -> bool:
    """Whether a sentence that holds no quotation begins with the order that was found."""
    return not sentence.quoted_at and not sentence.inside and span[0] - sentence.start <= _LEADING


def _quoted(sentence: Sentence, span: tuple[int, int]) -> bool:
    """Whether `span` begins within a quotation."""
    before = sum(1 for at in sentence.quoted_at if at < span[0])
    return bool((before + sentence.inside) % 2)


def _framed(
    scanned: ScannedText,
    leads_to: str,
    score: float,
    sentence: Sentence,
    span: tuple[int, int],
    mail: ParsedMail,
) -> float:
    """Return what a find of `score` counts besides in its frame, as `words.framing` sees it."""
    if not excusable(scanned.source):
        return 1.0
    spotted = scanned.spotted
    told_share = told_of(spotted, span, _quoted(sentence, span))
    if told_share is not None:
        strongest = max if told_share > TOLD_WEIGHT else min
        return strongest(1.0, told_share / reported(sentence, span))
    if is_change_list(spotted, sentence, span):
        return LISTED_WEIGHT
    if in_link(scanned.source.text, spotted.words[slice(*span)]):
        return LINK_WEIGHT
    ordinary = leads_to and not sentence.mask & mask_of(_OF_ATTACKS)
    letter = (
        mail.text if leads_to == "goods" or scanned.source.place is MessagePlace.SUBJECT else ""
    )
    if ordinary and led_on(spotted, span, leads_to, letter):
        return QUESTION_WEIGHT
    taken_back = weigh_correction(spotted, sentence, span)
    if taken_back < 1:
        return taken_back
    if score < _CERTAIN and among_people(spotted, sentence, mail.subject):
        return PEOPLE_WEIGHT
    return 1.0


def around(text: Text, match: "re2._Match", reach: int) -> int:
    """Return the concepts near a match, which tell whether somebody writes about it.

    None of a text that is hidden or was disguised: nothing excuses it. `reach` is in characters.
    """
    if text.disguised or text.place is MessagePlace.HIDDEN:
        return 0
    return spot(text.text[max(0, match.start() - reach) : match.end() + reach]).mask


def talked_about(text: Text, match: "re2._Match", reach: int) -> float:
    """Return less than 1 where somebody writes about programs or attacks near a match."""
    mask = around(text, match, reach)
    if mask & mask_of("attack_talk"):
        return ATTACK_TALK_WEIGHT
    if excusable(text) and told_in_line(text.text, match.end()):
        return TOLD_WEIGHT
    return REPORT_WEIGHT if mask & mask_of("report|about_ai") else 1.0
