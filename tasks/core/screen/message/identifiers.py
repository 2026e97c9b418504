"""Words in identifiers: local parts of addresses, and ids of messages.

Nobody reads them as text, so an order in one has its words joined by dots, hyphens or capitals, or
stands in quotation marks (RFC 5322 section 3.4.1 allows any text there). The screen reads such
words apart, and a model is given no identifier that reads as words.
"""

from collections.abc import Iterable

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.joining import parted_words

SAYING = 4
"""Words of an identifier from which it is withheld from models."""
_DOMAIN_WORDS = 6
"""Words of a domain from which it is; hosts of mail programs have up to five."""
_WORD = r"(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{2,}|\pL)"
_JOINT = r"[^\pL\pN\s<>\"@]{1,3}"
_SEVERAL = compiled(
    rf"{_WORD}(?:{_JOINT}{_WORD}){{3}}|(?:\p{{Lu}}\p{{Ll}}+){{4}}"
    r"|\pL{18}|[^\x00-\x7f]{6}|\pL \pL"
)
"""Sign that an identifier may hold words; those of programs have digits in them."""
_QUOTED = compiled(r"^\s*\"|[\s\"\\]")
_LONG_DOMAIN = compiled(r"@(?:[^@>]*[.@-])?(?:\pL{2,}[.-]){5}\pL{2,}")
_CAPITAL = compiled(r"(\p{Ll})(\p{Lu})")
_JOINTS = compiled(r"[^\pL\pN]+")
_LONG = compiled(r"\pL{14,}")
_READABLE = compiled(r"\pL{2,}|[aAiI]")
_UNBROKEN = 18
"""Letters without a joint from which these are words written together."""
_FOREIGN_LETTERS = 12
"""Letters outside ASCII that make a sentence; some scripts write no spaces."""


def said_in_addresses(emails: Iterable[str]) -> list[str]:
    """Return the words of local parts that are quoted or hold several, and of such domains."""
    sayings: list[str] = []
    for email in dict.fromkeys(emails):
        local = email.rpartition("@")[0]
        if _QUOTED.search(local) is not None or _SEVERAL.search(local) is not None:
            sayings.append(apart(local))
        if _LONG_DOMAIN.search(email) is not None:
            sayings.append(apart(email))
    return sayings


def said_in_ids(values: Iterable[str]) -> list[str]:
    """Return the words of message ids that hold several; `values` are those of header fields.

    A domain that is not itself a sentence is left out: its names would stand beside the words.
    """
    sayings: list[str] = []
    for value in values:
        if _SEVERAL.search(value) is not None:
            sayings += (apart(local) for part in value.split(">") if (local := _saying(part)))
    return list(dict.fromkeys(sayings))


def _saying(message_id: str) -> str:
    """Return what of an id may hold words, or nothing."""
    if _LONG_DOMAIN.search(message_id) is not None:
        return message_id
    local = message_id.rpartition("@")[0] or message_id
    return local if _SEVERAL.search(local) is not None else ""


def apart(identifier: str) -> str:
    """Return an identifier with its joints as spaces, and words written together parted."""
    return str(_LONG.sub(lambda item: parted_words(item.group()), _spaced(identifier))).strip()


def _spaced(identifier: str) -> str:
    """Return an identifier with spaces for its joints, and before capitals within it."""
    return str(_CAPITAL.sub(r"\1 \2", _JOINTS.sub(" ", identifier)))


def reads_as_words(identifier: str) -> bool:
    """Whether a local part or an id is a sentence, or may be one."""
    if _QUOTED.search(identifier) is not None:
        return True
    if sum(not letter.isascii() and letter.isalpha() for letter in identifier) > _FOREIGN_LETTERS:
        return True
    words = [word for word in _spaced(identifier).split() if _READABLE.fullmatch(word) is not None]
    return len(words) >= SAYING or any(len(word) >= _UNBROKEN for word in words)


def domain_reads_as_words(domain: str) -> bool:
    """Whether the names of a domain are a sentence, or may be one."""
    words = [word for word in _JOINTS.split(domain) if _READABLE.fullmatch(word) is not None]
    return len(words) >= _DOMAIN_WORDS or any(len(word) >= 2 * _UNBROKEN for word in words)
