"""The place of a statement worth remembering: person, team or organization; or none.

Words decide first. Where they leave it open a small classifier does, which compares the statement
with examples of each layer (`data/lexicons/agents/placed.yaml`); what neither knows is discarded.
"""

from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import data.lexicons.agents as lexicon
from data.records.agents.memories import LayerKind
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.agents.stating import FEWEST_WORDS, WORDS_OF_SENTENCE, cut_denial, is_question
from tasks.core.language.embedding import embed
from tasks.core.language.lists import (
    begins_with_entry,
    holds,
    language_of,
    said_in,
    without_please,
    word_list_of,
)
from tasks.core.leaks.sensitive import why_sensitive

_FILE = Path(lexicon.__file__).with_name("placed.yaml")
_CUES = ("me", "we", "team", "organization", "routine", "business")
_ASKING_RULES = frozenset({"wer", "qui", "quien", "quienes"})
"""Folded words that begin rules, and questions as well."""
_JOINING = frozenset({"wenn", "falls", "weil", "dass", "ob", "oder", "und", "aber", "bitte"})
"""Words behind the comma of a question: *Wer hat Dienst, wenn Marta fehlt*."""
_PERFECT = (("ich", "habe"), ("ich", "hab"), ("wir", "haben"))
_WE_OR_I, _WOULD = frozenset({"ich", "wir"}), frozenset({"hatte", "hatten"})
_MODALS = frozenset({"sollen", "mussen", "konnen"})
"""Folded words of German sentences about what was left undone."""
NEAR = 0.28
"""Likeness to a layer's examples from which the classifier places a statement."""


class StatementPlace(StrEnum):
    """Where a statement belongs."""

    USER = "user"
    TEAM = "team"
    ORGANIZATION = "organization"
    DISCARD = "discard"

    @property
    def layer(self) -> LayerKind | None:
        """The kind of layer; None for what is discarded."""
        return None if self is StatementPlace.DISCARD else LayerKind(self.value)


class StatementPlacement(Record):
    """Where a statement belongs, and why."""

    place: StatementPlace
    why: str
    language: str


def place_sentence(text: str) -> StatementPlacement:
    """Return where a sentence belongs."""
    language = language_of(text)
    place_found, why = _place_by_words(text, language)
    if place_found is None:
        place_found, why = _place_by_examples(text, _is_rule(text, said_in(text), language))
    return StatementPlacement(place=place_found, why=why, language=language)


def _place_by_words(text: str, language: str) -> tuple[StatementPlace | None, str]:
    """Return where words put a sentence; None where they leave it open."""
    text_words = said_in(text)
    if (reason := _find_discard_reason(text, text_words, language)) is not None:
        return StatementPlace.DISCARD, reason
    about = {name: holds(text_words, language, name) for name in _CUES}
    if about["team"] and not _is_first(text_words, language, "me", "team"):
        return StatementPlace.TEAM, "it names a team"
    wished = holds(text_words, language, "wish") and begins_with_entry(
        text_words, language, "order"
    )
    if about["me"] or wished or begins_with_entry(text_words, language, "wish"):
        return StatementPlace.USER, "it is about who says it"
    if about["organization"]:
        return StatementPlace.ORGANIZATION, "it names the organization"
    if about["routine"] != about["business"]:
        if about["routine"]:
            return StatementPlace.TEAM, "it tells how people work together"
        return StatementPlace.ORGANIZATION, "it tells how business is done"
    if about["we"]:
        return StatementPlace.ORGANIZATION, "it says what we do, and names no team"
    return None, ""


def _is_first(spoken: tuple[str, ...], language: str, mark: str, other: str) -> bool:
    """Return whether words of one list stand before those of the other."""
    first, second = (
        word_list_of(language, mark).first(spoken),
        word_list_of(language, other).first(spoken),
    )
    return 0 <= first < second


