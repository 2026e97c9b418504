"""A function for the reading processes that reads well, but for ever when a message says so."""

from tasks.mail.read import read as read_well


def read(raw: bytes) -> bytes:
    """Read as the engine does."""
    while b"spin for ever" in raw:
        pass
    return read_well(raw)
