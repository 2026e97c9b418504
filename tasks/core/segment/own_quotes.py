"""Lines with `>` that are the sender's own: an address, an error message, words to be noticed.

A quotation mark says that something is set apart, not that somebody else wrote it. History has a
sign of its own: a line that introduces it, the name that a mail program gives it, or a message
that this one answers.
"""

from data.records.core.parsed_mail import MarkKind, ParsedMail
from tasks.core.segment import markers as markers
from tasks.core.segment.attribution import attribution_start, is_dated
from tasks.core.segment.labels import LabelOwner
from tasks.core.segment.lexicon import COLONS
from tasks.core.segment.subject import is_forward_subject, is_reply_subject

ABOVE = 3
"""Lines above a quotation in which it may be introduced."""
INTRODUCTIONS = 500
"""Quotations whose introduction is looked for."""


def own_quotes_end(mail: ParsedMail, lines: list[str], labels: list[LabelOwner]) -> int:
    """Return the index before which lines with `>` are the sender's own.

    That is where the first introduction of an earlier message stands, or what HTML names as one.
    Without any, all are history when the message answers or passes on another one, or when they
    quote within the quotation; else none is.
    """
    has_parent = _has_parent(mail)
    first = min(
        (
            at
            for at, label in enumerate(labels)
            if label not in (LabelOwner.NEW, LabelOwner.SIGNATURE)
        ),
        default=len(lines),
    )
    quotes = looks = 0
    for at, line in enumerate(lines[:first]):
        if not line.strip():
            continue
        begins = line.startswith(">") and not (at and lines[at - 1].startswith(">"))
        if begins and looks < INTRODUCTIONS:
            looks += 1
            start = _introduction(lines, at, has_parent=has_parent)
            if start is not None:
                return start
        if _is_head(lines, at, line):
            return _block_start(lines, at)
        quotes += line.startswith(">") and line[1:].lstrip().startswith(">")
    if first < len(lines):
        return first
    return 0 if has_parent or quotes or _names_earlier(mail) else len(lines)


def _block_start(lines: list[str], at: int) -> int:
    """Return where the quotation begins in which line `at` stands; `at` when it stands in none."""
    while at and lines[at].startswith(">") and lines[at - 1].startswith(">"):
        at -= 1
    return at


def _has_parent(mail: ParsedMail) -> bool:
    """Whether the message says that it answers another one, or passes one on."""
    names_parent = mail.in_reply_to is not None or bool(mail.references)
    return names_parent or is_reply_subject(mail.subject) or is_forward_subject(mail.subject)


def _names_earlier(mail: ParsedMail) -> bool:
    """Whether the HTML names an earlier message."""
    return any(mark.kind is not MarkKind.SIGNATURE for mark in mail.marks)


def _introduction(lines: list[str], at: int, *, has_parent: bool) -> int | None:
    """Return where the line begins that introduces the quotation at line `at`, or None.

    Where nothing is answered, *the display said:* introduces a display; it takes a date or an
    address to introduce a letter.
    """
    for above in range(at - 1, max(-1, at - 1 - ABOVE), -1):
        if not lines[above].strip():
            continue
        start = attribution_start(lines, above, earliest=0, quoted_next=True)
        if start is None:
            return None
        words = " ".join(lines[start : above + 1])
        return start if has_parent or is_dated(words) or "@" in words else None
    return None


def _is_head(lines: list[str], at: int, line: str) -> bool:
    """Whether a line is the marker or the first header of an earlier message, quoted or not."""
    bare = line.lstrip("> ").strip()
    if not bare:
        return False
    if markers.may_mark(bare) and (
        markers.is_original_marker(bare) or markers.is_forward_marker(bare)
    ):
        return True
    if not any(colon in bare[:60] for colon in COLONS):
        return False
    if line.startswith(">"):
        return attribution_start([bare], 0, earliest=0, quoted_next=False) is not None or (
            markers.header_label(bare) == "from" and markers.is_header_block(lines, at)
        )
    return markers.is_header_block(lines, at)
