"""Secrets that must never leave in a reply: keys, passwords, codes, recovery links, accounts.

Keys of known makers are told by their form. Everything else needs a word beside it that says what
it is: a bare row of letters and digits may as well be the hash of a commit. How much is found is
measured (docs/quality.md).
"""

from functools import cache

import re2

from data.lexicons.secrets import secret_words
from data.records.core.record import Record
from tasks.core.leaks.figures import in_figures, spell_as_figures
from tasks.core.leaks.identities import identity_numbers
from tasks.core.leaks.links import find_links, undo_disguises
from tasks.core.leaks.numbers import account_numbers, card_codes, codes, long_numbers
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold

_KEYS = compiled(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_\-]{16,}"
    r"|\b(?:gh[opsur]|glpat|xox[abeprs]|xapp|npm|pypi|whsec|hf|dop_v1|shpat|sq0[a-z]{3})"
    r"[-_][A-Za-z0-9_\-]{12,}"
    r"|\bSG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}|\bya29\.[A-Za-z0-9_\-]{20,}"
    r"|\bAIza[0-9A-Za-z_\-]{30,}"
    r"|\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*"
    r"|[a-z][a-z0-9+.\-]{1,10}://[^\s/:@]+:[^\s/@]{3,}@[^\s/]+"
    r"|\bhooks\.slack\.com/(?:services|workflows)/\S+|\bdiscord(?:app)?\.com/api/webhooks/\S+"
    r"|\b[Aa]uthorization:\s*[A-Za-z]+\s+[A-Za-z0-9+/=_.\-]{8,}"
    r"|\s(?:-u|--user|--password)[ =][^\s:]+:\S{3,}"
)
_DRAWN = compiled(r"[A-Za-z0-9_]{16,}|[A-Za-z0-9_\-]{24,}")
_QUERY = compiled(r"(?i)[?&#](?:[a-z_\-]*token|key|code|otp|ott|sig|signature|ticket|hash)=\w{5,}")
_BARE = compiled(r"(?:[\pL\pN_\-]+\.)+[\pL]+(?::\d+)?/[^\s<>\"]+")
"""A link without a scheme, with its path."""


class SecretFound(Record):
    """Something that looks secret."""

    check: str
    """The kind: `secret`, `one_time_code`, `recovery_link`, `account_number`, `identity_number` or
    `long_number`."""
    excerpt: str
    """The words concerned."""


def find_secrets(text: str) -> list[SecretFound]:
    """Return everything in `text` that looks like a secret, by kind."""
    plain_text = in_figures(undo_disguises(text))
    folded = spell_as_figures(fold(plain_text))
    secrets = [SecretFound(check="secret", excerpt=match) for match in _KEYS.findall(plain_text)]
    secrets += [SecretFound(check="secret", excerpt=labelled) for labelled in _labelled(folded)]
    secrets += [SecretFound(check="one_time_code", excerpt=code) for code in codes(folded)]
    secrets += [
        SecretFound(check="account_number", excerpt=card_code) for card_code in card_codes(folded)
    ]
    secrets += [SecretFound(check="identity_number", excerpt=x) for x in identity_numbers(folded)]
    links = dict.fromkeys(
        [*(link_found.text for link_found in find_links(text)), *_BARE.findall(plain_text)]
    )
    secrets += [
        SecretFound(check="recovery_link", excerpt=link)
        for link in links
        if "/" in link
        and _lets_in(link)
        and not any(link in longer and link != longer for longer in links)
    ]
    ibans = account_numbers(plain_text)
    secrets += [SecretFound(check="account_number", excerpt=match) for match in ibans]
    for check, number in long_numbers(plain_text, folded):
        digits = "".join(letter for letter in number if letter.isdigit())
        if not any(digits in "".join(filter(str.isalnum, iban)) for iban in ibans):
            secrets.append(SecretFound(check=check, excerpt=number))
    return secrets


