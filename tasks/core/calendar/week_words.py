"""Working hours in words."""

from collections.abc import Sequence
from datetime import time

from tasks.core.calendar.free_time import Week
from tasks.core.wording import word_sentence


def week_words(week: Week, language: str) -> str:
    """Return a week's working hours in words: *09:00 to 17:00, Monday to Thursday; …*."""
    days_by_hours: dict[tuple[time, time], list[int]] = {}
    for weekday in sorted(week):
        days_by_hours.setdefault(week[weekday], []).append(weekday)
    return "; ".join(
        word_sentence(
            language,
            "hours_of_days",
            first=f"{begin:%H:%M}",
            last=f"{end:%H:%M}",
            days=_weekday_words(weekdays, language),
        )
        for (begin, end), weekdays in days_by_hours.items()
    )


def _weekday_words(weekdays: Sequence[int], language: str) -> str:
    """Return ISO weekdays in words, three and more in a row as one run."""
    names = word_sentence(language, "weekdays").split(", ")
    first, last = weekdays[0], weekdays[-1]
    if last - first == len(weekdays) - 1 > 1:
        return word_sentence(language, "day_run", first=names[first - 1], last=names[last - 1])
    alone = [word_sentence(language, "day_alone", day=names[day - 1]) for day in weekdays]
    return ", ".join(alone)
