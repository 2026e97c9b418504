"""Names for new things: unique, and sorted by when they were made (after RFC 9562 section 5.7)."""

import secrets
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(now: datetime) -> str:
    """Return 26 characters: 48 bits of milliseconds since the epoch, then 80 random bits."""
    number = (int(now.timestamp() * 1000) << 80) | secrets.randbits(80)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def time_of(id: str) -> str:
    """Return the part of an id that says when it was made: the ids of a millisecond share it."""
    return id[:10]


def branch_id(case: str, place: int) -> str:
    """Return the id of a case's branch by its place, 0 for the first."""
    return f"{case}-{place}"
