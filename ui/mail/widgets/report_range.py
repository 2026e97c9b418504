"""The range of a report: days, a category, a person; kept in the address of the page."""

from datetime import date, timedelta
from typing import Literal

import streamlit as st

from data.records.core.understanding import Category
from ui.core import address
from ui.core.session import zone
from ui.core.text.clock import today
from ui.core.text.inert import make_inert
from ui.core.text.words import word
from ui.mail.api.reports import ReportFilters

RANGES = {
    "7": "Last 7 days",
    "28": "Last 28 days",
    "month": "This month",
    "last": "Last month",
    "90": "Last 90 days",
    "365": "Last 365 days",
    "own": "Other days",
}
ADDRESS = {
    "range": "report-range",
    "since": "report-since",
    "until": "report-until",
    "by": "report-by",
    "category": "report-category",
    "person": "report-person",
}
"""The session's key of each parameter in the page's address."""
USUAL = {"range": "28", "by": "day"}
_OWN_DAYS = ("since", "until")
_ALLOWED = {"range": tuple(RANGES), "by": ("day", "week"), "category": tuple(Category)}


def choose_range() -> ReportFilters:
    """Draw all choices except the person's; return what the report is of."""
    address.take("reports", ADDRESS, _ALLOWED)
    for name, usual in USUAL.items():
        if not st.session_state.get(ADDRESS[name]):
            st.session_state[ADDRESS[name]] = usual
    with st.container(horizontal=True, vertical_alignment="bottom", key="report-choices"):
        chosen = st.selectbox(
            "Days",
            list(RANGES),
            format_func=lambda name: RANGES[name],
            key="report-range",
            width=170,
            persist_state="session",
        )
        since, until = (
            _choose_days() if chosen == "own" else first_and_last_day(str(chosen), today(zone()))
        )
        st.segmented_control(
            "By",
            ["day", "week"],
            format_func=lambda name: name.capitalize(),
            key="report-by",
            width="content",
            required=True,
            persist_state="session",
        )
        st.selectbox(
            "About",
            ["", *Category],
            format_func=lambda name: word(name).capitalize() if name else "Everything",
            key="report-category",
            width=170,
            persist_state="session",
        )
    by: Literal["day", "week"] = "week" if st.session_state["report-by"] == "week" else "day"
    return ReportFilters(
        since=since.isoformat(),
        until=until.isoformat(),
        by=by,
        category=str(st.session_state.get("report-category") or ""),
        person=str(st.session_state.get("report-person") or ""),
    )


def choose_person(known_people: tuple[str, ...]) -> None:
    """Draw the choice of whose decisions are counted, and let the address name what is chosen."""
    person_chosen = str(st.session_state.get("report-person") or "")
    names = ["", *dict.fromkeys((*known_people, *([person_chosen] if person_chosen else [])))]
    if len(names) > 1:
        st.selectbox(
            "Decided by",
            names,
            format_func=lambda name: make_inert(name, limit=40) if name else "Everybody",
            key="report-person",
            width=200,
            persist_state="session",
        )
    own = st.session_state.get("report-range") == "own"
    address.tell(
        ADDRESS if own else {k: v for k, v in ADDRESS.items() if k not in _OWN_DAYS}, USUAL
    )


def first_and_last_day(name: str, today: date) -> tuple[date, date]:
    """Return the first and the last day of one of `RANGES` but `own`."""
    if name == "month":
        return today.replace(day=1), today
    if name == "last":
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    return today - timedelta(days=int(name) - 1), today


def _choose_days() -> tuple[date, date]:
    """Draw the choice of two days; while only one is chosen it is both the first and the last."""
    latest = today(zone())
    # The page's address may name any day, and the field takes none after today.
    days_before = [_parse_day(st.session_state.get(ADDRESS[name])) for name in _OWN_DAYS]
    since, until = (
        min(day or usual, latest)
        for day, usual in zip(days_before, first_and_last_day("28", latest), strict=True)
    )
    chosen = st.date_input(
        "From and until",
        value=(min(since, until), max(since, until)),
        max_value=latest,
        key="report-days",
        width=230,
    )
    days_chosen = chosen if isinstance(chosen, tuple) else (chosen,)
    since, until = (days_chosen[0], days_chosen[-1]) if days_chosen else sorted((since, until))
    st.session_state["report-since"] = since.isoformat()
    st.session_state["report-until"] = until.isoformat()
    return since, until


def _parse_day(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        return None
