"""Service levels as a list of which the first that fits counts: narrow ones stand first."""

from collections.abc import Sequence

from data.records.core.organization import ServiceLevel


def place_level(levels: Sequence[ServiceLevel], level: ServiceLevel) -> tuple[ServiceLevel, ...]:
    """Return the levels with one more, in place of that for the same category and priority.

    A new one comes before the first that names less than it does.
    """
    same = [each for each in levels if _key_of(each) == _key_of(level)]
    if same:
        return tuple(level if each in same else each for each in levels)
    width = _width(level)
    wider = (place for place, each in enumerate(levels) if _width(each) > width)
    at = next(wider, len(levels))
    return (*levels[:at], level, *levels[at:])


def remove_level(levels: Sequence[ServiceLevel], level: ServiceLevel) -> tuple[ServiceLevel, ...]:
    """Return the levels without that for a category and priority."""
    return tuple(each for each in levels if _key_of(each) != _key_of(level))


def _key_of(level: ServiceLevel) -> tuple[str | None, str | None]:
    return level.category, level.priority


def _width(level: ServiceLevel) -> int:
    """Return how many of the two a level leaves open."""
    return _key_of(level).count(None)
