"""Spans of time in words."""

from datetime import timedelta


def lasting(passed: timedelta) -> str:
    """Return a span in its largest unit: *3 hours*."""
    minutes = int(passed.total_seconds() // 60)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number} {word}{'' if number == 1 else 's'}"
    return "less than a minute"
