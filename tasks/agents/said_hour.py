"""The hour of a day that words name, from their clock time, part of the day, or span."""

from datetime import time
from typing import TYPE_CHECKING, NamedTuple

from tasks.agents.spoken_parts import DayPart

if TYPE_CHECKING:
    import re2

_NOON, _HALF_DAY, _LAST_HOUR, _HOUR = 12, 12, 23, 60
_GUESSED_BELOW = 7
"""Hours before which nobody means the morning who does not say so."""


class WrittenTime(NamedTuple):
    """A text with its clock times in figures, without what was cut from it."""

    text: str
    part: DayPart | None
    guessed: bool
    """Whether half of the day was guessed when a clock time was written out."""
    span: "re2._Match | None"
    """Two clock times, from the one to the other."""
    repeats: str


class SaidHour(NamedTuple):
    """An hour, and how sure it is."""

    at: time | None
    assumed: bool = False
    unread: bool = False
    """Whether it is none: *at 25:00*, *in the morning at 3 pm*."""
    minutes: int | None = None
    """From it to the end that was named."""


class _Side(NamedTuple):
    """One of two clock times."""

    hour: int
    minute: int
    half: str
    """`a` or `p`; empty where it was not said."""
    exact: bool
    """Whether minutes were said, as a clock shows them."""

    @property
    def at(self) -> int:
        """Minutes of the day, with the half that was said."""
        hour = self.hour % _HALF_DAY if self.half and self.hour <= _HALF_DAY else self.hour
        return (hour + _HALF_DAY * (self.half == "p" and hour < _HALF_DAY)) * _HOUR + self.minute


def read_said_hour(
    clock: "re2._Match | None", written: WrittenTime, working: tuple[time, time]
) -> SaidHour:
    """Return the hour that was said; where there is a part of the day alone, the one it stands for.

    A part of the day and a clock time have to fit each other.
    """
    part = written.part
    if written.span is not None:
        return _read_span(written.span, part)
    if clock is None:
        return SaidHour(None) if part is None else SaidHour(part.choose_hour(working), assumed=True)
    if clock.group("noon"):
        return SaidHour(time(_NOON), unread=part is DayPart.EVENING)
    side = _side_of(clock)
    at = side.at
    if part is not None and part is not DayPart.MORNING and not side.half and at < _NOON * _HOUR:
        at += _HALF_DAY * _HOUR
    guessed = part is None and not side.half and not side.exact and 0 < side.hour < _GUESSED_BELOW
    hour = _build_time(at + _HALF_DAY * _HOUR * guessed, side)
    if hour is None or (part is not None and not part.has_hour(hour)):
        return SaidHour(None, unread=True)
    return SaidHour(hour, assumed=guessed or (written.guessed and part is None))


def is_span(match: "re2._Match") -> bool:
    """Return whether two numbers are clock times: with a dash alone one has to be shown as such."""
    if match.group("h1") is not None:
        return True
    shown = ("m3", "p3", "a3", "m4", "p4", "a4")
    return any(match.group(name) is not None for name in shown)


def _read_span(match: "re2._Match", part: DayPart | None) -> SaidHour:
    names = ("1", "2") if match.group("h1") is not None else ("3", "4")
    first, last = (_read_named_side(match, name) for name in names)
    begin, end = first.at, last.at
    later = _HALF_DAY * _HOUR
    if last.half == "p" and not first.half and begin + later < end:
        begin += later
    if first.half == "p" and not last.half and end < later:
        end += later
    bare = not (first.half or last.half)
    in_second_half = part is not None and part is not DayPart.MORNING
    early = 0 < first.hour < _GUESSED_BELOW and not (first.exact and last.exact)
    guessed = False
    if bare and begin < later and (early or in_second_half):
        begin, end, guessed = begin + later, end + later * (end < later), not in_second_half
    if bare and end <= begin and end < later:
        end, guessed = end + later, True
    hour = _build_time(begin, first)
    unlikely = begin < _GUESSED_BELOW * _HOUR and not (first.half or first.exact)
    if unlikely or hour is None or _build_time(end, last) is None or end <= begin:
        return SaidHour(None, unread=True)
    if part is not None and not part.has_hour(hour):
        return SaidHour(None, unread=True)
    return SaidHour(hour, assumed=guessed, minutes=end - begin)


def _side_of(clock: "re2._Match") -> _Side:
    """Return the clock time that one of the shapes of a clock names."""
    parts = {name: value for name, value in clock.groupdict().items() if value and name != "noon"}
    hour = next(value for name, value in parts.items() if name.startswith("h"))
    minute = next((value for name, value in parts.items() if name.startswith("m")), "")
    half = next((name[0] for name in parts if name[0] in "pa"), "")
    return _Side(int(hour), int(minute or 0), half, bool(minute))


def _read_named_side(match: "re2._Match", name: str) -> _Side:
    minute = match.group(f"m{name}")
    half = "p" if match.group(f"p{name}") else "a" if match.group(f"a{name}") else ""
    return _Side(int(match.group(f"h{name}")), int(minute or 0), half, minute is not None)


def _build_time(at: int, side: _Side) -> time | None:
    """Return minutes of a day as a time; None where a clock does not show what was said."""
    shown = side.hour <= _LAST_HOUR and side.minute < _HOUR and at < (_LAST_HOUR + 1) * _HOUR
    wrong_half = side.half == "a" and side.hour > _HALF_DAY
    return time(at // _HOUR, at % _HOUR) if shown and not wrong_half else None
