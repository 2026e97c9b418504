"""Stages *parse* and *segment* in one go, bytes in and JSON out, for the reading processes."""

from data.records.mail import ParsedMail, Segments
from data.records.record import Record
from tasks.parse.parsing import parse
from tasks.segment.segmenting import segment


class Reading(Record):
    """A message as read, and its body cut by whose words they are."""

    mail: ParsedMail
    """What the message says."""
    segments: Segments
    """Its body, cut."""


def read_mail(raw: bytes) -> Reading:
    """Return the reading of a message.

    Raises:
        UnreadableMailError: as `tasks.parse.parsing.parse`.
    """
    mail = parse(raw)
    return Reading(mail=mail, segments=segment(mail))


def read(raw: bytes) -> bytes:
    """Return the reading of a message as JSON of `Reading`.

    Raises:
        UnreadableMailError: as `tasks.parse.parsing.parse`.
    """
    return read_mail(raw).model_dump_json(exclude_defaults=True).encode()