def _labelled(folded: str) -> list[str]:
    """Return passwords, keys and spare codes with the word before them that says so."""
    labelled_secrets = [match.group() for match in _passwords().finditer(folded)]
    labelled_secrets += [match.group() for match in _pairs().finditer(folded)]
    labelled_secrets += [match.group() for match in _spare_codes().finditer(folded)]
    for match in _key_values().finditer(folded):
        value = match.group("value") or match.group("short")
        if any(letter.isdigit() for letter in value):
            labelled_secrets.append(match.group())
    return labelled_secrets


def _lets_in(link: str) -> bool:
    """Return whether a link may let its reader in: a word for it, and something drawn at random."""
    path = link.partition("://")[2].partition("/")[2] or link.partition("/")[2]
    if _QUERY.search(link):
        return True
    lower = path.lower()
    if not any(word in lower for word in secret_words("recovery")):
        return False
    return any(_is_drawn(piece) for piece in _DRAWN.findall(path))


def _is_drawn(piece: str) -> bool:
    """Return whether letters look drawn at random: digits among them, or capitals inside."""
    mixed = piece.lower() != piece and piece.upper() != piece
    letters = any(letter.isalpha() for letter in piece)
    return (letters and any(letter.isdigit() for letter in piece)) or (mixed and "-" not in piece)


@cache
def _passwords() -> "re2._Regexp[str]":
    """Return a pattern for a word for passwords and what follows it as one.

    After a colon or `is` a value counts that holds a digit or a sign, after a colon also one that
    ends the line; right behind the word one that holds a letter and a digit or a sign.
    """
    words, says = (_alternatives(group) for group in ("passwords", "says"))
    odd = r"[^\s,;]*[\d!#$%&*+=@^_~][^\s,;]*"
    both = r"(?:\p{L}[^\s,;]*[\d#$%&*+=@^~]|\d[^\s,;]*\p{L})[^\s,;]*"
    between = r"(?:\s+\p{L}+){0,4}?"
    return compiled(
        rf"\b(?:{words})\b(?:{between}\s*(?:(?:{says})\s*)?[:=/]\s*[\"'`«“„]?"
        rf"(?:[^\s:]+[:/])?(?:{odd}|\S{{4,}}\s*(?:\n|$))"
        rf"|{between}\s+(?:{says}):?\s+[\"'`«“„]?{odd}|\s+[\"'`«“„]?{both})"
    )


@cache
def _key_values() -> "re2._Regexp[str]":
    """Return a pattern for a word for keys and its value: a long one, or one that it is said of."""
    words, says = (_alternatives(group) for group in ("keys", "says"))
    return compiled(
        rf"\b(?:{words})\b(?:(?:\s*(?:{says})\b)?\s*[:=]?\s*[\"'`«“„]?"
        r"(?P<value>[a-z0-9_+/=.\-]{16,})"
        rf"|(?:\s+(?:{says})\s+|\s*[:=]\s*)[\"'`«“„]?(?P<short>\p{{L}}\S{{5,}}))"
    )


@cache
def _pairs() -> "re2._Regexp[str]":
    """Return a pattern for a name, a slash or a bar, and a password, after a word for signing in.

    What counts as a password holds a letter, a digit and a sign.
    """
    sure = r"[^\s,;]*(?:\p{L}[^\s,;]*\d[^\s,;]*|\d[^\s,;]*\p{L}[^\s,;]*)[!#$%&*+=@^~][^\s,;]*"
    return compiled(rf"\b(?:{_alternatives('sign_in')})\b[^\n]{{0,40}}?\S+\s+[/|]\s+{sure}")


@cache
def _spare_codes() -> "re2._Regexp[str]":
    """Return a pattern for a code that lets in who has lost the way: groups of letters, digits."""
    groups = r"(?:\p{L}*\d[a-z0-9]*|[a-z]{3,})(?:[\-–][a-z0-9]{3,})+"
    return compiled(rf"\b(?:{_alternatives('spare_codes')})\b\W{{1,3}}(?:\p{{L}}+\s+)?{groups}")


def _alternatives(group: str) -> str:
    return "|".join(re2.escape(word) for word in secret_words(group))
