"""The calendar: a week or a list of events, one of them to change, and files in and out."""

from datetime import date, datetime, time, timedelta

import streamlit as st

from data.counting import plural
from data.records.core.calendar import CalendarEvent, CalendarFile, EditEvent
from data.records.core.titles import LONGEST_TITLE
from data.states import TaskState
from ui.agents.api.desk import agents_desk
from ui.agents.undoing import EventUndo
from ui.agents.widgets.times import at_hour, day_field, day_words, read_zone, span_words, time_field
from ui.agents.widgets.week import DAYS, days_of, hours, monday_of, takes_place, week
from ui.core.chips import chip, chips, empty, make_muted
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.undoing import offer, usual_end
from ui.core.widgets import lists
from ui.core.widgets.conflict_forms import look_again, stood_since

VIEWS = {"week": "Week", "list": "List"}
LISTED = 28
"""Days that the list shows."""
MOST_LEFT_OUT = 5
"""Events of a file that are named when they were not taken over."""
_TASKS = 200


RULES = {
    "": "Once",
    "FREQ=DAILY": "Every day",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": "From Monday to Friday",
    "FREQ=WEEKLY": "Every week",
    "FREQ=WEEKLY;INTERVAL=2": "Every second week",
    "FREQ=MONTHLY": "Every month",
    "FREQ=YEARLY": "Every year",
}


def events() -> None:
    """Draw the calendar."""
    today = now().astimezone(read_zone()).date()
    view = _bar(today)
    first = shown_day(today)
    first = monday_of(first) if view == "week" else first
    length = DAYS if view == "week" else LISTED
    events_listed = agents_desk().calendar.events(first, first + timedelta(days=length - 1)).items
    if opened := next(
        (
            calendar_event
            for calendar_event in events_listed
            if calendar_event.id == st.session_state.get("event")
        ),
        None,
    ):
        _draw_event(opened)
    if view == "week":
        due = agents_desk().tasks.find(TaskState.OPEN, _TASKS).items
        week(first, today, events_listed, due, str(st.session_state.get("event") or ""), _open)
        chips(chip("yours", "accent"), chip("the organization's", "info"), chip("task", "quiet"))
    else:
        _list(events_listed, first, today)


def shown_day(today: date) -> date:
    """Return the day that the calendar shows: the chosen one, today before anybody has chosen."""
    try:
        return date.fromisoformat(str(st.session_state.get("agenda-day") or ""))
    except ValueError:
        return today


