"""The working week of the policy: on which days people work, and from when to when."""

from calendar import day_name
from datetime import time
from zoneinfo import available_timezones

import streamlit as st

from data.records.core.organization import WorkingHours
from data.records.core.policies import PolicyChange
from data.working_week import HourSpan, spans_of, week_of

USUAL: HourSpan = ("09:00", "17:00")
"""What a day is given that gets hours for the first time."""
FIRST_DAYS = (1, 2, 3, 4, 5)
STEP = 900
"""Seconds between two times that are offered."""


def working_week(hours: WorkingHours | None, timezone: str, version: int) -> PolicyChange:
    """Draw the week; return what differs from what counts.

    `timezone` is the organization's, `version` the policy's: with another one the form begins
    anew with what counts then.
    """
    limited = st.toggle(
        "People work at certain hours",
        hours is not None,
        key=f"week-limited-{version}",
        help="Outside of them nothing leaves by itself, and the time of service levels stands "
        "still. Without them every hour counts.",
    )
    if not limited:
        return PolicyChange(defaults=("working_hours",)) if hours else PolicyChange()
    zones = sorted(available_timezones())
    counted = hours.timezone if hours else timezone
    zone = st.selectbox(
        "Time zone",
        zones,
        index=zones.index(counted) if counted in zones else zones.index("UTC"),
        key=f"week-zone-{version}",
    )
    spans = spans_of(hours) if hours else dict.fromkeys(FIRST_DAYS, USUAL)
    wanted = {}
    for weekday in range(1, 8):
        if (span := _day(weekday, spans.get(weekday), version)) is not None:
            wanted[weekday] = span
    week = week_of(wanted, str(zone))
    if week is None:
        st.caption("Choose at least one day.")
        return PolicyChange()
    if any(start >= end for start, end in wanted.values()):
        st.caption("A day ends before it begins; mend it to save the week.")
        return PolicyChange()
    same = hours is not None and (wanted, zone) == (spans, hours.timezone)
    return PolicyChange() if same else PolicyChange(working_hours=week)


def _day(weekday: int, span: HourSpan | None, version: int) -> HourSpan | None:
    """Draw one day; return its hours, or None where nobody works."""
    name = day_name[weekday - 1]
    with st.container(
        horizontal=True, vertical_alignment="center", wrap=False, gap="small", key=f"week-{weekday}"
    ):
        works = st.checkbox(name, span is not None, key=f"week-day-{weekday}-{version}", width=110)
        start, end = (
            st.time_input(
                f"{name} {edge}",
                time.fromisoformat(clock),
                key=f"week-{edge}-{weekday}-{version}",
                step=STEP,
                label_visibility="collapsed",
                disabled=not works,
                width=98,
            )
            for edge, clock in zip(("from", "until"), span or USUAL, strict=True)
        )
    return (f"{start:%H:%M}", f"{end:%H:%M}") if works and start and end else None
