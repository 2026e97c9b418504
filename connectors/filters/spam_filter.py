"""The interface of a spam filter that somebody else makes, whichever it is."""

from typing import Protocol

from data.records.core.envelope import Envelope
from data.records.core.filters import FilterVerdict

MOST_BYTES = 512_000
"""Of a message that a filter is asked about; larger ones are hardly ever spam, and take long."""
MOST_ANSWER = 1 << 20
"""Bytes of an answer."""


class SpamFilter(Protocol):
    """A filter. Each method raises OutsideError: it cannot be reached, is too slow, or refuses."""

    name: str
    """How it is called before people."""

    async def judge(self, raw: bytes, envelope: Envelope) -> FilterVerdict:
        """Return what it says about a message as it was spooled."""

    async def learn(self, raw: bytes, *, spam: bool) -> None:
        """Tell it what a person said about a message."""

    async def ping(self) -> None:
        """Return when it answers."""
