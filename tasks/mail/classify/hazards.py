"""Danger that is told by two words of a clause: a charger and soot, an ear and blood.

A phrase for each way to say it would never be done. What holds energy, and what only a dangerous
one does, stand in one clause in any order, and so do somebody and what happens to the injured. A
question, a supposition and a denial are none.
"""

from collections.abc import Sequence
from functools import cache

from data.concepts import LEXICON
from data.word_forms import strip_accents
from data.word_lists import word_list
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import WordRow, WordRows, words

_FILE = LEXICON.with_name("hazards.yaml")
_PAIRS = (
    ("batteries", "contents"),
    ("sources", "effects"),
    ("people", "injuries"),
    ("swallowable", "swallowing"),
)
_UNREAL = compiled(
    strip_accents(
        r"(?i)\?|\b(?:if|whether|when does|in case|not|never|without|isn't|doesn't|"
        r"wenn|falls|ob|kein\pL*|nicht|nie|ohne|si|s'il|en cas|pas|aucun\pL*|sans|jamais|"
        r"sin|nunca|non|senza|mai|als|niet|geen|zonder|nooit|não|nem|sem|czy|jeśli|gdy|nie|bez|"
        r"nigdy|proof|resistant|protection|protector|detector|alarm|extinguisher|dicht|"
        r"schutz\pL*|melder|(?:is|are|was|were|has|have|see|saw|with) no|"
        r"no (?:gotean?|sale|salen|hay|ha|huele|se|tiene|es|esta|sangra))\b|"
        r"(?:^|\PL)(?:не|нет|без|если|ли|нельзя|değil|yok|eğer)(?:\PL|$)"
    )
)
"""Words with which nothing has happened, or what is made against it."""
_ITALIAN_SELF = compiled(r"(?i)\bsi (?:e|sta|scioglie|surriscalda|gonfia|incendia) ")
"""The Italian *itself*, which is no Spanish and no French *if*."""


def may_tell_hazard(text: str) -> bool:
    """Return whether a text names what only a dangerous thing does, or what the injured suffer.

    Most letters do not, and need not be looked at clause by clause.
    """
    return _happenings().first(words(text)) >= 0


def tells_hazard(clause: str) -> bool:
    """Return whether a clause without accents tells of danger, by two words or a plain one."""
    clause_words = words(clause)
    if not clause_words:
        return False
    dangerous = _rows_of_list("alone").first(clause_words) >= 0 or any(
        _stand_apart(_places(first, clause_words), _places(second, clause_words))
        for first, second in _PAIRS
    )
    return dangerous and _UNREAL.search(_ITALIAN_SELF.sub("", clause)) is None


def does_nothing(text: str) -> bool:
    """Return whether a text says that a thing does nothing: *the transmitter is dead*."""
    return _rows_of_list("dead").first(words(text)) >= 0


def people_wait(text: str) -> str:
    """Return the words with which a text says that people are there, now; empty for none."""
    text_words = words(text)
    place = _rows_of_list("under_way").first(text_words)
    if place < 0:
        return ""
    return " ".join(text_words[place : place + _rows_of_list("under_way").at(text_words, place)])


def _places(name: str, clause_words: WordRow) -> set[int]:
    listed = _rows_of_list(name)
    return {place for place in range(len(clause_words)) if listed.at(clause_words, place)}


def _stand_apart(subjects: set[int], happenings: set[int]) -> bool:
    """Return whether there is one of each, and not one word that is in both lists."""
    return bool(subjects and happenings) and len(subjects | happenings) > 1


@cache
def _rows_of_list(name: str) -> WordRows:
    """Return a list of all languages: letters mix them."""
    return _rows_of((name,))


@cache
def _happenings() -> WordRows:
    return _rows_of(("alone", *(second for _, second in _PAIRS)))


def _rows_of(names: Sequence[str]) -> WordRows:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    parts = (part for row in table.values() for name in names for part in row[name].split(","))
    listed = [part.strip() for part in parts]
    stems = {strip_accents(part[:-1]).casefold() for part in listed if part.endswith("*")}
    return WordRows({words(part) for part in listed if not part.endswith("*")}, stems)
