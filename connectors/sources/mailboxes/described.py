"""Messages before their bodies are fetched: size and flags, and how many are fetched at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Described:
    """A message before its body is fetched."""

    uid: int
    size_bytes: int | None
    """As the server says; None when it did not."""
    flags: frozenset[str]


def sized(fields: Mapping[bytes, Any]) -> bool:
    """Whether a FETCH response tells a size."""
    return isinstance(fields.get(b"RFC822.SIZE"), int)


def described(uid: int, fields: Mapping[bytes, Any]) -> Described:
    """Return what a FETCH response with a size tells of a message."""
    flags = frozenset(flag_text(flag).lower() for flag in fields.get(b"FLAGS") or ())
    return Described(uid, fields[b"RFC822.SIZE"], flags)


def flag_text(flag: bytes | str) -> str:
    """Return a flag as text."""
    return flag.decode("ascii", "replace") if isinstance(flag, bytes) else flag


def groups(messages: Iterable[Described], most: int, most_bytes: int) -> list[list[Described]]:
    """Cut into runs of at most so many messages and, but for single ones, so many bytes."""
    groups_made: list[list[Described]] = []
    room = 0
    for message in messages:
        size = most_bytes if message.size_bytes is None else message.size_bytes
        if not groups_made or len(groups_made[-1]) >= most or size > room:
            groups_made.append([])
            room = most_bytes
        groups_made[-1].append(message)
        room -= size
    return groups_made
