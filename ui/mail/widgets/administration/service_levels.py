"""Forms for the service levels of the policy, and for how often a fault is planted."""

from collections.abc import Sequence

import streamlit as st

from data.records.core.organization import ServiceLevel
from data.records.core.policies import PolicyChange
from data.records.core.understanding import Category, Priority
from data.service_rows import place_level
from ui.core.text.words import word

LONGEST = 8760.0
"""The most hours that a level may allow."""
ANY = ""


def service_levels(levels: Sequence[ServiceLevel], version: int) -> PolicyChange:
    """Draw the levels with a row for one more; return what differs from what counts.

    `version` is the policy's: with another one the form begins anew with what counts then.
    """
    st.caption(
        "The first row that fits a case counts. Hours are those of the working hours; 0 sets no "
        "target. A row without any target is taken out."
    )
    rows = [_row(place, level, version) for place, level in enumerate(levels)]
    wanted = tuple(row for row in rows if row is not None)
    if (one_more := _one_more(version)) is not None:
        wanted = place_level(wanted, one_more)
    if wanted == tuple(levels):
        return PolicyChange()
    return PolicyChange(service_levels=wanted)


def planted_faults(a_week: int, version: int) -> PolicyChange:
    """Draw how many letters a week are shown with a fault; return what differs."""
    st.caption(
        "A few letters are shown with a wrong number or promise, to see whether letters are read. "
        "None of them can leave. Where they are missed, fewer letters can be approved at once."
    )
    wanted = st.slider(
        "Letters a week that are shown with a fault", 0, 7, a_week, key=f"planted-{version}"
    )
    return PolicyChange() if wanted == a_week else PolicyChange(planted_a_week=int(wanted))


def _row(place: int, level: ServiceLevel, version: int) -> ServiceLevel | None:
    about = f"{_name(level.category)}, {_name(level.priority)}" if level.category else ""
    about = about or (_name(level.priority) if level.priority else "everything else")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text(about[:1].upper() + about[1:], width=220)
        hours = _hours(level, f"{place}-{version}")
    return _level(level.category, level.priority, *hours)


def _one_more(version: int) -> ServiceLevel | None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        category, priority = (
            st.selectbox(
                label,
                (ANY, *(str(kind) for kind in kinds)),
                format_func=lambda value: word(value) if value else "any",
                key=f"level-{label.lower()}-{version}",
                width=104,
            )
            for label, kinds in (("About", Category), ("Urgency", Priority))
        )
        hours = _hours(None, f"new-{version}")
    return _level(
        Category(category) if category else None, Priority(priority) if priority else None, *hours
    )


def _hours(level: ServiceLevel | None, key: str) -> tuple[float, float]:
    first = level.first_answer_hours if level else None
    whole = level.resolution_hours if level else None
    first_hours, whole_hours = (
        st.number_input(
            label,
            0.0,
            LONGEST,
            hours or 0.0,
            1.0,
            format="%g",
            key=f"level-{name}-{key}",
            width=160,
        )
        for label, name, hours in (
            ("Hours to a first answer", "first", first),
            ("Hours to a resolution", "whole", whole),
        )
    )
    return float(first_hours), float(whole_hours)


def _level(
    category: Category | None, priority: Priority | None, first: float, whole: float
) -> ServiceLevel | None:
    """Return a level with the hours that are not 0; None without any."""
    if not first and not whole:
        return None
    return ServiceLevel(
        category=category,
        priority=priority,
        first_answer_hours=first or None,
        resolution_hours=whole or None,
    )


def _name(kind: Category | Priority | None) -> str:
    return word(str(kind)) if kind else "any urgency"
