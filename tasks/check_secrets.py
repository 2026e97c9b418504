"""What must never leave in a reply: keys, one-time codes, recovery links, account numbers.

First version: patterns and check digits; no corpora measure their recall yet.
"""

from bisect import bisect_left
from functools import lru_cache

import re2

from data.lexicons.drafting import LANGUAGES, phrases
from data.records.record import Record
from tasks.check_links import find_links, plain
from tasks.draft_words import fold

_KEYS = re2.compile(
    r"-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)-----"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_\-]{16,}"
    r"|\b(?:ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|npm|pypi|whsec|hf)[-_][A-Za-z0-9_\-]{12,}"
    r"|\bAIza[0-9A-Za-z_\-]{30,}"
    r"|\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*"
    r"|\b[0-9a-f]{40,}\b"
)
_LABELLED = re2.compile(
    r"(?:password|passwort|kennwort|passphrase|mot de passe|contrasena|clave|senha|palavra-passe"
    r"|wachtwoord|haslo|api[ _-]?key|secret|token|parola d'ordine)"
    r"\s*(?:(?:(?:is|ist|est|es|e|to|lautet)\s*)?(?::|=)\s*[\"'`]?\S{4,}"
    r"|(?:is|ist|est|es|e|to|lautet)\s+[\"'`]?[^\s\d]*\d\S*)"
)
_RECOVERY = re2.compile(
    r"(?i)reset|recover|verif|confirm|activat|magic|one-?time|otp|token=|code=|invite|unlock|signin"
)
_DIGITS = re2.compile(r"\b\d{4,8}\b|\b\d{3}[ \-]\d{3}\b")
_LONG = re2.compile(r"\d(?:[ .\-]?\d){11,27}")
_IBAN = re2.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b")
_NEAR = 45
"""Letters between a code and the word that makes it one."""


class SecretFound(Record):
    """Something that looks secret."""

    check: str
    """`secret`, `one_time_code`, `recovery_link`, `account_number` or `long_number`."""
    excerpt: str
    """The words concerned."""


def find_secrets(text: str) -> list[SecretFound]:
    """Return everything in `text` that looks like a secret, by kind."""
    seen = plain(text)
    folded = fold(seen)
    found = [SecretFound(check="secret", excerpt=match) for match in _KEYS.findall(seen)]
    found += [SecretFound(check="secret", excerpt=match) for match in _LABELLED.findall(folded)]
    found += [SecretFound(check="one_time_code", excerpt=code) for code in _codes(folded)]
    found += [
        SecretFound(check="recovery_link", excerpt=link.text)
        for link in find_links(text)
        if "/" in link.text and _RECOVERY.search(link.text)
    ]
    ibans = [match for match in _IBAN.findall(seen) if _is_iban(match)]
    found += [SecretFound(check="account_number", excerpt=match) for match in ibans]
    for match in _LONG.findall(seen):
        digits = "".join(letter for letter in match if letter.isdigit())
        if any(digits in iban.replace(" ", "") for iban in ibans):
            continue
        card = 13 <= len(digits) <= 19 and passes_luhn(digits)
        found.append(SecretFound(check="account_number" if card else "long_number", excerpt=match))
    return found


def passes_luhn(digits: str) -> bool:
    """Return whether a string of digits has a valid check digit (ISO/IEC 7812-1)."""
    total = 0
    for place, letter in enumerate(reversed(digits)):
        value = int(letter) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_iban(text: str) -> bool:
    """Return whether `text` is an account number with valid check digits (ISO 13616)."""
    compact = text.replace(" ", "")
    if not 15 <= len(compact) <= 34:
        return False
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _codes(folded: str) -> list[str]:
    """Return the short numbers that stand near a word for codes."""
    marks = sorted(at for word in _code_words() for at in _places(folded, word))
    found: list[str] = []
    for match in _DIGITS.finditer(folded):
        next_mark = bisect_left(marks, match.start() - _NEAR)
        if next_mark < len(marks) and marks[next_mark] <= match.start() + _NEAR:
            found.append(match.group())
    return found


def _places(text: str, word: str) -> list[int]:
    """Return where `word` stands in `text` as a word of its own."""
    places: list[int] = []
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not before.isalnum() and not after.isalnum():
            places.append(at)
        at = text.find(word, at + 1)
    return places


@lru_cache(maxsize=1)
def _code_words() -> tuple[str, ...]:
    """Return the words that stand beside a code, of all languages, folded."""
    found = {fold(word) for code in LANGUAGES for word in phrases(code).code_words}
    return tuple(sorted(found))
