"""The played inbox: what is sent when, by whom, and what a careful person would decide."""

import base64
import random
from collections.abc import Iterator
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

import data
from data.errors import ManifestError
from data.manifest_files import parse_yaml, read_text, validate_values

SAMPLE = Path(data.__file__).resolve().parent / "samples" / "fieldfare-audio"
INBOX = SAMPLE / "inbox"
DATE, PAD = b"@@DATE@@", b"@@PAD@@"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Padding(_Part):
    """An attachment that is made up when it is sent, so that no large file is kept."""

    size_bytes: int


class Expected(_Part):
    """What a careful person would decide; `flagged` means at least flagged."""

    verdict: str
    automated: bool
    category: str | None = None


class TimelineEntry(_Part):
    """One message of the timeline."""

    id: str
    at: float
    """Seconds since the start."""
    file: str
    envelope_from: str
    """Empty is the null sender."""
    to: tuple[str, ...]
    expect: Expected
    pad_attachment: Padding | None = None


class _Timeline(_Part):
    entries: tuple[TimelineEntry, ...]


def read_timeline(inbox: Path = INBOX) -> list[TimelineEntry]:
    """Return the entries in the order of sending.

    Raises:
        ManifestError: the timeline is missing or not valid.

    """
    path = inbox / "timeline.yaml"
    timeline = validate_values(_Timeline, parse_yaml(read_text(path), str(path)), str(path))
    return sorted(timeline.entries, key=lambda entry: entry.at)


def message_of(entry: TimelineEntry, now: datetime, inbox: Path = INBOX) -> bytes:
    """Return the bytes to send: CRLF lines, the date and the made-up attachment filled in.

    Raises:
        ManifestError: the file is missing.

    """
    try:
        raw = (inbox / entry.file).read_bytes()
    except FileNotFoundError as error:
        raise ManifestError(
            f"{entry.file!r} of entry {entry.id!r} is missing; restore the samples"
        ) from error
    raw = raw.replace(DATE, format_datetime(now).encode())
    if entry.pad_attachment:
        content = random.Random(entry.id).randbytes(entry.pad_attachment.size_bytes)
        raw = raw.replace(PAD, b"\n".join(_cut_into_lines(base64.b64encode(content))))
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _cut_into_lines(encoded: bytes) -> Iterator[bytes]:
    """Cut base64 into lines of 76 (RFC 2045 section 6.8)."""
    return (encoded[at : at + 76] for at in range(0, len(encoded), 76))
