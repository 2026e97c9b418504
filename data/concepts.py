"""Marks of a text beside its letters: concepts that eight languages share, and how it is written.

A concept is a number for many words (`data/lexicons/understanding/concepts.yaml`), so that what is
learned of "refund" holds for "Erstattung". Signs of writing are questions, shouting, links, money.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import re2

from data.errors import ManifestError
from data.word_lists import word_list

LEXICON = Path(__file__).parent / "lexicons" / "understanding" / "concepts.yaml"
FIRST = 64
"""The number of the first concept; below are the signs of writing."""
LONGEST = 14
"""Letters of a stem at most; longer stems are cut."""
APART = 7
"""Words that may lie between two concepts that count as a pair."""
GREETED, CLOSED, ASKS, ASKS_TWICE, ASKS_OFTEN, LOUD, CAPITAL, SHOUTED = range(1, 9)
LINKED, LINKED_TWICE, LINKED_OFTEN, MONEY, MONEY_OFTEN, NUMBERED, PERCENT, QUOTED, LISTED = range(
    9, 18
)

_MONEY = frozenset(["eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "chf", "pln", "zł"])
_REFERENCE = re2.compile(
    r"(?i)(?:#|\b(?:no|nr|n|id|ref|order|invoice|ticket|case|booking|bestellung|rechnung|commande|"
    r"facture|pedido|factura|ordine|fattura|encomenda|fatura|bestelling|factuur|zamówieni\pL*)\b)"
    r"[\s.:#°º-]*(?:\pL{1,5}-?)?\d{3,}|\b\pL{2,5}-\d{2,}"
)
_GREETINGS = (
    "hi", "hello", "hey", "dear", "good (?:morning|afternoon|evening|day)", "hallo", "guten",
    "sehr geehrte", "liebe[rs]?", "moin", "bonjour", "bonsoir", "chère?", "madame", "hola",
    "buen[oa]s", r"estimad\pL+", r"querid\pL+", "salve", "buongiorno", "ciao", r"gentil\pL+",
    r"egregi\pL+", "ol[áa]", "bo[am]", "car[oa]", r"prezad\pL+", "geachte", "beste", "dag",
    "dzień", "cześć", r"szanown\pL+", "witam",
)  # fmt: skip
_GREETING = re2.compile(rf"(?i)^\W*(?:{'|'.join(_GREETINGS)})\b")
_GREETS = frozenset(greeting[:2] for greeting in _GREETINGS)
"""How they begin: most words of a mail begin otherwise, and are not held against the pattern."""
_NO_LETTERS = "".join(chr(code) for code in range(128) if not (chr(code).isalnum() or code == 95))
_CLOSING = (
    "regards", "sincerely", "yours", "cheers", "grüße", "gruß", "cordialement", "salutations",
    "saludos", "atentamente", "saluti", "cumprimentos", "atenciosamente", "groet", "pozdraw",
    "poważaniem",
)  # fmt: skip
_BEGINNING, _END = 80, 160
"""Characters in which a greeting and a closing stand."""
_KEPT_BELOW = 0x3000
"""Letters whose answer is remembered: the alphabets; no mail can make the table large."""
_BRIEF = 24
"""Characters of a text whose marks are remembered: single words, which come again and again."""


class _Apart(dict[int, int]):
    """A table for `str.translate`: letters and digits stay, the rest parts words."""

    def __missing__(self, code: int) -> int:
        mapped = code if chr(code).isalnum() else 32
        if code < _KEPT_BELOW:
            self[code] = mapped
        return mapped


_APART = _Apart()


def words_of(text: str) -> list[str]:
    """The words of `text`: runs of letters and digits, as written."""
    return text.translate(_APART).split()


@cache
def _stems() -> tuple[dict[str, int], dict[str, int], dict[tuple[str, ...], int], frozenset[str]]:
    """Whole words, beginnings and phrases by concept; and the words that begin a phrase."""
    file = word_list(LEXICON)
    whole: dict[str, int] = {}
    begin: dict[str, int] = {}
    phrases: dict[tuple[str, ...], int] = {}
    for number, text in enumerate(file.values(), FIRST):
        for stem in str(text).split(";"):
            words = words_of(stem.lower())
            if len(words) in (2, 3):
                phrases.setdefault(tuple(words), number)
            elif len(words) == 1 and (stem.strip().endswith("=") or len(words[0]) < 3):
                whole.setdefault(words[0], number)
            elif len(words) == 1:
                begin.setdefault(words[0][:LONGEST], number)
            else:
                raise ManifestError(
                    f"The concept stem {stem!r} is not one to three words; correct it."
                )
    return whole, begin, phrases, frozenset(phrase[0] for phrase in phrases)


@lru_cache(maxsize=60_000)
def concept(word: str) -> int:
    """The concept of a word in lower case, 0 when it has none."""
    whole, begin, _, _ = _stems()
    meaning = whole.get(word)
    if meaning is not None:
        return meaning
    for length in range(min(len(word), LONGEST), 2, -1):
        meaning = begin.get(word[:length])
        if meaning is not None:
            return meaning
    return 0


@cache
def _names() -> tuple[str, ...]:
    """The concepts' names in the order of their numbers."""
    return tuple(word_list(LEXICON))


