"""The bell at the top of every page: what happened that somebody should look at."""

import streamlit as st

from data.errors import PosternError
from data.records.mail.senders import NotificationView
from ui.core import people
from ui.core.api.notifications import Notifications
from ui.core.chips import chip, chips, make_muted, moment
from ui.core.pages import switch_to
from ui.core.session import attempt, core_desk, read_lately
from ui.core.sources import open_thread
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.text.screen_words import kind
from ui.core.text.text_runs import TextLine, line, run
from ui.core.text.words import technique
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import write_full

SHOWN = 10
"""Notifications in the bell; the number beside it counts all that nobody has read."""
_RENEWED = 10.0
"""Seconds after which it is asked for anew, whatever is drawn meanwhile."""
TIMES_FOLLOWED = "bell-followed"
"""How often one was opened from here; a popover of another key closes over what it led to."""
NOTIFICATIONS: dict[str, str] = {
    "quarantined": "stopped by the screen",
    "screen_failed": "could not be screened",
    "message_failed": "message failed",
    "case_failed": "case failed",
    "audit_broken": "audit log changed",
    "delivery_unknown": "delivery unclear",
    "delivery_failed": "delivery refused",
    "forward_failed": "not forwarded",
    "urgent": "urgent",
    "question": "a question to an owner",
    "question_expired": "nobody answered",
    "ticket_failed": "tracker not told",
    "back": "put off, and back",
    "follow_up": "no answer came",
    "mention": "you are mentioned",
    "given": "given to you",
    "not_left": "reply not sent",
    "service_near": "soon due",
    "service_late": "late",
    "promise_due": "promised, and due",
    "parted": "a part waits for you",
    "call": "an agent asks you",
    "reminder": "reminder",
}
"""What each kind of notification is called."""
DESTINATIONS = {
    "message": ("inbox", "message"),
    "case": ("review", "case"),
    "delivery": ("outbox", "delivery"),
    "thread": ("inbox", "thread"),
    "chat": ("chats", "chat"),
    "task": ("agenda", "task"),
}


@st.fragment(run_every=_RENEWED)
def bell() -> None:
    """Draw the bell; while the engine is away there is none."""
    try:
        bell_page = read_lately(
            "bell", lambda: core_desk().notifications.newest(limit=SHOWN), _RENEWED - 1
        )
    except PosternError:
        return
    label = f"{bell_page.unseen} new" if bell_page.unseen else "Notifications"
    icon = ":material/notifications_active:" if bell_page.unseen else ":material/notifications:"
    place = "bell-place" if bell_page.unseen else "bell-at-rest"
    key = f"bell-{st.session_state.get(TIMES_FOLLOWED, 0)}"
    with (
        st.container(key=place, width="content"),
        st.container(key="bell", width="content"),
        st.popover(label, icon=icon, type="tertiary", key=key, help="Notifications"),
    ):
        _list(bell_page)


def _list(notifications: Notifications) -> None:
    if not notifications.items:
        chips(make_muted("Nothing has happened that you need to know."))
        return
    at = now()
    if notifications.unseen:
        st.button(
            "Mark all as read", key="told-all", icon=":material/done_all:", on_click=_all_read
        )
    for entry in notifications.items:
        with st.container(key=f"notice-{entry.id}", gap=None):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                kind = NOTIFICATIONS.get(entry.kind, entry.kind)
                chips(
                    chip(kind, "warn" if entry.seen_at is None else "quiet"),
                    moment(entry.created_at, at),
                )
                if entry.subject_kind in DESTINATIONS and st.button(
                    "Open", key=f"told-open-{entry.id}", type="tertiary"
                ):
                    _open(entry)
            draw_marked(_lines_of_entry(entry), "list", key=f"told-words-{entry.id}")
    if notifications.total > len(notifications.items):
        chips(make_muted(f"The newest {len(notifications.items)} of {notifications.total:,}."))


def _lines_of_entry(entry: NotificationView) -> list[TextLine]:
    """Return who wrote what, where it is about a message, and what happened."""
    happened = line(run(_sentence(entry)))
    if entry.subject_kind != "message":
        return [happened]
    about = one_line(entry.subject, 90) or "(no subject)"
    return [line(run(f"{write_full(entry.sender)}  ", "strong"), run(about)), happened]


def _sentence(entry: NotificationView) -> str:
    """Return what happened on one line, with the names of techniques as words."""
    name, colon, rest = entry.sentence.partition(": ")
    if colon and name == NOTIFICATIONS.get(entry.kind):
        name, colon = "", ""  # the chip says it
    name_shown = kind(name).capitalize() if colon and technique(name) else name
    return one_line(people.with_names(f"{name_shown}{colon}{rest}"), 200)


def _open(entry: NotificationView) -> None:
    attempt(lambda: core_desk().notifications.mark_seen((entry.id,)))
    if entry.subject_kind == "thread":
        open_thread(entry.subject_id)
    page, name = DESTINATIONS[entry.subject_kind]
    if entry.kind == "quarantined":
        page, name = "quarantine", "held"
    st.session_state[name] = entry.subject_id
    st.session_state[TIMES_FOLLOWED] = st.session_state.get(TIMES_FOLLOWED, 0) + 1
    switch_to(page)


def _all_read() -> None:
    attempt(lambda: core_desk().notifications.mark_seen())
