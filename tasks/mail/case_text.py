"""The text of a case: the words of its contact, over all of its messages."""

from collections.abc import Sequence

from data.records.mail.stage_outputs import CaseText
from tasks.core.segment.subject import without_prefixes
from tasks.core.words.cleaning import without_undrawn
from tasks.mail.read import Reading


def case_text(readings: Sequence[Reading]) -> CaseText:
    """Join what is new in the messages; a bare forward counts with what it forwards."""
    words = [said_in(reading) for reading in readings]
    return CaseText(
        subject=_subject(readings[-1]) if readings else "",
        text="\n\n".join(word.strip() for word in words if word.strip()),
        to=tuple(
            address.email.lower()
            for reading in readings
            for address in (*reading.mail.to, *reading.mail.cc)
        ),
        quoted=without_undrawn(readings[0].segments.quoted) if readings else "",
    )


def said_in(reading: Reading) -> str:
    """Return what is new in a message; a bare forward counts with what it forwards.

    It is read as people see it: soft hyphens and joiners within words are left to the screen.
    """
    segments = reading.segments
    return without_undrawn(segments.new or segments.forwarded or reading.mail.text)


def _subject(reading: Reading) -> str:
    """Return what a message is called; what a colleague passes on, as its writer called it."""
    subject = without_undrawn(reading.mail.subject)
    return without_prefixes(subject) if reading.passed_on else subject