def _find_discard_reason(text: str, spoken: tuple[str, ...], language: str) -> str | None:
    """Return why a sentence is not to be kept; None where nothing speaks against it."""
    if reason := why_sensitive(text, language):
        return reason
    if len(spoken) < FEWEST_WORDS:
        return "it says too little"
    if is_question(text, spoken) and not _is_rule(text, spoken, language):
        return "it is a question"
    for name, reason in (
        ("jest", "it is taken back"),
        ("doubt", "it is a guess"),
        ("passing", "it passes"),
    ):
        if holds(spoken, language, name):
            return reason
    if _is_left_undone(spoken, language):
        return "it tells what is not done yet"
    asked = cut_denial(without_please(spoken, language))
    if begins_with_entry(asked, language, "order") and not holds(asked, language, "wish"):
        return "it is an order"
    if begins_with_entry(spoken, language, "courtesy"):
        return "it is courtesy"
    return None


def _is_left_undone(spoken: tuple[str, ...], language: str) -> bool:
    """Return whether words tell what somebody has not done, or should have: that changes soon.

    *I have not got a car* and *I have never been to Paris* stay as they are. In German what was
    not done stands at the end: *Ich habe die Inventur nicht gemacht*, *Ich hätte anrufen sollen*.
    """
    if holds(spoken, language, "undone"):
        return True
    not_done = word_list_of(language, "not_done")
    place = not_done.first(spoken)
    behind = spoken[place + not_done.at(spoken, place) :] if place >= 0 else ()
    if behind:
        return word_list_of(language, "not_done_but").at(behind, 0) == 0
    if spoken[:2] in _PERFECT and len(spoken) > FEWEST_WORDS:
        return spoken[-2] == "nicht" and spoken[-1].startswith("ge")
    return spoken[0] in _WE_OR_I and spoken[1] in _WOULD and spoken[-1] in _MODALS


def _is_rule(text: str, spoken: tuple[str, ...], language: str) -> bool:
    """Return whether a sentence says what holds for whoever it concerns, or whenever it happens.

    *Wer absagt, zahlt die Hälfte.* begins as a question does. It has a second clause and is written
    as a sentence, and no more than the accent tells *Quien cancela paga* from a question.
    """
    if not text.rstrip().endswith(".") or len(spoken) < WORDS_OF_SENTENCE:
        return False
    if not begins_with_entry(spoken, language, "rule"):
        return False
    first_clause, comma, second_clause = text.partition(",")
    clause, rest = said_in(first_clause), said_in(second_clause)
    if rest and begins_with_entry(rest, language, "order"):
        return False
    if spoken[0] not in _ASKING_RULES:
        return bool(comma) or word_list_of(language, "rule").at(spoken, 0) > 1
    if language == "es":
        return not text.lower().startswith("quié")
    return bool(rest) and len(clause) >= FEWEST_WORDS and rest[0] not in _JOINING


def _place_by_examples(text: str, is_rule: bool) -> tuple[StatementPlace, str]:
    """Return the place whose examples are most alike, if they are alike enough.

    A rule is kept whatever it is like: it is the team's or the organization's.
    """
    vector = embed([text])[0]
    likeness = {
        where: float(np.sort(rows @ vector)[-3:].mean()) for where, rows in _read_examples()
    }
    if is_rule:
        shared = (StatementPlace.TEAM, StatementPlace.ORGANIZATION)
        return max(
            shared, key=likeness.__getitem__
        ), "it is a rule, and like examples of this layer"
    best = max(likeness, key=likeness.__getitem__)
    if likeness[best] < NEAR:
        return StatementPlace.DISCARD, "it is like nothing that is worth remembering"
    return best, "it is like examples of this layer"


@cache
def _read_examples() -> tuple[tuple[StatementPlace, npt.NDArray[np.float32]], ...]:
    """Return the vectors of the examples of each place."""
    table: dict[str, list[str]] = word_list(_FILE)
    return tuple((where, embed(table[where])) for where in StatementPlace)
