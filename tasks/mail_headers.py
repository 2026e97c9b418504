"""Dates, message ids and subjects as single values out of header lists.

mail-parser's date reader is used first: it knows RFC 5322 with its obsolete forms and says what is
wrong. The standard library's is asked for what it refuses, because many programs write dates that
are no RFC 5322 and yet clear.
"""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import re2
from mailparser.dates import parse_mail_date

_ID = re2.compile(r"<[^<>\s]{1,990}>")
REFERENCES = 100
"""Ids of References that are kept, the newest ones."""


def read_date(values: list[str], defects: list[str]) -> datetime | None:
    """Return the first readable Date in UTC, or None; duplicates and errors are noted."""
    if len(values) > 1:
        defects.append("more than one Date header")
    if not values:
        defects.append("no Date header")
    for value in values[:3]:
        found = parse_mail_date(value[:200])
        if found.reasons:
            defects.append(f"Date: {found.reasons[0]}")
        date = found.value if found.value is not None else _lenient_date(value[:100])
        if date is not None:
            return date
    return None


def _lenient_date(value: str) -> datetime | None:
    """Return a date that is clear though not in the form of RFC 5322, or None."""
    try:
        date = parsedate_to_datetime(value)
        date = date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if date.year >= 1970 else None


def read_message_id(values: list[str], defects: list[str]) -> str | None:
    """Return the Message-ID with its brackets (RFC 5322 section 3.6.4), or None."""
    if len(values) > 1:
        defects.append("more than one Message-ID header")
    if not values:
        defects.append("no Message-ID header")
        return None
    found = read_ids(values[:1])
    if not found:
        defects.append("malformed Message-ID header")
        return None
    if len(found) > 1 or found[0] != values[0].strip():
        defects.append("Message-ID header holds more than one id")
    return found[0]


def read_ids(values: list[str]) -> tuple[str, ...]:
    """Return the distinct ids of References or In-Reply-To, oldest first, at most 100."""
    found = dict.fromkeys(one for value in values for one in _ids(value))
    return tuple(found)[-REFERENCES:]


def _ids(value: str) -> list[str]:
    """Return the ids in one value; most hold one and nothing else."""
    inside = value[1:-1]
    alone = f"<{inside}>" == value and inside.isascii() and 0 < len(inside) <= 990
    if alone and not ("<" in inside or ">" in inside or " " in inside):
        return [value]
    return [str(one) for one in _ID.findall(value)]
