"""What is read of messages before their turn comes.

Reading depends on the bytes of a message alone and runs in processes of its own, so it need not
wait until the batch before is through (`flows.running.reading_ahead`). Nothing is decided or
written by it: stage *parse* takes a reading from here in place of having the same bytes read again.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from data.errors import PosternError

if TYPE_CHECKING:
    from tasks.read import Reading

PATIENCE_SECONDS = 2.0
"""How long others wait for one message; it is read aside then, and comes later."""


class Ahead:
    """Readings of messages whose turn is next, by the hash of their raw bytes."""

    def __init__(self) -> None:
        self._read: dict[str, Reading] = {}

    def take(self, hashes: Mapping[str, str]) -> "dict[str, Reading]":
        """Return what is read of these messages (hash by id), by id; it is not kept any longer."""
        readings = {item: self._read[key] for item, key in hashes.items() if key in self._read}
        self._read.clear()
        return readings

    def keep(self, hashes: Sequence[str], readings: "Sequence[Reading | PosternError]") -> None:
        """Keep what was read; what failed is met again, and reported, by the stage."""
        pairs = zip(hashes, readings, strict=True)
        self._read = {key: one for key, one in pairs if not isinstance(one, Exception)}
