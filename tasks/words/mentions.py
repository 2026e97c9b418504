"""Whom a note names with `@`: a colleague by name, by first name, or by address."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Colleague(NamedTuple):
    """Somebody who can be named."""

    key: str
    """What a notification is addressed to: a mail address, or `user:` and an id."""
    name: str
    email: str = ""


class Mentioned(NamedTuple):
    """What the words after `@` name."""

    colleagues: tuple[Colleague, ...]
    """Each once, in the order of the text."""
    unclear: tuple[str, ...]
    """Words that name nobody, or more than one."""


def mentioned(text: str, colleagues: Sequence[Colleague]) -> Mentioned:
    """Return whom a text names with `@`; a mail address in it names nobody.

    The longest name that fits counts, so that `@Ana Silva` is not every Ana.
    """
    met: dict[str, Colleague] = {}
    unclear: list[str] = []
    for rest in _after_signs(text):
        fits = _fitting(rest, colleagues)
        if len(fits) == 1:
            met.setdefault(fits[0].key, fits[0])
        else:
            unclear.append(_word(rest))
    return Mentioned(tuple(met.values()), tuple(dict.fromkeys(unclear)))


def _after_signs(text: str) -> Iterator[str]:
    """Yield what follows each `@` that stands before a letter and after no word."""
    for place, letter in enumerate(text):
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        if letter == "@" and after.isalpha() and not (before.isalnum() or before in "._-+@"):
            yield text[place + 1 :]
        elif letter == "@" and place == 0 and after.isalpha():
            yield text[1:]


def _fitting(rest: str, colleagues: Sequence[Colleague]) -> list[Colleague]:
    """Return those whom the text names whose longest form fits."""
    best: dict[int, dict[str, Colleague]] = {}
    for colleague in colleagues:
        for form in _forms(colleague):
            if _begins(rest, form):
                best.setdefault(len(form), {})[colleague.key] = colleague
    return list(best[max(best)].values()) if best else []


def _forms(colleague: Colleague) -> Iterator[str]:
    names = colleague.name.split()
    yield " ".join(names)
    yield "".join(names)
    yield ".".join(names)
    yield names[0] if names else ""
    yield colleague.email
    yield colleague.email.partition("@")[0]


def _begins(rest: str, form: str) -> bool:
    """Return whether a text begins with a name, and not with a longer word."""
    after = rest[len(form) : len(form) + 1]
    return bool(form) and rest[: len(form)].lower() == form.lower() and not after.isalnum()


def _word(rest: str) -> str:
    """Return the first word of a text."""
    end = next((n for n, c in enumerate(rest) if not (c.isalnum() or c in "._-")), len(rest))
    return rest[:end].rstrip(".-_")
