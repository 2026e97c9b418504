"""Line ends of a message: the spool keeps CRLF only (RFC 5322 section 2.1)."""


def has_bare_ends(raw: bytes) -> bool:
    """Return whether `raw` holds a CR or LF that is not part of a CRLF pair."""
    pairs = raw.count(b"\r\n")
    return raw.count(b"\r") != pairs or raw.count(b"\n") != pairs


def normalize(raw: bytes) -> bytes:
    """Return `raw` with every CRLF, bare CR and bare LF as one CRLF."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")


def from_storage(raw: bytes) -> tuple[bytes, bool]:
    """Return a message read from a file as CRLF lines, and whether its line ends were mixed.

    Files on Unix hold LF alone, which says nothing about the sender; only a mixture does.
    """
    if not has_bare_ends(raw):
        return raw, False
    return normalize(raw), b"\r" in raw
