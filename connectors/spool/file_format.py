"""The form of a spool file, version 1.

    {"version":1,"envelope":{…}}     one line of JSON, padded with spaces
    the message                      exactly `size_bytes` bytes, CRLF line ends
    END <size_bytes>                 on a line of its own: what has no END was never whole

Version 1 is read by every later release, so that an upgrade drains the old spool.
"""

import hashlib
import json
from datetime import UTC, datetime

from pydantic import ValidationError

from data.records.core.envelope import Envelope

VERSION = 1


def header_line(envelope: Envelope, width: int = 0) -> bytes:
    """Return the first line of the file, padded to `width` bytes with its line end."""
    text = b'{"version":%d,"envelope":%s}' % (VERSION, envelope.model_dump_json().encode())
    if width and len(text) >= width:
        raise ValueError(f"a header of {len(text)} bytes does not fit into {width}")
    return text.ljust(width - 1) + b"\n"


def header_width(begun: Envelope) -> int:
    """Return how many bytes to keep free for the header of a file whose end is not known yet.

    Of the time, the size, the hash and the flag the widest possible values are assumed.
    """
    widest = begun.model_copy(
        update={
            "received_at": datetime(2000, 1, 1, 0, 0, 0, 999_999, tzinfo=UTC),
            "size_bytes": 10**15,
            "bare_eol": False,
            "sha256": "0" * 64,
        }
    )
    return len(header_line(widest)) + 8


def end_line(size_bytes: int) -> bytes:
    """Return the marker that follows the message."""
    return b"\nEND %d\n" % size_bytes


def unpack(content: bytes, spool_id: str) -> tuple[Envelope, bytes]:
    """Return the envelope and the message of a spool file; ValueError says what is wrong."""
    header, newline, rest = content.partition(b"\n")
    if not newline:
        raise ValueError("the header line is missing")
    try:
        fields = json.loads(header)
        if not isinstance(fields, dict) or fields.get("version") != VERSION:
            raise ValueError("the header is not of version 1")
        envelope = Envelope.model_validate_json(json.dumps(fields.get("envelope")))
    except (json.JSONDecodeError, UnicodeDecodeError, ValidationError, RecursionError) as error:
        raise ValueError(f"the header cannot be read ({type(error).__name__})") from error
    raw, end = rest[: envelope.size_bytes], rest[envelope.size_bytes :]
    if end != end_line(envelope.size_bytes):
        raise ValueError("the END marker is missing or not where the header says")
    if hashlib.sha256(raw).hexdigest() != envelope.sha256:
        raise ValueError("the message does not have the hash of its header")
    if envelope.spool_id != spool_id:
        raise ValueError("the header bears another id than the file")
    return envelope, raw
