"""The claims of a sentence: numbers with their units, dates, times, names, commitments.

What two texts state alike gets the same form, so that `39,00 €` rests on `39.00 euros` and
not on `39 percent`.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from data.lexicons.drafting import LANGUAGES, number_words, phrases
from tasks.core.claims.claim_text import read_stated
from tasks.core.claims.dates import month_alone, month_of
from tasks.core.claims.measures import (
    as_written,
    measures,
    measures_held_in,
    order_of,
    phone_spans,
    same_share,
    share_of,
)
from tasks.core.claims.names import names
from tasks.core.claims.number_words import number_of
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, words

_DIGIT = compiled(r"\d")
_NUMBER = compiled(
    r"(?P<before>[€$£]\s?|\b(?:eur|usd|chf|gbp|pln)\s?)?"
    r"(?P<number>\b\d{1,3}(?:[ \x{a0}\x{2009}\x{202f}]\d{3})+(?:,\d+)?\b|\d+(?:[.,:/'’]\d+)*)"
    r"(?P<after>\s?(?:%|€|\$|£|percent\b|per cent\b|prozent\b|pour ?cent\b|por ciento\b|per cento\b"
    r"|por cento\b|procent\b|euros?\b|eur\b|usd\b|dollars?\b|chf\b|gbp\b|pounds?\b|pln\b|zl\b))?"
)
_UNITS = (
    ("%", ("%", "percent", "per cent", "prozent", "pourcent", "pour cent", "por ciento")),
    ("%", ("per cento", "por cento", "procent")),
    ("eur", ("€", "eur", "euro", "euros")),
    ("usd", ("$", "usd", "dollar", "dollars")),
    ("gbp", ("£", "gbp", "pound", "pounds")),
    ("chf", ("chf",)),
    ("pln", ("pln", "zl")),
)
_ORDER = compiled(r"\b\d+(?:st|nd|rd|th)\b")
_SHORT_DATE = compiled(r"^(\d{1,2})[./](\d{1,2})$")
_SHORT_TIME = compiled(r"^(\d{1,2})(?:[.:](\d\d))?$")
_BESIDE_TIME = compiled(r"\b(?:[01]?\d|2[0-3])\.[0-5]\d\b")
_UNIT_OF = {name: unit for unit, names in _UNITS for name in names}


class Claim(NamedTuple):
    """One thing that a sentence states and a source must hold."""

    kind: str
    """`number`, `amount`, `percentage`, `date_or_time`, `duration`, `ordinal`, `share`, `phone`,
    `name` or `commitment`."""
    value: str
    """Its form for comparing."""
    excerpt: str
    """As written."""


@lru_cache(maxsize=2048)
def claims(sentence: str) -> tuple[Claim, ...]:
    """Return what a sentence states, in order of kind; those of the knowledge come up again."""
    return (
        *_numbers(sentence),
        *_word_claims(sentence),
        *(Claim(kind, value, excerpt) for kind, value, excerpt in measures(sentence)),
        *(Claim("name", value, said) for value, said in names(sentence)),
        *_promises(sentence),
    )


@lru_cache(maxsize=1024)
def values(text: str) -> frozenset[tuple[str, str]]:
    """Return what a source states, as kind and form, and what that is in other notations."""
    numbers = _numbers(text)
    all_values = {(claim.kind, claim.value) for claim in (*numbers, *_word_claims(text))}
    all_values |= {("commitment", claim.value) for claim in _promises(text)}
    moments_read = read_stated(text).moments
    all_values |= {more for moment in moments_read for more in moment.further}
    if any(":" in moment.value for moment in moments_read):
        all_values |= {form for claim in numbers for form in _as_time(claim)}
    return frozenset(all_values | measures_held_in(text))


def other_forms(claim: Claim, sentence: str) -> Iterator[tuple[str, str]]:
    """Yield what a claim may mean as well: `16.30` a time, `3.5.` a day, half 50 percent."""
    if claim.kind == "share":
        yield from same_share(claim.value)
    if claim.kind == "percentage":
        yield from share_of(claim.value)
    cut = _SHORT_DATE.match(claim.excerpt)
    if cut is not None:
        yield "date_or_time", f"d{int(cut[1])}m{int(cut[2])}"
    clock = any(":" in moment.value for moment in read_stated(sentence).moments)
    clock = clock or _BESIDE_TIME.search(sentence) is not None
    if clock or "." in claim.excerpt:
        yield from _as_time(claim)


def _as_time(claim: Claim) -> Iterator[tuple[str, str]]:
    """Yield the time of the day that a number could be beside another time."""
    shown = _SHORT_TIME.match(claim.excerpt) if claim.kind == "number" else None
    if shown is not None and int(shown[1]) <= 24 and int(shown[2] or 0) < 60:
        yield "date_or_time", f"{int(shown[1])}:{int(shown[2] or 0)}"


def has_negation(sentence: str, language: str = "") -> bool:
    """Return whether a sentence denies something, in a language or any of the drafting ones.

    A month beside its day is none: *mai* is May in German and French, and never in Italian.
    """
    stated_words = read_stated(sentence).words
    return any(
        (word in _negations(language) and not (month_of(word) and order_of(before)))
        or word.endswith("n't")
        for before, word in zip(["", *stated_words], stated_words, strict=False)
    )


def _numbers(text: str) -> list[Claim]:
    """Return numbers with their unit: amounts, percentages, dates, times and bare numbers."""
    folded, moments_read, rest, *_ = read_stated(text)
    if _DIGIT.search(folded) is None:
        return []
    number_claims = [
        Claim(kind="date_or_time", value=moment.value, excerpt=moment.excerpt)
        for moment in moments_read
    ]
    years = [
        (moment, form) for moment in moments_read for kind, form in moment.further if len(form) == 4
    ]
    number_claims += [
        Claim(kind="number", value=form, excerpt=one.excerpt)
        for one, form in years
        if form.isdigit()
    ]
    for start, end in phone_spans(rest):
        rest = rest[:start] + " " * (end - start) + rest[end:]
    for match in _NUMBER.finditer(_ORDER.sub(" ", rest)):
        number = "".join(match.group("number").split())
        unit = _UNIT_OF.get((match.group("before") or match.group("after") or "").strip(), "")
        if ":" in number or "/" in number or number.count(".") == 2:
            kind, value = "date_or_time", f"{_parts(number)}{unit}"
        else:
            kind = {"%": "percentage", "": "number"}.get(unit, "amount")
            value = f"{_decimal(number)}{unit}"
        number_claims.append(Claim(kind=kind, value=value, excerpt=match.group().strip()))
    return number_claims


def _word_claims(text: str) -> list[Claim]:
    """Return weekdays, number words, and months without a day; `one` counts for nothing."""
    word_claims = []
    folded, stated_numbers = read_stated(text).folded, read_stated(text).grouped
    for place, (word, row) in enumerate(stated_numbers):
        if (day := _word_table().get(word)) is not None:
            word_claims.append(Claim(kind=day[0], value=day[1], excerpt=word))
        elif month := month_alone(word):
            word_claims.append(Claim(kind="date_or_time", value=f"month{month}", excerpt=word))
        elif number := word if len(row) > 1 else number_of(word):
            unit = _unit_after(
                [number_word.word for number_word in stated_numbers[place + 1 : place + 3]]
            )
            kind = {"%": "percentage", "": "number"}.get(unit, "amount")
            word_claims.append(
                Claim(kind=kind, value=f"{number}{unit}", excerpt=as_written(folded, row))
            )
    return word_claims


def _unit_after(following: list[str]) -> str:
    """Return the unit that the words after a number name, if they do."""
    return _UNIT_OF.get(" ".join(following), "") or _UNIT_OF.get("".join(following[:1]), "")


def _promises(text: str) -> list[Claim]:
    """Return the phrases that bind the organization."""
    spaced_text = f" {' '.join(words(text))} "
    return [
        Claim("commitment", mark, mark) for mark, apart in _commitments() if apart in spaced_text
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
        for place, word in enumerate(lists.weekdays, start=1):
            table.setdefault(fold(word), ("date_or_time", f"day{place}"))
    for place in range(1, 8):
        for word in number_words()[f"day{place}"]:
            table.setdefault(fold(word), ("date_or_time", f"day{place}"))
    return table


@lru_cache(maxsize=1)
def _commitments() -> tuple[tuple[str, str], ...]:
    """Return the phrases that bind, of all languages, as folded words; also with spaces around."""
    commitment_words = {
        " ".join(words(mark)) for code in LANGUAGES for mark in phrases(code).commitments
    }
    return tuple((mark, f" {mark} ") for mark in sorted(commitment_words))


@lru_cache(maxsize=16)
def _negations(language: str) -> frozenset[str]:
    """Return the words that deny, of a language or of all, folded; single letters left out."""
    codes = (language,) if language else LANGUAGES
    negation_words = {fold(word) for code in codes for word in phrases(code).negations}
    return frozenset(word for word in negation_words if len(word) > 1)
