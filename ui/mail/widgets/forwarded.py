"""Forwards to endpoints: their list, one entry, and what a person may decide."""

from datetime import datetime
from functools import partial

import streamlit as st

from data.counting import plural
from data.errors import NotFoundError
from data.records.mail.outgoing_views import ForwardView
from data.states import ForwardState
from ui.core.chips import chip, chips, empty, make_muted, moment
from ui.core.pane import Pane
from ui.core.session import attempt, guard_refusals, say
from ui.core.text.clock import now, span
from ui.core.text.text_runs import line, run
from ui.core.text.words import FORWARD_STATES, word
from ui.core.widgets import lists
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar, moves
from ui.core.widgets.pager import SIZE, first_page, pager, read_page, remember_page
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.double_press import key_of
from ui.mail.deciding.undoing import forward_after_all, give_up

OPEN = frozenset({ForwardState.FAILED, ForwardState.DEFERRED})
WAITING = frozenset({ForwardState.QUEUED, ForwardState.DEFERRED})


def choose_state() -> None:
    """Draw the filter."""
    st.selectbox(
        "State",
        ["", *(str(state) for state in ForwardState)],
        key="forward-state",
        format_func=lambda state: word(state) if state else "any state",
        label_visibility="collapsed",
        persist_state="session",
        on_change=first_page,
        args=("forwards",),
    )


def draw_list() -> None:
    """Draw one page of what is forwarded, newest first."""
    with guard_refusals():
        state = str(st.session_state.get("forward-state") or "")
        forwards_page = read_page(
            "forwards", lambda skipped: mail_desk().forwards.find(state, limit=SIZE, offset=skipped)
        )
        remember_page("forwards", [entry.id for entry in forwards_page.items], forwards_page.total)
        if not forwards_page.items:
            if state:
                empty("Nothing matches.", "Choose another state to see more.")
            else:
                empty(
                    "Nothing is forwarded.",
                    "Mail to an address that an administrator has tied to a program "
                    "goes there, and shows here.",
                )
            return
        chips(make_muted(plural(forwards_page.total, "forward")))
        at = now()
        with lists.listing("forwards"):
            for entry in forwards_page.items:
                lists.row(
                    entry.id,
                    entry.url,
                    entry.subject,
                    entry.response,
                    (chip(entry.state), make_muted(_due(entry, at))),
                    moment(entry.delivered_at or entry.created_at, at),
                    opened=entry.id == st.session_state.get("forward"),
                    on_open=open_forward,
                )
        pager("forwards", forwards_page.total)


def open_forward(id: str) -> None:
    """Open a forward in the right half."""
    st.session_state["forward"] = id


def draw_open() -> None:
    """Draw the entry that was opened."""
    id = st.session_state["drawn_forward"] = st.session_state.get("forward")
    pane = Pane("forward")
    try:
        entry = pane.read(partial(mail_desk().forwards.read, str(id))) if id else None
    except NotFoundError:  # it was erased
        entry = None
    if entry is None:
        with pane.of(None):
            lists.nothing_open("forwards", "what is forwarded")
            bar("forwards")
        return
    with pane.of(entry.id, entry.state):
        _forward(entry)


def _forward(entry: ForwardView) -> None:
    words(lists.subject_line(entry.subject), "subject", "forward")
    chips(chip(entry.state), make_muted("This message " + FORWARD_STATES[entry.state] + "."))
    with st.container(key="card-forward"):
        answer = entry.response or "none yet"
        pairs = (
            ("From", entry.mail_from),
            ("To", ", ".join(entry.rcpt_to)),
            ("Forwarded to", entry.url),
            ("Attempts", str(entry.attempts)),
            ("Last answer", answer),
            ("Message", entry.message_id),
        )
        draw_marked([line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs], "list")
    _actions(entry)


def _actions(entry: ForwardView) -> None:
    with st.container(key="actions"), st.container(horizontal=True, gap="small"):
        if entry.state in OPEN:
            st.button(
                "Try again now",
                key=key_of("forward-retry", entry.id),
                type="primary",
                icon=":material/redo:",
                on_click=_retry,
                args=(entry.id,),
            )
        if entry.state in OPEN | WAITING:
            st.button(
                "Give it up",
                key=key_of("forward-cancel", entry.id),
                icon=":material/close:",
                on_click=give_up,
                args=(entry.id, entry.subject),
            )
        if entry.state is ForwardState.CANCELLED:
            st.button(
                "Forward it after all",
                key=key_of("forward-undo", entry.id),
                icon=":material/undo:",
                on_click=forward_after_all,
                args=(entry.id,),
            )
        st.space("stretch")
        moves("forwards")


def _retry(id: str) -> None:
    if attempt(lambda: mail_desk().forwards.resolve(id, "retry")):
        say("done", "It will be forwarded again.")


def _due(entry: ForwardView, at: datetime) -> str:
    if entry.state not in WAITING:
        return ""
    left = (entry.due_at - at).total_seconds()
    return f"next try in {span(left)}" if left > 0 else "next try now"