def concepts_named_in(text: str) -> frozenset[str]:
    """The names of the concepts that `text` speaks of."""
    return frozenset(_names()[number - FIRST] for number, _ in concepts(words_of(text.lower())))


def concepts(words: Sequence[str]) -> list[tuple[int, int]]:
    """The concepts of words in lower case, in order, each with the place of its word."""
    _, _, phrases, starters = _stems()
    concepts_read = []
    for place, word in enumerate(words):
        number = concept(word)
        if number:
            concepts_read.append((number, place))
        if word in starters:
            for size in (2, 3):
                number = phrases.get(tuple(words[place : place + size]), 0)
                if number:
                    concepts_read.append((number, place))
    return concepts_read


def signs(text: str, links: int) -> list[int]:
    """How `text` is written, as numbers below `FIRST`; `links` is how many addresses it holds."""
    return _signs(text, links, words_of(text))


def _signs(text: str, links: int, words: Sequence[str]) -> list[int]:
    signs_read = []
    head = text[:_BEGINNING]
    greets = not head.isascii() or head.lstrip(_NO_LETTERS)[:2].lower() in _GREETS
    if greets and _GREETING.search(head) is not None:
        signs_read.append(GREETED)
    ending = text[-_END:].lower()
    if any(word in ending for word in _CLOSING):
        signs_read.append(CLOSED)
    asked = text.count("?")
    if asked:
        signs_read.append((ASKS, ASKS_TWICE, ASKS_OFTEN)[min(asked, 3) - 1])
    if "!!" in text or text.count("!") > 2:
        signs_read.append(LOUD)
    capitals = sum(len(word) for word in words if word.isupper() and len(word) > 3)
    if capitals:
        signs_read.append(SHOUTED if capitals * 3 > len(text) else CAPITAL)
    if links:
        signs_read.append((LINKED, LINKED_TWICE, LINKED_OFTEN)[min(links, 3) - 1])
    sums = text.count("$") + text.count("€") + text.count("£")
    sums += sum(word.lower() in _MONEY for word in words if 1 < len(word) < 8)
    if sums:
        signs_read.append(MONEY if sums < 3 else MONEY_OFTEN)
    if "%" in text:
        signs_read.append(PERCENT)
    numbers = any(len(word) > 1 and not word.isalpha() for word in words)
    if numbers and _REFERENCE.search(text) is not None:
        signs_read.append(NUMBERED)
    if "\n>" in text or text.startswith(">"):
        signs_read.append(QUOTED)
    if "\n-" in text or "\n*" in text or "\n•" in text:
        signs_read.append(LISTED)
    return signs_read


def marks(text: str, links: int) -> list[int]:
    """Signs, concepts, concepts of the beginning, and pairs of concepts, as distinct numbers."""
    return _brief_marks(text, links) if len(text) <= _BRIEF else _marks(text, links)


@lru_cache(maxsize=20_000)
def _brief_marks(text: str, links: int) -> list[int]:
    return _marks(text, links)


def _marks(text: str, links: int) -> list[int]:
    words = words_of(text)
    own = concepts([word.lower() for word in words])
    result = set(_signs(text, links, words))
    before, at = 0, -APART
    for number, place in own:
        result.add(number)
        if place < APART:
            result.add(1_000 + number)
        if before and before != number and place - at <= APART:
            result.add((before << 12) | (number << 24) | 1)
        before, at = number, place
    return sorted(result)
