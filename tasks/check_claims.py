"""The claims of a sentence: numbers with their units, dates, times, names, commitments.

What two texts state alike gets the same form, so that `39,00 €` rests on `39.00 euros` and
not on `39 percent`.
"""

from functools import lru_cache

import re2

from data.lexicons.drafting import LANGUAGES, phrases
from data.records.record import Record
from tasks.draft_words import fold, words

_NUMBER = re2.compile(
    r"(?P<before>[€$£]|\b(?:eur|usd|chf|gbp|pln)\s?)?(?P<number>\d+(?:[.,:/'’]\d+)*)"
    r"(?P<after>\s?(?:%|€|\$|£|percent\b|per cent\b|prozent\b|pour ?cent\b|por ciento\b|per cento\b"
    r"|por cento\b|procent\b|euros?\b|eur\b|usd\b|dollars?\b|chf\b|gbp\b|pounds?\b|pln\b|zl\b"
    r"|am\b|pm\b|uhr\b|h\b))?"
)
_UNITS = (
    ("%", ("%", "percent", "per cent", "prozent", "pourcent", "pour cent", "por ciento")),
    ("%", ("per cento", "por cento", "procent")),
    ("eur", ("€", "eur", "euro", "euros")),
    ("usd", ("$", "usd", "dollar", "dollars")),
    ("gbp", ("£", "gbp", "pound", "pounds")),
    ("chf", ("chf",)),
    ("pln", ("pln", "zl")),
    ("pm", ("pm",)),
    ("am", ("am",)),
)
_UNIT_OF = {name: unit for unit, names in _UNITS for name in names}
_NAME = re2.compile(
    r"\b[\p{Lu}][\p{L}\p{M}'’-]+(?:\s+(?:(?:van|von|de|der|da|di|du|la)\s+)*[\p{Lu}][\p{L}'’-]+)+"
)


class Claim(Record):
    """One thing that a sentence states and a source must hold."""

    kind: str
    """`number`, `amount`, `percentage`, `date_or_time`, `name` or `commitment`."""
    value: str
    """Its form for comparing."""
    excerpt: str
    """As written."""


def claims(sentence: str) -> list[Claim]:
    """Return what a sentence states, in order of kind."""
    return [*_numbers(sentence), *_word_claims(sentence), *_names(sentence), *_promises(sentence)]


@lru_cache(maxsize=1024)
def values(text: str) -> frozenset[tuple[str, str]]:
    """Return what a source states, as kind and form; numbers also without their unit."""
    found = {(claim.kind, claim.value) for claim in (*_numbers(text), *_word_claims(text))}
    found |= {("commitment", claim.value) for claim in _promises(text)}
    return frozenset(found)


def has_negation(sentence: str) -> bool:
    """Return whether a sentence denies something, in any of the drafting languages."""
    said = words(sentence)
    return any(word in _negations() or word.endswith("n't") for word in said)


def _numbers(text: str) -> list[Claim]:
    """Return numbers with their unit: amounts, percentages, dates, times and bare numbers."""
    found: list[Claim] = []
    for match in _NUMBER.finditer(fold(text)):
        number = match.group("number")
        unit = _UNIT_OF.get((match.group("before") or match.group("after") or "").strip(), "")
        if ":" in number or "/" in number or number.count(".") == 2 or unit in ("am", "pm"):
            kind, value = "date_or_time", f"{_parts(number)}{unit}"
        else:
            kind = {"%": "percentage", "": "number"}.get(unit, "amount")
            value = f"{_decimal(number)}{unit}"
        found.append(Claim(kind=kind, value=value, excerpt=match.group().strip()))
    return found


def _word_claims(text: str) -> list[Claim]:
    """Return months, weekdays and number words; `one` counts for nothing in most languages."""
    table = _word_table()
    return [
        Claim(kind=table[word][0], value=table[word][1], excerpt=word)
        for word in words(text)
        if word in table
    ]


def _names(sentence: str) -> list[Claim]:
    """Return what looks like a name: two or more capitalized words in a row."""
    return [
        Claim(kind="name", value=fold(match), excerpt=match) for match in _NAME.findall(sentence)
    ]


def _promises(text: str) -> list[Claim]:
    """Return the phrases that bind the organization."""
    said = f" {' '.join(words(text))} "
    return [
        Claim(kind="commitment", value=mark, excerpt=mark)
        for mark in _commitments()
        if f" {mark} " in said
    ]


def _decimal(number: str) -> str:
    """Return a number without grouping, with a point for decimals and no trailing zeros."""
    number = number.replace("'", "").replace("’", "")
    cut = max(number.rfind("."), number.rfind(","))
    if cut < 0:
        return number.lstrip("0") or "0"
    head = "".join(letter for letter in number[:cut] if letter.isdigit()).lstrip("0") or "0"
    tail = number[cut + 1 :]
    if len(tail) == 3 and len(head) <= 3 and head != "0":
        return head + tail
    tail = tail.rstrip("0")
    return f"{head}.{tail}" if tail else head


def _parts(number: str) -> str:
    """Return the parts of a date or time without leading zeros."""
    for mark in "./,":
        number = number.replace(mark, ":")
    return ":".join(part.lstrip("0") or "0" for part in number.split(":"))


@lru_cache(maxsize=1)
def _word_table() -> dict[str, tuple[str, str]]:
    """Return word to kind and form; a word of several languages keeps its first meaning."""
    table: dict[str, tuple[str, str]] = {}
    for code in LANGUAGES:
        lists = phrases(code)
        for number, word in enumerate(lists.numbers):
            if number >= 2:
                table.setdefault(fold(word), ("number", str(number)))
        for place, word in enumerate(lists.months, start=1):
            if fold(word) not in ("may", "mars", "marca", "mai", "mei"):
                table.setdefault(fold(word), ("date_or_time", f"month{place}"))
        for place, word in enumerate(lists.weekdays, start=1):
            table.setdefault(fold(word), ("date_or_time", f"day{place}"))
    return table


@lru_cache(maxsize=1)
def _commitments() -> tuple[str, ...]:
    """Return the phrases that bind, of all languages, as folded words."""
    found = {" ".join(words(mark)) for code in LANGUAGES for mark in phrases(code).commitments}
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def _negations() -> frozenset[str]:
    """Return the words that deny, of all languages, folded; single letters left out."""
    found = {fold(word) for code in LANGUAGES for word in phrases(code).negations}
    return frozenset(word for word in found if len(word) > 1)
