"""Mentions with `@` in a note: a colleague by name, by first name, or by address."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_JOINING = frozenset("._-@")
"""What joins two halves of a longer word or of an address."""


class Colleague(NamedTuple):
    """Somebody who can be named."""

    key: str
    """What a notification is addressed to: a mail address, or `user:` and an id."""
    name: str
    email: str = ""


class Mentions(NamedTuple):
    """What the words after `@` name."""

    colleagues: tuple[Colleague, ...]
    """Each once, in the order of the text."""
    unclear: tuple[str, ...]
    """Words that name nobody, or more than one."""


def find_mentions(text: str, colleagues: Sequence[Colleague]) -> Mentions:
    """Return whom a text names with `@`; a mail address in the text is no mention.

    The longest name that fits counts, so that `@Ana Silva` is not every Ana.
    """
    met: dict[str, Colleague] = {}
    unclear: list[str] = []
    for rest in _texts_after_at(text):
        matches = _best_matches(rest, colleagues)
        if len(matches) == 1:
            met.setdefault(matches[0].key, matches[0])
        else:
            unclear.append(_first_word(rest))
    return Mentions(tuple(met.values()), tuple(dict.fromkeys(unclear)))


def _texts_after_at(text: str) -> Iterator[str]:
    """Yield the text after each `@` that a letter follows and that ends no word or address."""
    for place, character in enumerate(text):
        before = text[place - 1] if place else " "
        if character != "@" or before.isalnum() or before in "._-+@":
            continue
        if text[place + 1 : place + 2].isalpha():
            yield text[place + 1 :]


def _best_matches(rest: str, colleagues: Sequence[Colleague]) -> list[Colleague]:
    """Return the colleagues whose matching form is the longest of all that match."""
    best: dict[int, dict[str, Colleague]] = {}
    for colleague in colleagues:
        for form in _forms(colleague):
            if _begins(rest, form):
                best.setdefault(len(form), {})[colleague.key] = colleague
    return list(best[max(best)].values()) if best else []


def _forms(colleague: Colleague) -> Iterator[str]:
    """Yield the ways to write a colleague: name, first name, address, and its local part."""
    names = colleague.name.split()
    yield " ".join(names)
    yield "".join(names)
    yield ".".join(names)
    yield names[0] if names else ""
    yield colleague.email
    yield colleague.email.partition("@")[0]


def _begins(rest: str, form: str) -> bool:
    """Return whether a text begins with a name, and not with a longer word or an address."""
    if not form or rest[: len(form)].lower() != form.lower():
        return False
    after, further = rest[len(form) : len(form) + 1], rest[len(form) + 1 : len(form) + 2]
    # A full stop ends a name; one that a letter follows is part of a longer one.
    return not (after.isalnum() or (after in _JOINING and further.isalnum()))


def _first_word(rest: str) -> str:
    """Return the first word of a text."""
    end = next((n for n, c in enumerate(rest) if not (c.isalnum() or c in "._-")), len(rest))
    return rest[:end].rstrip(".-_")
