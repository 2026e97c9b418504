"""What somebody who writes to an agent wants, recognized without a model (docs/agents.md#triage).

Strength is the share of the words that the intent knows, ambiguity how close the second comes. What
is not recognized is left to whoever thinks: silence of a recognizer is no intent.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.words.sentence_rows import words
from tasks.words.sentences import fold, is_stop_word

_FILE = Path(lexicon.__file__).with_name("intents.yaml")
STRONG = 0.7
"""Strength from which an intent is taken."""
APART = 0.1
"""How much weaker the second intent has to be."""
_LONGEST = 40
"""Words beyond which a message is no plain question."""


class ChatIntent(StrEnum):
    """What is meant."""

    GREETING = "greeting"
    THANKS = "thanks"
    TIME = "time"
    HELP = "help"
    URGENT = "urgent"
    WAITING = "waiting"
    PROMISES = "promises"


class Triage(Record):
    """What was recognized in a message."""

    intent: ChatIntent | None = None
    """What is meant; None where nothing was recognized, or too little, or two things."""
    strength: float = 0.0
    """Share of the words that the strongest intent knows, 0 to 1."""
    ambiguity: float = 0.0
    """Strength of the second one, 0 to 1."""


class _Known(Record):
    """The words of one intent in one language."""

    keys: frozenset[str]
    stems: tuple[str, ...]
    together: tuple[frozenset[str], ...]
    """Words that are a key only where all of a row are there."""
    around: frozenset[str]

    def is_key(self, word: str) -> bool:
        """Return whether a folded word is a key by itself."""
        return word in self.keys or (bool(self.stems) and word.startswith(self.stems))

    def keyed(self, said: Sequence[str]) -> bool:
        """Return whether a message has a key of the intent."""
        return any(self.is_key(word) for word in said) or any(
            row <= set(said) for row in self.together
        )


def triage(text: str) -> Triage:
    """Return what a message asks, as far as its words say it."""
    said = words(text)
    if not said or len(said) > _LONGEST:
        return Triage()
    strengths = sorted(
        ((_strength(intent, said), intent) for intent in ChatIntent), key=lambda pair: -pair[0]
    )
    (best, intent), (second, _) = strengths[0], strengths[1]
    sure = best >= STRONG and best - second >= APART
    return Triage(intent=intent if sure else None, strength=best, ambiguity=second)


def _strength(intent: ChatIntent, said: Sequence[str]) -> float:
    """Return the share of the words that an intent knows, in the language that knows most."""
    return max(_share(known, said) for known in _known()[intent])


def _share(known: _Known, said: Sequence[str]) -> float:
    if not known.keyed(said):
        return 0.0
    counted = [
        word
        for word in said
        if known.is_key(word) or word in known.around or not is_stop_word(word)
    ]
    hits = sum(known.is_key(word) or word in known.around for word in counted)
    return hits / len(counted)


@lru_cache(maxsize=1)
def _known() -> dict[ChatIntent, tuple[_Known, ...]]:
    """Return the words of every intent, a set for each language."""
    table: dict[str, dict[str, dict[str, str]]] = word_list(_FILE)
    return {
        intent: tuple(_read(lists) for lists in table[intent].values()) for intent in ChatIntent
    }


def _read(lists: Mapping[str, str]) -> _Known:
    keys = _split(lists["keys"])
    return _Known(
        keys=frozenset(fold(key) for key in keys if key[-1] != "*" and "+" not in key),
        stems=tuple(fold(key[:-1]) for key in keys if key[-1] == "*"),
        together=tuple(frozenset(map(fold, key.split("+"))) for key in keys if "+" in key),
        around=frozenset(map(fold, _split(lists["around"]))),
    )


def _split(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",")]
