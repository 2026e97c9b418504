"""Between which hours somebody asks: *after 3*, *vor 11 Uhr*, *from 2pm to 4pm*."""

from datetime import datetime, time, timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tasks.agents.alternations import build_alternation, split_list
from tasks.agents.spoken_clock import read_clock_lists
from tasks.agents.spoken_time import read_spoken_time
from tasks.agents.time_patterns import read_time_lists
from tasks.core.calendar.free_time import Week
from tasks.core.patterns import compiled

if TYPE_CHECKING:
    import re2


class HourBounds(NamedTuple):
    """Between which hours of a day; None where nothing is said of that side."""

    begin: time | None
    end: time | None

    def limit_week(self, week: Week) -> Week:
        """Return what of working hours lies between; days without any of it are left out."""
        cut = {
            day: (max(begin, self.begin or begin), min(end, self.end or end))
            for day, (begin, end) in week.items()
        }
        return {day: (begin, end) for day, (begin, end) in cut.items() if begin < end}


def find_hour_bounds(text: str, language: str, now: datetime) -> HourBounds | None:
    """Return between which hours words ask; None where they name none, or none that is read."""
    spoken = read_spoken_time(text, language, now)
    if spoken.ranged and not spoken.unread and spoken.at is not None and spoken.minutes:
        end = spoken.at + timedelta(minutes=spoken.minutes)
        return HourBounds(spoken.at.time(), end.time()) if end.date() == spoken.at.date() else None
    at = split_list(read_time_lists(language)["at"])[0]
    for side in ("after", "until"):
        match = _build_side_pattern(language, side).search(text)
        if match is None:
            continue
        spoken = read_spoken_time(
            f"{text[: match.start()]} {at} {text[match.end() :]}", language, now
        )
        if spoken.at is None or not spoken.clocked or spoken.unread or spoken.ranged:
            return None
        hour = spoken.at.time()
        return HourBounds(hour, None) if side == "after" else HourBounds(None, hour)
    return None


@cache
def _build_side_pattern(language: str, side: str) -> "re2._Regexp":
    """Return the words of one side before an hour, with those that stand before any hour."""
    leads = build_alternation(split_list(read_clock_lists(language)[f"side_{side}"]))
    at = build_alternation(split_list(read_time_lists(language)["at"]))
    return compiled(rf"(?i)(?:^|\s)(?:{leads})\s+(?:(?:{at})\s+)?")
