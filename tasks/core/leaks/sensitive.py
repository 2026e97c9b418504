"""Texts that are never remembered, whoever asks: secrets, credentials, health, payment data."""

from tasks.core.language.lists import LANGUAGES, holds, said_in
from tasks.core.leaks.secrets import find_secrets

SECRET = "it holds something that looks secret"  # noqa: S105  # a sentence
HEALTH = "it is about somebody's health"
MONEY = "it is about an account, a card or pay"
"""Why a text is not kept."""
_CARD = range(13, 20)
"""Digits of a card's number."""
_REFUSED = frozenset({"secret", "one_time_code", "recovery_link", "account_number"})


def why_sensitive(text: str, language: str | None = None) -> str:
    """Return why a text is not to be kept, without its words; empty where nothing speaks against.

    Words of health and money are looked for in every language where none is given.
    """
    for secret in find_secrets(text):
        if secret.check in _REFUSED or _is_card(secret.excerpt):
            return SECRET
    text_words = said_in(text)
    for code in LANGUAGES if language is None else (language,):
        if holds(text_words, code, "health"):
            return HEALTH
        if holds(text_words, code, "money"):
            return MONEY
    return ""


def _is_card(text: str) -> bool:
    """Return whether digits are a card's number by their check digit (Luhn)."""
    digits = [int(letter) for letter in text if letter.isdigit()]
    if len(digits) not in _CARD:
        return False
    doubled = (
        digit if place % 2 == 0 else sum(divmod(2 * digit, 10))
        for place, digit in enumerate(reversed(digits))
    )
    return sum(doubled) % 10 == 0
