"""Calendar and contact parts as lines of text: who, when, where, and every other word in them.

(RFC 5545, RFC 5546, RFC 6350.) icalendar and vobject read what is well formed; what they refuse
is shown line by line, so that nothing which an attacker writes there goes unread by the screen.
"""

import warnings
from datetime import date, datetime, timedelta
from typing import Any

from tasks.core.markup.hidden import is_prose
from tasks.core.parse.zones import zone_of
from tasks.core.patterns import compiled
from tasks.core.words.cleaning import clean_line

CARD_CHARACTERS = 100_000
"""Characters of a part that are read."""
COMPONENTS = 50
"""Events or contacts of a part that are read."""
LINES = 500
"""Lines that are given."""

# What the two libraries raise for broken parts, apart from their own errors, which are ValueErrors
# or nothing else than Exceptions.
_BROKEN = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError,
    RecursionError, NotImplementedError, StopIteration,
)  # fmt: skip
_METHODS = {
    "REQUEST": "invitation", "CANCEL": "cancellation", "REPLY": "answer to an invitation",
    "COUNTER": "other proposal", "PUBLISH": "announcement", "ADD": "addition",
    "REFRESH": "wish for the newest version", "DECLINECOUNTER": "proposal declined",
}  # fmt: skip
_LISTS = {"vCategory": "cats", "vDDDLists": "dts"}
"""Values of icalendar that hold several, and under which name."""
_KINDS = {"VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Journal", "VFREEBUSY": "Busy times"}
_LABELS = {
    "SUMMARY": "Summary", "DTSTART": "Start", "DTEND": "End", "DUE": "Due", "DURATION": "Duration",
    "LOCATION": "Location", "ORGANIZER": "Organizer", "ATTENDEE": "Attendee", "RRULE": "Repeats",
    "STATUS": "Status", "DESCRIPTION": "Description", "COMMENT": "Comment", "FN": "Name",
    "N": "Name parts", "ORG": "Organization", "TITLE": "Title", "TEL": "Telephone",
    "EMAIL": "Address", "ADR": "Postal address", "NOTE": "Note", "URL": "Link", "BDAY": "Birthday",
}  # fmt: skip
_FIRST = ("SUMMARY", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "LOCATION", "ORGANIZER")
_TIMES = frozenset({
    "DTSTART", "DTEND", "DUE", "DURATION", "TRIGGER", "TZID", "TZOFFSETFROM", "TZOFFSETTO",
    "EXDATE", "RDATE", "FREEBUSY", "GEO", "RECURRENCE-ID", "COMPLETED",
})  # fmt: skip
_TECHNICAL = frozenset({
    "BEGIN", "END", "UID", "DTSTAMP", "SEQUENCE", "VERSION", "PRODID", "CALSCALE", "METHOD", "REV",
    "CREATED", "LAST-MODIFIED", "PHOTO", "LOGO", "KEY", "SOUND", "TRANSP", "CLASS", "PRIORITY",
})  # fmt: skip


_BARE_ZONE = compiled(
    r"(?im)^((?:DTSTART|DTEND|DUE|RECURRENCE-ID|EXDATE|RDATE)(?:;[^\":;\n]*)*;TZID=)"
    r"([^\";\n]*:[^\";\n]*)(:\d{8}T\d{6}.*)$"
)


def calendar_text(content: str, defects: list[str]) -> str:
    """Return a calendar part (RFC 5545) as lines `label: value`; its method comes first."""
    import icalendar  # half a second, and few messages have a calendar

    content = _with_quoted_zones(_bounded(content, "calendar part", defects))
    lines: list[str] = []
    # What the calendar of another mail has defined under a name is forgotten.
    icalendar.use_zoneinfo()  # type: ignore[no-untyped-call]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            calendars = icalendar.Calendar.from_ical(content, multiple=True)[:COMPONENTS]
        for calendar in calendars:
            method = clean_line(str(calendar.get("METHOD") or "PUBLISH")).upper()
            lines.append(f"Calendar: {method} ({_METHODS.get(method, 'unknown method')})")
            for component in calendar.walk()[:COMPONENTS]:
                lines += _component(component, clean_line(str(calendar.get("X-WR-TIMEZONE") or "")))
    except _BROKEN as error:
        defects.append(f"broken calendar part ({type(error).__name__})")
    return "\n".join(lines[:LINES] + _unsaid(content, lines[:LINES]))


def _with_quoted_zones(content: str) -> str:
    """Return a calendar in which names of zones with a colon stand in quotation marks.

    RFC 5545 section 3.2 asks for them; some programs write `TZID=(UTC+01:00) Paris` without.
    """
    if _BARE_ZONE.search(unfolded := _unfolded(content)) is None:
        return content
    return str(_BARE_ZONE.sub(r'\1"\2"\3', unfolded))


def _component(component: Any, zone: str) -> list[str]:  # noqa: ANN401 - icalendar has no type for all
    """Return an event, a task or an alarm as lines; `zone` is the calendar's, for times without."""
    if component.name in ("VTIMEZONE", "STANDARD", "DAYLIGHT"):
        return []
    items = [
        (name, value)
        for name, value in component.property_items(recursive=False)
        if name not in _TECHNICAL
    ]
    items.sort(key=lambda item: _FIRST.index(item[0]) if item[0] in _FIRST else len(_FIRST))
    head = [f"{_KINDS[component.name]}:"] if component.name in _KINDS else []
    return head + [
        _line(name, _last_day(component, value) or _text_of(value, zone))
        if name == "DTEND"
        else _line(name, _text_of(value, zone))
        for name, value in items
    ]


