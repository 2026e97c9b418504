"""Names for new things: unique, and sorted by when they were made (after RFC 9562 section 6.2)."""

import secrets
import threading
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM, _STEP = 80, 48
"""Bits behind the milliseconds, and of a step between two ids of one of them."""
_lock, _newest = threading.Lock(), [0]


def new_id(now: datetime) -> str:
    """Return 26 characters: 48 bits of milliseconds since the epoch, then 80 bits.

    These are random, and of each further id of the same millisecond by a random step more: what
    one process makes in a row is sorted so.
    """
    milliseconds = int(now.timestamp() * 1000)
    with _lock:
        if milliseconds == _newest[0] >> _RANDOM:
            number = _newest[0] + 1 + secrets.randbits(_STEP)
        else:  # not in the upper half, so that no step leads into the next millisecond
            number = (milliseconds << _RANDOM) | secrets.randbits(_RANDOM - 1)
        _newest[0] = number
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def time_of(id: str) -> str:
    """Return the part of an id that says when it was made: the ids of a millisecond share it."""
    return id[:10]


def branch_id(case: str, place: int) -> str:
    """Return the id of a case's branch by its place, 0 for the first."""
    return f"{case}-{place}"
