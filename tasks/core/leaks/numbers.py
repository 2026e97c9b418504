"""Numbers that no reply should tell: account and card numbers, one-time codes, long numbers.

A check digit tells cards (ISO/IEC 7812-1) and accounts (ISO 13616). Numbers of orders, parcels and
telephones look alike; the word before them tells those apart, unless a number has a card's shape.
"""

from collections.abc import Iterator
from functools import cache

import re2

from data.lexicons.secrets import secret_words
from tasks.core.patterns import compiled

_RUN = compiled(r"\d(?:[ .\-]?\d){11,27}")
_IBAN = compiled(r"\b[A-Z]{2}\d{2}(?:[ \-]?[A-Z0-9]){11,30}\b")
_SHORT = compiled(
    r"\b\d{4,8}\b|\b\d{3}[ \-]\d{3}\b|\b\d{2}[ \-]\d{2}[ \-]\d{2}\b|\b\d(?:[ .\-]\d){3,7}\b"
)
_CARD_CODE = compiled(r"\b(?:cvv|cvc|csc|cvn)2?\b\W{0,3}(?:[a-z]{2,4}\W{1,2})?\d{3,4}\b")
_END = compiled(r"[.!?;](?:\s|$)|\n")
_JOINED = compiled(r"^[\s\"'»«“”:=()\-–]*(?:\p{L}{1,7}[\s\"'»«“”:=()\-–]*){0,1}$")
_LABEL, _BEFORE, _AFTER = 48, 42, 36
"""Letters between a number and the word that says what it is."""


def account_numbers(text_seen: str) -> list[str]:
    """Return account numbers with right check digits."""
    return [match for match in _IBAN.findall(text_seen) if _is_iban(match)]


def long_numbers(text_seen: str, folded: str) -> Iterator[tuple[str, str]]:
    """Yield numbers of twelve digits or more that are neither told nor goods, and what they are.

    Args:
        text_seen: the text.
        folded: the same, folded; letters may stand elsewhere.

    """
    for match in _RUN.finditer(text_seen):
        start, end = match.span()
        if text_seen[start - 1 : start].isalnum() or text_seen[end : end + 1].isalnum():
            continue  # a part of something longer, a hash perhaps
        number = match.group()
        plain = "".join(letter for letter in number if letter.isdigit())
        label = _read_words_before(folded, number, plain)
        card = is_card(plain)
        if card and (_shaped(number) or not _has(label, "goods")):
            yield "account_number", number
            continue
        abroad = text_seen[:start].rstrip(" (").endswith("+") or (plain[:2] == "00" and not card)
        if not abroad and not _has(label, "goods") and not _has(label, "told"):
            yield "long_number", number


def card_codes(folded: str) -> list[str]:
    """Return the check codes of cards, with the word that says so."""
    return list(_CARD_CODE.findall(folded))


def codes(folded: str) -> list[str]:
    """Return the short numbers that a word beside them, in the same sentence, makes codes."""
    words, puts = list(_pattern("codes").finditer(folded)), _pattern("put_in")
    if not words and puts.search(folded) is None:
        return []
    marks = [word.span() for word in words if not _means_other(folded, *word.span())]
    codes_read: list[str] = []
    for match in _SHORT.finditer(folded):
        start, end = match.span()
        if _in_larger(folded, start, end):
            continue
        before, after = _sentence(folded, start, end)
        year = match.group().isdigit() and 1900 <= int(match.group()) <= 2099
        near = any(before <= b < start and start - b <= _BEFORE for _, b in marks)
        joined = any(before <= b <= start and _JOINED.match(folded[b:start]) for _, b in marks)
        follows = any(end <= a < after and a - end <= _AFTER for a, _ in marks)
        is_put_in = puts.search(folded[max(before, start - 24) : start]) and _pattern(
            "put_in_for"
        ).search(folded[end : min(after, end + _AFTER)])
        if joined or (not year and (near or follows or is_put_in)):
            codes_read.append(match.group())
    return codes_read


def passes_luhn(digits: str) -> bool:
    """Return whether a string of digits has a valid check digit (ISO/IEC 7812-1)."""
    total = 0
    for place, letter in enumerate(reversed(digits)):
        value = int(letter) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Return whether digits are those of a payment card: length, issuer and check digit."""
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and passes_luhn(digits)


def _is_iban(text: str) -> bool:
    """Return whether `text` is an account number with valid check digits (ISO 13616)."""
    compact = text.replace(" ", "").replace("-", "")
    if not 15 <= len(compact) <= 34:
        return False
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _shaped(number: str) -> bool:
    """Return whether a number is written in a card's groups: fours, or four, six and five."""
    groups = [len(part) for part in number.replace("-", " ").replace(".", " ").split()]
    fours = all(size == 4 for size in groups[:-1]) and 1 <= groups[-1] <= 4
    return len(groups) > 2 and (fours or groups == [4, 6, 5])


def _read_words_before(folded: str, number: str, plain: str) -> str:
    """Return the words before a number, on its line."""
    for form in (number, plain):
        at = folded.find(form)
        if at >= 0:
            return folded[max(0, at - _LABEL) : at].rpartition("\n")[2]
    return ""


def _has(text: str, group: str) -> bool:
    return _pattern(group).search(text) is not None


def _in_larger(folded: str, start: int, end: int) -> bool:
    """Return whether digits are a part of a date, an amount, a time or a longer number."""
    left, right = folded[max(0, start - 2) : start], folded[end : end + 2]
    before = left[-1:] in ("-", ".", ",", "/", ":", "+", "#") and left[:1].isdigit()
    after = right[:1] in ("-", ".", ",", "/", ":") and right[1:].isdigit()
    return before or after or left[-1:] in ("/", "+", "#", "$", "€", "£")


def _sentence(folded: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence of a number begins and ends."""
    first, last = max(0, start - 120), min(len(folded), end + 120)
    ends = [first + match.end() for match in _END.finditer(folded[first:start])]
    stop = _END.search(folded[end:last])
    return (ends[-1] if ends else first), (end + stop.start() if stop else last)


def _means_other(folded: str, start: int, end: int) -> bool:
    """Return whether the word before or after says that it is a code of another sort."""
    before = folded[max(0, start - 24) : start].replace("-", " ").split()
    after = folded[end : end + 24].replace("-", " ").split()
    others = secret_words("other_codes")
    skipped = [word.strip(".,:;") for word in after if word not in ("de", "di", "do", "da", "del")]
    return (bool(before) and before[-1] in others) or (bool(skipped) and skipped[0] in others)


@cache
def _pattern(group: str) -> "re2._Regexp[str]":
    """Return a pattern that finds the words of a group, as words of their own."""
    words = "|".join(re2.escape(word) for word in secret_words(group))
    return compiled(rf"\b(?:{words})\b")
