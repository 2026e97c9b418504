"""Size and flags of messages, by which their bodies are fetched in runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class MessageSize:
    """What a server says of a message before its body is fetched."""

    uid: int
    size_bytes: int | None
    """As the server says; None when it did not."""
    flags: frozenset[str]


def tells_size(fields: Mapping[bytes, Any]) -> bool:
    """Return whether a FETCH response tells a size."""
    return isinstance(fields.get(b"RFC822.SIZE"), int)


def read_size(uid: int, fields: Mapping[bytes, Any]) -> MessageSize:
    """Return size and flags from a FETCH response that tells a size."""
    flags = frozenset(flag_text(flag).lower() for flag in fields.get(b"FLAGS") or ())
    return MessageSize(uid, fields[b"RFC822.SIZE"], flags)


def flag_text(flag: bytes | str) -> str:
    """Return a flag as text."""
    return flag.decode("ascii", "replace") if isinstance(flag, bytes) else flag


def cut_into_runs(
    messages: Iterable[MessageSize], most: int, most_bytes: int
) -> list[list[MessageSize]]:
    """Return the messages in runs of at most `most` and, but for single ones, `most_bytes`."""
    runs: list[list[MessageSize]] = []
    room = 0
    for message in messages:
        size = most_bytes if message.size_bytes is None else message.size_bytes
        if not runs or len(runs[-1]) >= most or size > room:
            runs.append([])
            room = most_bytes
        runs[-1].append(message)
        room -= size
    return runs
