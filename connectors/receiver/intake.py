"""What a connection needs of somebody who takes its bytes for a while."""

from typing import Protocol


class Intake(Protocol):
    """Who gets the bytes while they are not commands."""

    def feed(self, chunk: bytes) -> bytes:
        """Take bytes; return those that are not part of it any more."""

    def timed_out(self) -> None:
        """Hear that the deadline has passed."""

    def lost(self) -> None:
        """Hear that the client has gone."""
