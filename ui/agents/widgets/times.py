"""Days and times that a person chooses, in the organization's zone, and how they are told."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from ui.core.session import zone
from ui.core.text.clock import zone_of

STEP = timedelta(minutes=15)


def read_zone() -> ZoneInfo:
    """Return the zone that times are shown and meant in."""
    return zone_of(zone())


def day_field(label: str, value: date | None, key: str, *, help: str | None = None) -> date | None:
    """Draw a field for a day; None while it is empty."""
    chosen = st.date_input(label, value, key=key, format="DD/MM/YYYY", help=help)
    return chosen if isinstance(chosen, date) else None


def time_field(label: str, value: time | None, key: str, *, disabled: bool = False) -> time | None:
    """Draw a field for a time of the day; None while it is empty."""
    return st.time_input(label, value, key=key, step=STEP, disabled=disabled)


def at_hour(day: date, hour: time | None) -> datetime:
    """Return a time of a day where the organization is; its beginning where none is given."""
    return datetime.combine(day, hour or time(), tzinfo=read_zone())


def day_words(day: date, today: date) -> str:
    """Return a day as people say it: *today*, *tomorrow*, *Fri 4 Dec*, with the year if another."""
    names = {0: "today", 1: "tomorrow", -1: "yesterday"}
    if (near := (day - today).days) in names:
        return names[near]
    return f"{day:%a} {day.day} {day:%b}" + (f" {day.year}" if day.year != today.year else "")


def span_words(first: date, last: date) -> str:
    """Return some days: *30 November to 6 December 2026*."""
    begin = f"{first.day} {first:%B}" if first.month != last.month else str(first.day)
    if first.year != last.year:
        begin += f" {first.year}"
    return f"{begin} to {last.day} {last:%B %Y}"
