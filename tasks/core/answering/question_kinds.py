"""The kind of thing that a question wants, and its presence in a sentence: number, name, yes."""

from functools import lru_cache
from typing import NamedTuple

from data.lexicons.drafting import LANGUAGES, asked_words, number_words, phrases
from tasks.core.claims.claims import claims
from tasks.core.claims.measures import UNITS
from tasks.core.claims.number_words import number_of
from tasks.core.words.questions import wants_number
from tasks.core.words.sentences import fold, words

_FAR = 8
"""Words before a word for a price from which it is not what a question asks for."""
_EARLY = 4
"""Words within which a question asks when."""
_AMOUNTS = frozenset({"amount", "percentage"})


class AnswerNeeds(NamedTuple):
    """What a question wants of an answer, whatever the answers are."""

    counted: frozenset[str]
    """The folded numbers of it that count something."""
    kind: str
    """`amount`, `duration`, `moment` or nothing."""
    meaning: bool
    number: bool
    closed: bool
    """Whether it asks if something is so, in any language."""
    whether: bool
    """The same in its own language."""
    person: bool


@lru_cache(maxsize=1024)
def needs_of(asked: str, text: str, language: str) -> AnswerNeeds:
    """Return what a question wants; it is looked for in several languages and by several stages.

    `asked` is the question with the words before it, where it leans on them, `text` without.
    """
    return AnswerNeeds(
        counted=amounts(asked),
        kind=wanted_kind(text),
        meaning=wants_meaning(text),
        number=wants_number(text),
        closed=is_closed(text),
        whether=is_closed(text, language),
        person=wants_person(text, language),
    )


def amounts(text: str) -> frozenset[str]:
    """Return the folded numbers of a text that count something, in figures or words.

    A number after a word with a capital is part of a name: *Wren 1*, *Saal 3*.
    """
    amounts_read, before = set[str](), ""
    for word in text.split():
        bare = "".join(words(word))
        if (bare[:1].isdigit() or number_of(bare)) and not before[:1].isupper():
            amounts_read.add(bare)
        before = word
    return frozenset(amounts_read)


def is_closed(sentence: str, language: str = "") -> bool:
    """Return whether a question asks if something is so, by its first words in a language.

    Without a language those of all count, so *was* counts in German too.
    """
    first_words = words(sentence)[:3]
    codes = (language,) if language else LANGUAGES
    rows = {tuple(first_words[:size]) for size in (1, 2, 3)}
    return any(rows & _closed_openings(code) for code in codes)


def wants_person(sentence: str, language: str) -> bool:
    """Return whether a question asks who, by its first two words."""
    return bool({*words(sentence)[:2]} & {fold(word) for word in phrases(language).person_words})


@lru_cache(maxsize=8192)
def names_somebody(sentence: str) -> bool:
    """Return whether a sentence names somebody: a name of two words, or a mail address."""
    return "@" in sentence or any(
        claim.kind == "name" and " " in claim.value for claim in claims(sentence)
    )


@lru_cache(maxsize=16)
def _closed_openings(language: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words(mark)) for mark in phrases(language).closed_words)


@lru_cache(maxsize=8192)
def holds_number(sentence: str) -> bool:
    """Return whether a sentence states a number, a time or a date, in digits or words."""
    return any(claim.kind not in ("name", "commitment", "ordinal") for claim in claims(sentence))


def wanted_kind(sentence: str) -> str:
    """Return whether a question asks for an `amount`, a `duration` or a `moment`; else nothing."""
    sentence_words = words(sentence)
    row = f" {' '.join(sentence_words)} "
    if any(mark in row for mark in _apart("duration")):
        return "duration"
    if any(mark in row for mark in _apart("amount")):
        return "amount"
    priced = next((n for n, word in enumerate(sentence_words) if word in _asked("price")), -1)
    opened = any(word in _asked("opening") for word in sentence_words[: max(0, priced)])
    opening = f" {' '.join(sentence_words[:_EARLY])} "
    if any(mark in opening for mark in _apart("moment")):
        return "moment"
    alone = priced in (0, len(sentence_words) - 1)
    return "amount" if (opened and priced <= _FAR) or (alone and priced >= 0) else ""


@lru_cache(maxsize=8192)
def holds_kind(sentence: str, kind: str) -> bool:
    """Return whether a sentence states what a question of that kind asks for."""
    if kind == "phone":
        return any(claim.kind == "phone" for claim in claims(sentence))
    sentence_words = words(sentence)
    if kind == "amount":
        row = f" {' '.join(sentence_words)} "
        if any(mark in row for mark in _apart("free")):
            return True
        priced = any(word in _asked("price") for word in sentence_words)
        kinds = {claim.kind for claim in claims(sentence)}
        return bool(kinds & ({"amount", "percentage", "number"} if priced else _AMOUNTS))
    if any(word in units() for word in sentence_words):
        return True
    lasts = kind == "moment" or any(word in _asked("until") for word in sentence_words)
    return lasts and any(claim.kind == "date_or_time" for claim in claims(sentence))


def wants_meaning(sentence: str) -> bool:
    """Return whether a sentence asks what a code means or what to do, or just names it."""
    return "?" not in sentence or any(word in _asked("meaning") for word in words(sentence))


@lru_cache(maxsize=8192)
def goes_on(sentence: str) -> bool:
    """Return whether a sentence begins with a word for what was spoken of before it."""
    return bool(set(words(sentence)[:1]) & _asked("standing"))


@lru_cache(maxsize=8)
def _asked(name: str) -> frozenset[str]:
    return frozenset(" ".join(words(mark)) for mark in asked_words()[name])


@lru_cache(maxsize=8)
def _apart(name: str) -> tuple[str, ...]:
    """Return the phrases of a list with a space around each."""
    return tuple(f" {mark} " for mark in _asked(name))


@lru_cache(maxsize=1)
def units() -> frozenset[str]:
    """Return the words for units of time in all languages, folded."""
    return frozenset(fold(word) for unit in UNITS for word in number_words()[unit])
