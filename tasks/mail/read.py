"""Stages *parse* and *segment* in one go, bytes in and JSON out, for the reading processes."""

from collections.abc import Collection

from data.records.core.parsed_mail import Address, ParsedMail, Segments
from data.records.core.record import Record
from tasks.core.parse.parsing import parse
from tasks.core.segment.segmenting import segment
from tasks.mail.automated.on_behalf import passed_on
from tasks.mail.automated.web_forms import form_writer
from tasks.mail.automated.wording import Wording, wording_of


class Reading(Record):
    """A message as read, and its body cut by whose words they are."""

    mail: ParsedMail
    """What the message says."""
    segments: Segments
    """Its body, cut."""
    passed_on: Address | None = None
    """Whose mail a colleague passes on to be answered; then `new` is that person's words."""
    wording: Wording | None = None
    """What its words say of who wrote it; None where they were not looked at, as in mail that is
    put together of others or was read by a release before."""


def read_mail(raw: bytes) -> Reading:
    """Return the reading of a message.

    Raises:
        UnreadableMailError: as `tasks.core.parse.parsing.parse`.
    """
    mail = parse(raw)
    segments = segment(mail)
    return Reading(mail=mail, segments=segments, wording=wording_of(mail, segments))


def with_writer(reading: Reading, own: Collection[str], people: Collection[str]) -> Reading:
    """Return the reading as that of whose mail a colleague passes on, where one of ours does.

    `own` are the organization's addresses, `people` those of its people.
    """
    passed = passed_on(reading.mail, reading.segments, own, people)
    if passed is None:
        return reading
    writer, segments = passed
    return reading.model_copy(update={"passed_on": writer, "segments": segments})


def writer_of(reading: Reading, own: Collection[str]) -> Address | None:
    """Return who wrote a message, as far as it says: passed on, in a form, or by From.

    `own` are the organization's addresses.
    """
    mail = reading.mail
    first = mail.senders[0] if mail.senders else None
    return reading.passed_on or form_writer(mail, own) or mail.sender or first


def read(raw: bytes) -> bytes:
    """Return the reading of a message as JSON of `Reading`.

    Raises:
        UnreadableMailError: as `tasks.core.parse.parsing.parse`.
    """
    return read_mail(raw).model_dump_json(exclude_defaults=True).encode()