def _bar(today: date) -> str:
    """Draw what moves through the calendar and adds to it; return which view is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="agenda-bar"):
        view = st.segmented_control(
            "View", list(VIEWS), key="agenda-view", default="week", required=True,
            format_func=VIEWS.__getitem__, label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        day = shown_day(today)
        by = DAYS if view == "week" else LISTED
        first = monday_of(day) if view == "week" else day
        for label, key, name, target in (
            ("", "agenda-back", ":material/chevron_left:", day - timedelta(days=by)),
            ("Today", "agenda-today", None, today),
            ("", "agenda-on", ":material/chevron_right:", day + timedelta(days=by)),
        ):
            st.button(
                label, key=key, icon=name, on_click=_go, args=(target,),
                help={"agenda-back": "Earlier", "agenda-on": "Later"}.get(key),
            )  # fmt: skip
        st.html(
            f'<span class="w-span">{span_words(first, first + timedelta(days=by - 1))}</span>',
            width="content",
        )
        with st.popover("New event", icon=":material/event:", key="event-new"):
            _form(None, max(day, today))
        with st.popover("Calendar files", icon=":material/attach_file:", key="event-files"):
            _files()
    return str(view)


def _go(day: date) -> None:
    st.session_state["agenda-day"] = day.isoformat()


def _open(kind: str, id: str) -> None:
    look_again(str(st.session_state.get(kind) or ""))
    st.session_state[kind] = "" if id == st.session_state.get(kind) else id


def _open_event(id: str) -> None:
    _open("event", id.partition("-on-")[0])


def _list(calendar_events: tuple[CalendarEvent, ...], first: date, today: date) -> None:
    days = [first + timedelta(days=number) for number in range(LISTED)]
    drawn = [
        (day, calendar_event)
        for day in days
        for calendar_event in calendar_events
        if takes_place(calendar_event, day)
    ]
    if not drawn:
        empty("Nothing is on in these four weeks.", "Put something in, or take a file over.")
        return
    with lists.listing("events"):
        for day, event in drawn:
            lists.row(
                f"{event.id}-on-{day}",
                f"{day_words(day, today)}, {hours(event, day)}",
                event.title,
                event.place,
                (_chip_of_owner(event),),
                "",
                event.id == st.session_state.get("event"),
                _open_event,
            )


def _chip_of_owner(event: CalendarEvent) -> str:
    return chip("yours", "accent") if event.owner else chip("the organization's", "info")


def _draw_event(event: CalendarEvent) -> None:
    """Draw the event that is open, with what changes it."""
    with st.container(key="card-event"):
        chips(
            _chip_of_owner(event),
            make_muted(
                "Nobody else sees it." if event.owner else "Everybody who works here sees it."
            ),
            make_muted("It repeats." if event.repeats else ""),
            make_muted(f"put in by {event.added_by}"),
        )
        _form(event, event.starts_at.astimezone(read_zone()).date())


def _form(event: CalendarEvent | None, day: date) -> None:
    """Draw the fields of an event, and what writes it."""
    key = f"event-{event.id}" if event else "event-new"
    stood = stood_since(event.id, event.stands_since) if event else None
    begin, end = _times(event, day)
    title = st.text_input(
        "What", event.title if event else "", key=f"{key}-title", max_chars=LONGEST_TITLE
    )
    place = st.text_input(
        "Where", event.place if event else "", key=f"{key}-place", max_chars=LONGEST_TITLE
    )
    with st.container(horizontal=True, gap="small"):
        whole = st.toggle("All day", bool(event and event.whole_day), key=f"{key}-whole")
        everybody = st.toggle(
            "For everybody here", bool(event and not event.owner), key=f"{key}-everybody"
        )
    with st.container(horizontal=True, gap="small"):
        first = day_field("From", begin.date(), f"{key}-first")
        begins = None if whole else time_field("at", begin.time(), f"{key}-begins")
    with st.container(horizontal=True, gap="small"):
        last = day_field("To", max(end.date(), first or end.date()), f"{key}-last")
        ends = None if whole else time_field("at", end.time(), f"{key}-ends")
    repeats_now = event.repeats if event else ""
    rules = RULES if repeats_now in RULES else RULES | {repeats_now: "As its rule says"}
    repeats = st.selectbox(
        "Takes place", list(rules), list(rules).index(repeats_now), key=f"{key}-repeats",
        format_func=rules.__getitem__,
        help="What is changed here holds for every time of it." if repeats_now else None,
    )  # fmt: skip
    event_wanted = _read_event(title, place, (first, last), (begins, ends), whole, everybody)
    event_wanted = event_wanted.model_copy(update={"repeats": repeats}) if event_wanted else None
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Save" if event else "Put it in", key=f"{key}-save", type="primary",
            disabled=event_wanted is None, on_click=_write, args=(event, event_wanted, stood),
        )  # fmt: skip
        if event is not None:
            st.button("Remove", key="event-remove", on_click=_remove, args=(event, stood))
            st.button(
                "Close", key="event-close", type="tertiary", on_click=_open, args=("event", "")
            )
    if title.strip() and event_wanted is None:
        st.caption("It has to end after it begins.")


def _times(event: CalendarEvent | None, day: date) -> tuple[datetime, datetime]:
    """Return when an event begins and ends, as its fields show it; of a new one, the next hour."""
    if event is None:
        hour = min(now().astimezone(read_zone()).hour + 1, 22)
        begin = datetime.combine(day, time(hour))
        return begin, begin + timedelta(hours=1)
    event = _series(event)
    begin, end = event.starts_at.astimezone(read_zone()), event.ends_at.astimezone(read_zone())
    if event.whole_day:
        first, last = days_of(event)
        return datetime.combine(first, time(9)), datetime.combine(last, time(10))
    return begin, end


def _read_event(
    title: str,
    place: str,
    days: tuple[date | None, date | None],
    times: tuple[time | None, time | None],
    whole: bool,
    everybody: bool,
) -> EditEvent | None:
    """Return the event that the fields say; None where they say none."""
    first, last = days
    if not title.strip() or first is None or last is None:
        return None
    if whole:
        begin, end = at_hour(first, None), at_hour(last + timedelta(days=1), None)
    elif times[0] is None or times[1] is None:
        return None
    else:
        begin, end = at_hour(first, times[0]), at_hour(last, times[1])
    if end < begin:
        return None
    return EditEvent(
        title=title.strip(),
        place=place.strip(),
        starts_at=begin,
        ends_at=end,
        whole_day=whole,
        for_everybody=everybody,
    )


def _write(event: CalendarEvent | None, edit: EditEvent, stood: datetime | None) -> None:
    if event is not None:
        written = attempt(lambda: agents_desk().calendar.change(event.id, edit, stood))
        look_again(event.id)
    else:
        written = attempt(lambda: agents_desk().calendar.add(edit))
    if written is None:
        return
    for key in [key for key in st.session_state if str(key).startswith("event-new-")]:
        del st.session_state[key]
    st.session_state["event"] = ""
    _go(written.starts_at.astimezone(read_zone()).date())
    say("done", f"In the calendar: {written.title}.")


def _remove(event: CalendarEvent, stood: datetime) -> None:
    def remove() -> CalendarEvent:
        agents_desk().calendar.remove(event.id, stood)
        return event

    removed = attempt(remove)
    look_again(event.id)
    if removed is None:
        return
    st.session_state["event"] = ""
    whole = _series(event)
    edit_event = EditEvent(for_everybody=not event.owner, **whole.model_dump(include=_KEPT))
    offer(EventUndo(event=edit_event, subject=event.title, until=usual_end()))


_KEPT = {"title", "place", "starts_at", "ends_at", "whole_day", "repeats"}


def _series(event: CalendarEvent) -> CalendarEvent:
    """Return an event that repeats as it takes place for the first time."""
    if event.first_at is None:
        return event
    ends = event.first_at + (event.ends_at - event.starts_at)
    return event.model_copy(update={"starts_at": event.first_at, "ends_at": ends})


def _files() -> None:
    """Draw what gives the calendar out as a file, and what takes one over."""
    st.download_button(
        "Save mine and the organization's",
        data=lambda: agents_desk().calendar.file(),
        file_name="calendar.ics",
        mime="text/calendar",
        icon=":material/download:",
        key="calendar-out",
        on_click="ignore",
    )
    file_given = st.file_uploader("Take a file over", type=["ics"], key="calendar-in")
    everybody = st.toggle("For everybody here", key="calendar-in-everybody")
    st.button(
        "Take it over",
        key="calendar-take",
        disabled=file_given is None,
        on_click=_take_over,
        args=(file_given.getvalue() if file_given is not None else b"", everybody),
    )
    st.caption("Events that are there already become as the file has them.")


def _take_over(content: bytes, everybody: bool) -> None:
    file = CalendarFile(ics=content.decode("utf-8", errors="replace"), for_everybody=everybody)
    imported = attempt(lambda: agents_desk().calendar.take_over(file))
    if imported is None:
        return
    say(
        "done",
        f"{plural(imported.added, 'event')} put in, {plural(imported.changed, 'event')} changed.",
    )
    if imported.left_out:
        left_out_titles = "; ".join(
            one_line(title_left_out, 120) for title_left_out in imported.left_out[:MOST_LEFT_OUT]
        )
        rest = len(imported.left_out) - MOST_LEFT_OUT
        say(
            "warning", f"Left out: {left_out_titles}" + (f"; and {rest} more." if rest > 0 else ".")
        )
