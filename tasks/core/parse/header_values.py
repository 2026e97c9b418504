"""Dates, message ids and subjects as single values out of header lists.

mail-parser's date reader is used first: it knows RFC 5322 with its obsolete forms and says what is
wrong. The standard library's is asked for what it refuses, because many programs write dates that
are no RFC 5322 and yet clear.
"""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any

from mailparser.dates import parse_mail_date

from tasks.core.patterns import compiled

_BRACKETED = compiled(r"<([^<>]+)>")
_ANGLE = compiled(r"(?i)<?(?:&lt;|&#0*60;|&#x0*3c;|%3c)|(?:&gt;|&#0*62;|&#x0*3e;|%3e)>?|&nbsp;")
"""Angle brackets, and a space, as HTML and links write them."""
_LABEL = compiled(r"(?i)(?:^|\s)(?:message-?id|msg-?id|in-reply-to|references|mid)\s*[:=]")
_AROUND = "<>[]()'\""
_FOLDED_AT = compiled(r"\s*@\s*")
_BARE = compiled(r"[^\s<>()\"\\\[\]]+@[^\s<>()\"\\@]+")
_FOLDS = 4
"""Pieces that one id may be folded into."""
_LONGEST = 100_000
"""Characters of a value in which ids are looked for."""
_MONTHS = {
    "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6,
    "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12,
}  # fmt: skip
_WEEKDAYS = {"Mon,": 0, "Tue,": 1, "Wed,": 2, "Thu,": 3, "Fri,": 4, "Sat,": 5, "Sun,": 6}
IDS_OF_TEXT = 5
"""Ids of a text that are kept."""
_NAMED_IN_TEXT = compiled(r"(?im)^[>|\s*]*(?:message-?id|in-reply-to)\*?\s*:\*?\s*(\S{3,250})\s*$")
REFERENCES = 100
"""Ids of References that are kept, the newest ones."""


def read_date(values: list[str], defects: list[str]) -> datetime | None:
    """Return the first readable Date in UTC, or None; duplicates and errors are noted."""
    if len(values) > 1:
        defects.append("more than one Date header")
    if not values:
        defects.append("no Date header")
    for value in values[:3]:
        if (date := _everyday_date(value)) is not None:
            return date
        mail_date = parse_mail_date(value[:200])
        if mail_date.reasons:
            defects.append(f"Date: {mail_date.reasons[0]}")
        date = mail_date.value if mail_date.value is not None else _lenient_date(value[:100])
        if date is not None:
            return date
    return None


def _everyday_date(value: str) -> datetime | None:
    """Return a date such as `Tue, 3 Sep 2024 10:00:00 +0200`, or None for any other form.

    It is read at once, because nine in ten dates are written so and mail-parser's reader goes
    letter by letter; where the weekday is wrong it is asked, and says so.
    """
    words = value.split(" ")
    if len(words) != 6 or not value.isascii():
        return None
    weekday, day, month, year, clock, zone = words
    hour, minute, second = clock[:2], clock[3:5], clock[6:]
    digits = day + year + hour + minute + second + zone[1:]
    formed = (len(year), len(clock), clock[2:6:3], len(zone)) == (4, 8, "::", 5)
    if not formed or not digits.isdigit() or not 1 <= len(day) <= 2 or zone[0] not in "+-":
        return None
    if month not in _MONTHS or int(zone[3:]) > 59 or int(year) < 1900:
        return None
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:]))
    try:
        moment = datetime(
            int(year), _MONTHS[month], int(day), int(hour), int(minute), int(second), tzinfo=UTC
        )
        if _WEEKDAYS.get(weekday) != moment.weekday():
            return None
        return moment + offset if zone[0] == "-" else moment - offset
    except (ValueError, OverflowError):
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
    ids = read_ids(values[:1])
    if not ids:
        defects.append("malformed Message-ID header")
        return None
    if len(ids) > 1:
        defects.append("Message-ID header holds more than one id")
    elif ids[0] != values[0].strip():
        defects.append("Message-ID header is not written as an id")
    return ids[0]


def read_ids(values: list[str]) -> tuple[str, ...]:
    """Return the distinct ids of References or In-Reply-To, oldest first, at most 100."""
    ids_in_order = dict.fromkeys(identifier for value in values for identifier in _ids(value))
    return tuple(ids_in_order)[-REFERENCES:]


def read_parent(values: list[str]) -> str | None:
    """Return the id that In-Reply-To names, None for none.

    Older programs write a sentence: *Message from Ada <ada@fell.example> of Monday <id>*, which
    names the person first.
    """
    ids = read_ids(values[:1]) or read_ids(values)
    if not ids:
        return None
    spoken = "<" in values[0] and values[0].split()[0].isalpha()
    return ids[-1] if spoken else ids[0]


def _ids(value: str) -> list[str]:
    """Return the ids in one value; most hold nothing but ids with spaces between.

    Programs leave out the brackets, write them as references of HTML or percent codes, put the name
    of the header before them, or fold a line within an id. Words without brackets are ids
    only where the value holds nothing else: older programs name a person beside the id.
    """
    value = _LABEL.sub(" ", _ANGLE.sub(_bracket, value[:_LONGEST])).replace("<mailto:", "<")
    words = value.split()
    if value.isascii() and all(map(_is_id, words)):
        return words
    value = _FOLDED_AT.sub("@", value)
    ids = [
        f"<{''.join(bracketed.split())}>"
        for bracketed in _BRACKETED.findall(value)
        if _is_whole(bracketed)
    ]
    rest = _BRACKETED.sub(" ", value)
    bare = [word.strip(_AROUND) for word in rest.replace(",", " ").replace(";", " ").split()]
    if bare and all(map(_is_bare, bare)):
        places = {bracketed_id: value.find(bracketed_id.strip("<>")) for bracketed_id in ids}
        places |= {f"<{bare_id}>": value.find(bare_id) for bare_id in bare}
        return sorted(places, key=lambda place: places[place])
    return ids


def ids_in_text(text: str) -> tuple[str, ...]:
    """Return the ids that heads of earlier messages in a text name, at most `IDS_OF_TEXT`.

    Only behind the name of their header: other addresses in a text are those of people.
    """
    labelled = islice(_NAMED_IN_TEXT.finditer(text[:_LONGEST]), IDS_OF_TEXT)
    ids = dict.fromkeys(found_id for match in labelled for found_id in _ids(match.group(1)))
    return tuple(ids)[:IDS_OF_TEXT]


def _bracket(match: Any) -> str:  # noqa: ANN401 - RE2 has no type for a match
    """Return what a reference of HTML or a percent code stands for."""
    written = match.group().strip("<>").lower()
    if written == "&nbsp;":
        return " "
    return "<" if written in ("&lt;", "%3c") or "60" in written or "3c" in written else ">"


def _is_whole(inner: str) -> bool:
    """Whether what stands in brackets is an id; with white space only where it is an address."""
    words = inner.split()
    return len(words) == 1 or (len(words) <= _FOLDS and inner.count("@") == 1)


def _is_bare(word: str) -> bool:
    """Whether a word without brackets is an id."""
    left, at, right = word.partition("@")
    return bool(left and at and right) and "@" not in right and _BARE.fullmatch(word) is not None


def _is_id(word: str) -> bool:
    """Whether a word without white space is an id and nothing else."""
    alone = word.startswith("<") and word.endswith(">") and 2 < len(word) <= 992
    return alone and word.count("<") == word.count(">") == 1
