"""What kind of thing a question wants, and whether a sentence has it: a number, a name, a yes."""

from functools import lru_cache

from data.lexicons.drafting import LANGUAGES, phrases
from tasks.check.claims import claims
from tasks.words.sentences import fold, words


def amounts(text: str) -> frozenset[str]:
    """Return the folded numbers of a text that count something, in figures or words.

    A number after a word with a capital is part of a name: *Wren 1*, *Saal 3*.
    """
    found, before = set[str](), ""
    for word in text.split():
        bare = "".join(words(word))
        if (bare[:1].isdigit() or bare in _number_words()) and not before[:1].isupper():
            found.add(bare)
        before = word
    return frozenset(found)


@lru_cache(maxsize=1)
def _number_words() -> frozenset[str]:
    return frozenset(fold(word) for code in LANGUAGES for word in phrases(code).numbers)


def is_closed(sentence: str) -> bool:
    """Return whether a question asks if something is so, by its first words."""
    said = words(sentence)[:3]
    return any(tuple(said[:size]) in _closed_openings() for size in (1, 2, 3))


def wants_person(sentence: str, language: str) -> bool:
    """Return whether a question asks who, by its first two words."""
    return bool({*words(sentence)[:2]} & {fold(word) for word in phrases(language).person_words})


@lru_cache(maxsize=8192)
def names_somebody(sentence: str) -> bool:
    """Return whether a sentence names somebody: a name of two words, or a mail address."""
    return "@" in sentence or any(claim.kind == "name" for claim in claims(sentence))


@lru_cache(maxsize=1)
def _closed_openings() -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(words(mark)) for code in LANGUAGES for mark in phrases(code).closed_words
    )


@lru_cache(maxsize=8192)
def holds_number(sentence: str) -> bool:
    """Return whether a sentence states a number, a time or a date, in digits or words."""
    return any(claim.kind not in ("name", "commitment", "ordinal") for claim in claims(sentence))
