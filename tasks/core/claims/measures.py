"""Further things that a sentence states: durations, places in a row, shares, telephones, persons.

Each is a word or a pair of words that a source must hold in some language or notation. What is
ordinary in any letter (*first*, *one day*) is no claim.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import re2

from data.lexicons.drafting import number_words
from tasks.core.claims.claim_text import read_stated
from tasks.core.claims.dates import month_of
from tasks.core.claims.number_words import grouped, list_halves, number_of
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, words

UNITS = ("minute", "hour", "day", "week", "month", "year")
_SHARES = {"half": "50%", "third": "", "quarter": "25%", "dozen": "12"}
_BETWEEN = 2
"""Words between a number and its unit at most: *12 full working days*."""
_STOPS = frozenset(
    {"per", "pro", "par", "por", "al", "a", "je", "each", "every", "for", "fur", "pour", "na"}
    | {"euro", "euros", "eur", "percent", "prozent"}
)
"""Words after which a unit counts something else: *31 euros per day*."""
_PHONE = compiled(r"(?:\+|\b00|\b0)\d?[\d ()/.\-]{6,20}\d")
_DECIMAL = compiled(r"\b(\d{1,2})[.,](\d)\b")
_SHORTEST_PHONE = 8
_DIGITS = "0123456789"
_FIGURES = compiled(r"^(\d{1,3})(?:st|nd|rd|th)$")


def measures(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, form and words as written of what a sentence states beside plain numbers."""
    yield from _durations(sentence)
    yield from _words(sentence)
    yield from _phones(sentence)


@lru_cache(maxsize=1024)
def measures_held_in(text: str) -> frozenset[tuple[str, str]]:
    """Return what a source holds of these, as kind and form; a share also as its percentage."""
    return frozenset((kind, value) for kind, value, _ in measures(text))


def same_share(value: str) -> tuple[tuple[str, str], ...]:
    """Return other forms of a share: half is 50 percent, a dozen is 12."""
    other = _SHARES.get(value, "")
    if not other:
        return ()
    return (("percentage", other),) if other.endswith("%") else (("number", other),)


def share_of(percentage: str) -> tuple[tuple[str, str], ...]:
    """Return the share in words that a percentage is, if it has one."""
    return tuple(("share", name) for name, value in _SHARES.items() if value == percentage)


def _durations(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield numbers with the unit of time that they count."""
    plain = read_stated(sentence)
    marked = _DECIMAL.sub(r"\1d\2", sentence) if _DECIMAL.search(sentence) else sentence
    same = not plain.moments and marked == sentence
    grouped_words = plain.grouped if same else grouped(words(marked))
    for place, (word, _) in enumerate(grouped_words):
        figures = word.lstrip("0").replace("d", ".") if word[:1].isdigit() else ""
        number = figures or number_of(word)
        number = "0.5" if word in list_halves() else number
        if not number or number == "1":
            continue
        for unit, _ in grouped_words[place + 1 : place + 2 + _BETWEEN]:
            stops = unit in _STOPS and word not in list_halves()
            if unit[:1].isdigit() or number_of(unit) or stops:
                break
            if unit in _units():
                end = next(
                    n for n in range(place, len(grouped_words)) if grouped_words[n].word == unit
                )
                row = [
                    part
                    for number_word in grouped_words[place : end + 1]
                    for part in number_word.row
                ]
                yield "duration", f"{number} {_units()[unit]}", as_written(sentence, row)
                break


def as_written(sentence: str, row: Sequence[str]) -> str:
    """Return words in a row as they stand in a sentence, folded; apart by spaces where not."""
    folded_sentence, plain = fold(sentence), " ".join(row)
    begins = {row[0], *(row[0].replace("d", sign) for sign in ".,")}
    if (
        row[0].count("d") < 2
        and sum(map(folded_sentence.count, begins)) == 1
        and plain in folded_sentence
    ):
        return plain  # making a pattern takes longer than all the rest
    pattern = r"[^\pL\pN]+".join(re2.escape(number).replace("d", "[d.,]") for number in row)
    match = re2.search(pattern, folded_sentence)
    return match[0] if match is not None else plain


def _words(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield places in a row, days of months among them, and shares in words."""
    stated_words = read_stated(sentence).words
    for place, word in enumerate(stated_words):
        if (order := order_of(word)) is None:
            continue
        month = month_of("".join(stated_words[place + 1 : place + 2]))
        if month:
            yield "date_or_time", f"d{order}m{month}", f"{word} {stated_words[place + 1]}"
        elif order > 1:
            yield "ordinal", str(order), word
    together = tuple(number_word.word for number_word in read_stated(sentence).grouped)
    if _shares().keys().isdisjoint(together):
        return
    for place, word in enumerate(together):
        for value, row in _shares().get(word, ()):
            if together[place : place + len(row)] == row:
                yield "share", value, " ".join(row)


def order_of(word: str) -> int | None:
    """Return the place in a row that a folded word names, or None."""
    if not word[:1].isdigit():
        return _orders().get(word)
    figures = _FIGURES.match(word)
    return int(figures[1]) if figures is not None else None


def _phones(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield telephone numbers in one form: digits alone, without a zero in brackets."""
    plain = read_stated(sentence)
    if sum(map(plain.folded.count, _DIGITS)) < _SHORTEST_PHONE:
        return
    for match in _PHONE.finditer(plain.rest):
        digits = "".join(letter for letter in match[0].replace("(0)", "") if letter.isdigit())
        digits = digits[2:] if digits.startswith("00") else digits
        if _SHORTEST_PHONE <= len(digits) <= 15:
            yield "phone", digits, match[0].strip()


def phone_spans(text: str) -> list[tuple[int, int]]:
    """Return where telephone numbers stand."""
    return [
        match.span()
        for match in _PHONE.finditer(text)
        if _SHORTEST_PHONE <= sum(letter.isdigit() for letter in match[0]) <= 16
    ]


@lru_cache(maxsize=1)
def _units() -> dict[str, str]:
    return {fold(word): unit for unit in UNITS for word in number_words()[unit]}


@lru_cache(maxsize=1)
def _orders() -> dict[str, int]:
    table = number_words()
    return {fold(word): n for n in range(2, 6) for word in table[f"o{n}"]}


@lru_cache(maxsize=1)
def _shares() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Return the shares in words, by their first word."""
    shares: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for value in _SHARES:
        for row in {tuple(words(word)) for word in number_words()[value]}:
            shares.setdefault(row[0], []).append((value, row))
    return shares
