"""The days on which nobody works: a list, a form for one, and a calendar file of many."""

from datetime import date

import streamlit as st

from data.counting import plural
from data.records.core.holidays import HolidayList, HolidayReading, SetHolidays
from data.records.core.organization import Holiday
from ui.core.chips import chips, empty, make_muted, section
from ui.core.session import attempt, core_desk, say, zone
from ui.core.text.clock import today
from ui.core.text.inert import one_line

MOST_BYTES = 1_000_000


def holidays() -> None:
    """Draw the holidays and what changes them."""
    holiday_list = core_desk().organizations.holidays()
    with st.container(key="card-settings-holidays"):
        section("Holidays")
        st.text(
            "On these days nobody works: the time of service levels stands still, nothing leaves "
            "by itself where the policy sets working hours, and “tomorrow” is the day after."
        )
        ahead = [item for item in holiday_list.items if item.day >= today(zone())]
        if not ahead:
            empty("None lies ahead.", "Add them one by one, or from a calendar file.")
        for holiday in ahead:
            _line(holiday, holiday_list)
        _past([item for item in holiday_list.items if item not in ahead], holiday_list)
        _add(holiday_list)
        _from_file(holiday_list)


def _line(holiday: Holiday, holiday_list: HolidayList) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False,
                      key=f"holiday-{holiday.day}"):  # fmt: skip
        holiday_name = one_line(holiday.name, 100) or "(no name)"
        st.text(
            f"{holiday.day:%a} {holiday.day.day} {holiday.day:%b %Y}: {holiday_name}",
            width="stretch",
        )
        st.button("Remove", key=f"holiday-remove-{holiday.day}", type="tertiary", on_click=_remove,
                  args=(holiday.day, holiday_list))  # fmt: skip


def _past(over: list[Holiday], holiday_list: HolidayList) -> None:
    """Draw those that are over, folded away; reports still count by them."""
    if over:
        with st.expander(f"{plural(len(over), 'day')} before today", key="holidays-past"):
            for holiday in reversed(over):
                _line(holiday, holiday_list)


def _add(holiday_list: HolidayList) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="holiday-new"):
        st.date_input("Day", None, key="holiday-day", format="YYYY-MM-DD",
                      min_value=date(2000, 1, 1), max_value=date(2100, 12, 31))  # fmt: skip
        st.text_input("Name", key="holiday-name", max_chars=100, placeholder="Christmas Day")
        st.button("Add", key="holiday-add", on_click=_new, args=(holiday_list,))


def _new(holiday_list: HolidayList) -> None:
    day = st.session_state.get("holiday-day")
    if not isinstance(day, date):
        say("warning", "Choose the day.")
        return
    name = str(st.session_state.get("holiday-name") or "").strip()
    if _keep(holiday_list, [*holiday_list.items, Holiday(day=day, name=name)]):
        for field in ("holiday-day", "holiday-name"):
            st.session_state.pop(field, None)
        say("done", f"Nobody works on {day}.")


def _remove(day: date, holiday_list: HolidayList) -> None:
    if _keep(holiday_list, [item for item in holiday_list.items if item.day != day]):
        say("done", f"{day} is a day like others.")


def _from_file(holiday_list: HolidayList) -> None:
    """Draw what reads a calendar file, and what it holds before anything is kept."""
    with st.expander("From a calendar file (.ics)", key="holidays-file"):
        st.caption("Whole days of this year and the three after it are taken.")
        file_given = st.file_uploader("Calendar file", type=["ics"], key="holidays-upload",
                                 label_visibility="collapsed", max_upload_size=1)  # fmt: skip
        if file_given is None:
            return
        content = file_given.getvalue()[:MOST_BYTES]
        read = attempt(
            lambda: core_desk().organizations.read_holidays(content.decode("utf-8", "replace"))
        )
        if read is None:
            st.error("That is no calendar file.", icon=":material/error:")
            return
        _read(read, holiday_list)


def _read(read: HolidayReading, holiday_list: HolidayList) -> None:
    there = {item.day for item in holiday_list.items}
    fresh = [item for item in read.items if item.day not in there]
    old = len(read.items) - len(fresh)
    chips(
        make_muted(f"{plural(len(fresh), 'new day')}"),
        make_muted(f"{old:,} are here already" if old else ""),
    )
    if fresh:
        lines = [f"{holiday.day:%Y-%m-%d} {one_line(holiday.name, 80)}" for holiday in fresh[:60]]
        more = [f"… and {len(fresh) - 60:,} more"] if len(fresh) > 60 else []
        st.text("\n".join([*lines, *more]))
    for reason in read.left_out[:10]:
        st.text(one_line(f"Left out: {reason}", 200))
    if len(read.left_out) > 10:
        st.caption(f"And {len(read.left_out) - 10:,} more were left out.")
    st.button(f"Add {plural(len(fresh), 'day')}", key="holidays-import", type="primary",
              disabled=not fresh, on_click=_import, args=(fresh, holiday_list))  # fmt: skip


def _import(fresh: list[Holiday], holiday_list: HolidayList) -> None:
    if _keep(holiday_list, [*holiday_list.items, *fresh]):
        st.session_state.pop("holidays-upload", None)
        say("done", f"{plural(len(fresh), 'day')} added.")


def _keep(holiday_list: HolidayList, items: list[Holiday]) -> bool:
    order = SetHolidays(items=tuple(items), was=holiday_list.was)
    return attempt(lambda: core_desk().organizations.set_holidays(order)) is not None