def _last_day(component: Any, value: Any) -> str:  # noqa: ANN401
    """Return the last day of an event of whole days; empty for one of hours.

    The day that DTEND names is no part of it (RFC 5545 section 3.6.1), unless it begins there too.
    """
    start, end = getattr(component.get("DTSTART"), "dt", None), getattr(value, "dt", None)
    if not isinstance(end, date) or isinstance(end, datetime) or isinstance(start, datetime):
        return ""
    return _moment(end - timedelta(days=1) if start is not None and start < end else end, "")


def _text_of(value: Any, zone: str) -> str:  # noqa: ANN401
    """Return the value of a calendar property as text; a broken one is told as it was written."""
    kind = type(value).__name__
    if kind == "vBroken":
        return str(value)
    if kind in _LISTS:
        return ", ".join(_text_of(item, zone) for item in getattr(value, _LISTS[kind]))
    moment = getattr(value, "dt", None)
    if moment is not None:
        return _moment(moment, str(value.params.get("TZID") or zone))
    words = str(value)
    if words.lower().startswith("mailto:"):
        words = f"<{words[7:]}>"
        state = value.params.get("PARTSTAT", "")
        words += f" ({state.lower()})" if state and value.params.get("PARTSTAT") else ""
    elif words.startswith(f"{kind}("):  # how Python shows it, which says nothing
        octets = value.to_ical()
        words = octets.decode("utf-8", "replace") if isinstance(octets, bytes) else str(octets)
    parameters = getattr(value, "params", {})
    spoken = (str(parameters[name]) for name in parameters if name not in ("TZID", "PARTSTAT"))
    own_words = " ".join(
        spoken_word
        for spoken_word in spoken
        if " " in spoken_word or parameters.get("CN") == spoken_word
    )
    return f"{own_words} {words}".strip()


def _moment(moment: object, zone: str) -> str:
    """Return a day, a point of time or a period as text; `zone` is what its zone is called."""
    if isinstance(moment, tuple):
        return " to ".join(_moment(moment_part, zone) for moment_part in moment)
    if isinstance(moment, datetime):
        return f"{moment:%Y-%m-%d %H:%M} {zone_of(moment, zone)}"
    if isinstance(moment, date):
        return f"{moment:%Y-%m-%d}, all day"
    return str(moment)


def contact_text(content: str, defects: list[str]) -> str:
    """Return a contact part (RFC 6350, RFC 2426) as lines `label: value`."""
    import vobject  # type: ignore[import-untyped]  # a quarter of a second, and few messages have a card

    content = _bounded(content, "contact part", defects)
    lines: list[str] = []
    try:
        for count, card in enumerate(vobject.readComponents(content, ignoreUnreadable=True)):
            if count >= COMPONENTS:
                break
            lines.append("Contact:")
            lines += [
                _line(child.name, _read_value(child.value))
                for child in card.getChildren()
                if child.name not in _TECHNICAL and hasattr(child, "value")
            ]
    except (*_BROKEN, vobject.base.VObjectError) as error:
        defects.append(f"broken contact part ({type(error).__name__})")
    return "\n".join(lines[:LINES] + _unsaid(content, lines[:LINES]))


def _read_value(value: object) -> str:
    """Return the value of a contact's property as text."""
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, list):
        return "; ".join(str(part) for part in value)
    return str(value)


def _line(name: str, value: str) -> str:
    label = _LABELS.get(name.upper(), name.title())
    return f"{label}: {' '.join(value.split())}"


def _bounded(content: str, what: str, defects: list[str]) -> str:
    if len(content) > CARD_CHARACTERS:
        defects.append(f"{what} is longer than is read")
    return content[:CARD_CHARACTERS]


def _unsaid(content: str, lines: list[str]) -> list[str]:
    """Return the content lines whose words the libraries left out, unfolded and unescaped."""
    joined_lines = _without_gaps("\n".join(lines))
    unsaid_lines: list[str] = []
    for raw in _unfolded(content).split("\n")[: 4 * LINES]:
        head, colon, value = raw.partition(":")
        name, _, parameters = head.partition(";")
        words = " ".join(_unescaped(value).split())
        technical = name.strip().upper() in (_TECHNICAL | _TIMES)
        if not raw.strip() or (technical and not is_prose(words)):
            continue
        spoken = " " in parameters.replace('="', " ").strip('"')
        if not colon or spoken or _without_gaps(words) not in joined_lines:
            unsaid_lines.append(clean_line(_unescaped(raw)))
        if len(unsaid_lines) >= LINES:
            break
    return unsaid_lines


def _unfolded(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "")


def _without_gaps(words: str) -> str:
    """Return words as they are compared: lists are told with a space after each comma."""
    return words.replace(", ", ",").replace("; ", ";")


def _unescaped(value: str) -> str:
    """Return a value with its escapes undone (RFC 5545 section 3.3.11)."""
    return value.replace("\\n", " ").replace("\\N", " ").replace("\\,", ",").replace("\\;", ";")
