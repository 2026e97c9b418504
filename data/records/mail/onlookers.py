"""Onlookers, who have a case open too: told to colleagues while it is so, and kept nowhere."""

from data.records.core.record import Record


class LookIn(Record):
    """That somebody has a case open now."""

    writing: bool = False
    """Whether the reply or a note is being written."""


class Onlooker(Record):
    """Somebody else who has the case open."""

    name: str
    writing: bool


class Onlookers(Record):
    """Everybody else, who writes first."""

    items: tuple[Onlooker, ...]
