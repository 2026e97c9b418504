"""The limits of a message, which hold before anything of it is interpreted.

See docs/design.md#reading. Each bounds something that a parser handles in more
than linear time or keeps in memory many times over; honest mail stays far below all of them.
"""

from data.errors import UnreadableMailError

HEADER_BLOCK = 262_144
"""Bytes of one header block."""
HEADER_LENGTH = 32_768
"""Bytes of one header, folded lines included."""
HEADER_COUNT = 1_000
"""Headers of one header block."""
ADDRESSES = 1_000
"""Addresses of one header."""
DEPTH = 20
"""Levels of multipart and message/rfc822 inside each other."""
PARTS = 1_000
"""Parts of the whole message."""
BOUNDARY = 1_000
"""Characters of a boundary; RFC 2046 section 5.1.1 allows 70, some programs write more."""
BOUNDARY_REGULAR = 70
"""Characters of a boundary within RFC 2046."""


def refuse(limit: str, allowed: int) -> UnreadableMailError:
    """Return the error that names the exceeded limit."""
    return UnreadableMailError(
        f"the message exceeds the limit {limit!r} of {allowed}; look at it in its raw form"
    )
