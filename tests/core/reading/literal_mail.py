"""Mails written out, parsed."""

from data.records.core.parsed_mail import ParsedMail
from tasks.core.parse.parsing import parse

HEAD = (
    "From: Ada Lovelace <ada@engine.example>\n"
    "To: desk@postern.example\n"
    "Subject: Gears\n"
    "Date: Tue, 02 Jan 2024 10:00:00 +0100\n"
    "Message-ID: <gears-1@engine.example>\n"
)


def mail(text: str, *, head: str = HEAD) -> ParsedMail:
    """Parse a literal mail with the usual header lines above it."""
    return parse((head + text).encode("utf-8", "surrogateescape"))
