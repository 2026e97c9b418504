"""The outbox: what is about to leave, what has left, and what nobody knows about."""

from datetime import datetime
from functools import partial
from typing import Literal

import streamlit as st

from data.counting import plural
from data.errors import NotFoundError
from data.records.mail.outgoing_views import DeliveryView
from data.records.mail.passing_on import Purpose
from data.states import DeliveryState
from ui.core import address
from ui.core.api.listing import Listing
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.pages import switch_to
from ui.core.pane import Pane
from ui.core.session import attempt, guard_refusals, say, zone
from ui.core.text.clock import minute, now, span
from ui.core.text.inert import show_controls
from ui.core.text.text_runs import line, run
from ui.core.text.words import DELIVERY_STATES, UNCLEAR, UNDECIDED, word
from ui.core.undoing import withdraw
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.kill_switch import stop_button
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar, moves
from ui.core.widgets.pager import SIZE, first_page, pager, read_page, remember_page
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press
from ui.mail.deciding.undoing import select
from ui.mail.widgets import forwarded
from ui.mail.widgets.message.attached import draw_enclosed

LATER = "leaves_later"
WAITING = frozenset({DeliveryState.QUEUED, DeliveryState.DEFERRED})
WHAT = {"replies": "Replies", "passed_on": "Passed on", "programs": "To programs"}
"""What the page shows: replies, what people passed on to colleagues, what goes to endpoints."""
PURPOSES = {"replies": Purpose.REPLY, "passed_on": Purpose.FORWARD}
NONE = {
    Purpose.REPLY: ("The outbox is empty.", "Approved replies wait here before they leave."),
    Purpose.FORWARD: (
        "Nothing was passed on.",
        "What you forward to a colleague from a case stands here.",
    ),
}
TAKEN_BACK: dict[Purpose, str] = {
    Purpose.REPLY: "The case is in review again.",
    Purpose.FORWARD: "The case stays where it is.",
}
"""What becomes of the case of something that is taken back."""


ADDRESS = {"delivery": "delivery"}
"""What the page's address names, and the session's key of it."""


def show() -> None:
    """Draw the page."""
    address.take("outbox", ADDRESS)
    heading("Outbox", "Exactly what was approved, on its way.")
    st.session_state["whole_page"] = True
    side, right = lists.draw_halves("outbox")
    with side:
        what = _shown()
        forwards = what == "programs"
        with st.container(horizontal=True, gap="small"):
            (forwarded.choose_state if forwards else _filter)()
            stop_button()
        if forwards:
            _forwards()
        else:
            _list(PURPOSES[what])
    with right, guard_refusals():
        (forwarded.draw_open if forwards else _open)()


def _shown() -> str:
    """Draw the switch between replies, what people passed on, and what goes to programs."""
    return str(
        st.segmented_control(
            "What",
            list(WHAT),
            key="outbox-what",
            default="replies",
            required=True,
            width="stretch",
            format_func=lambda name: WHAT[name],
            label_visibility="collapsed",
            persist_state="session",
            on_change=_turned,
        )
    )


def _turned() -> None:
    """Put away what was open of the other list."""
    first_page("outbox")
    for name in ("delivery", "forward"):
        st.session_state[name] = None


@st.fragment(run_every="5s")
def _forwards() -> None:
    _other_half("forward")
    forwarded.draw_list()


def _other_half(name: str) -> None:
    """Draw the whole page when another one was opened than the other half shows."""
    whole_page = st.session_state.pop("whole_page", False)
    if not whole_page and st.session_state.get(name) != st.session_state.get(f"drawn_{name}"):
        st.rerun()


def _filter() -> None:
    st.selectbox(
        "State",
        ["", UNCLEAR, LATER, *(str(state) for state in DeliveryState)],
        key="outbox-state",
        format_func=lambda state: word(state) if state else "any state",
        label_visibility="collapsed",
        persist_state="session",
        on_change=first_page,
        args=("outbox",),
    )


@st.fragment(run_every="5s")
def _list(purpose: Purpose) -> None:
    _other_half("delivery")
    with guard_refusals():
        state = str(st.session_state.get("outbox-state") or "")
        deliveries_page = read_page(
            "outbox", lambda skipped: _list_deliveries(state, purpose, skipped)
        )
        remember_page(
            "outbox", [entry.id for entry in deliveries_page.items], deliveries_page.total
        )
        if not deliveries_page.items:
            if state:
                empty("Nothing here.")
            else:
                empty(*NONE[purpose])
            return
        chips(make_muted(plural(deliveries_page.total, "delivery", "deliveries")))
        at = now()
        with lists.listing("outbox"):
            for entry in deliveries_page.items:
                _line(entry, at)
        pager("outbox", deliveries_page.total)


def _list_deliveries(state: str, purpose: Purpose, skipped: int) -> Listing[DeliveryView]:
    if state == LATER:
        return mail_desk().outbox.find(
            "", limit=SIZE, offset=skipped, purpose=purpose, scheduled=True
        )
    if state != UNCLEAR:
        return mail_desk().outbox.find(state, limit=SIZE, offset=skipped, purpose=purpose)
    items: list[DeliveryView] = []
    total = 0
    for undecided in sorted(UNDECIDED):  # one state after the other, as one list
        listing = mail_desk().outbox.find(
            str(undecided), limit=SIZE, offset=max(skipped - total, 0), purpose=purpose
        )
        items += listing.items[: SIZE - len(items)]
        total += listing.total
    return Listing[DeliveryView](items=tuple(items), total=total)


def _line(entry: DeliveryView, at: datetime) -> None:
    lists.row(
        entry.id,
        ", ".join(entry.rcpt_to),
        entry.subject,
        "" if entry.state is DeliveryState.SENT else entry.response,
        (
            chip(entry.state),
            make_muted(_due(entry, at)),
            make_muted(plural(len(entry.attachments), "file")) if entry.attachments else "",
        ),
        moment(entry.sent_at or entry.created_at, at),
        opened=entry.id == st.session_state.get("delivery"),
        on_open=open_delivery,
    )


def _due(entry: DeliveryView, at: datetime) -> str:
    if entry.state not in WAITING:
        return ""
    if st.session_state.get("stopped"):
        return "held: sending is stopped"
    if entry.leaves_at and entry.leaves_at > at:
        return f"leaves {minute(entry.leaves_at, zone())}"
    left = (entry.due_at - at).total_seconds()
    return f"leaves in {span(left)}" if left > 0 else "leaves now"


def open_delivery(id: str) -> None:
    """Open a delivery in the right half."""
    st.session_state["delivery"] = id


def _open() -> None:
    address.tell(ADDRESS)
    id = st.session_state["drawn_delivery"] = st.session_state.get("delivery")
    pane = Pane("delivery")
    if id:
        try:
            entry = pane.read(partial(mail_desk().outbox.read, str(id)))
        except NotFoundError:  # it was chosen in another organization, or is long gone
            st.session_state["delivery"] = None
        else:
            with pane.of(entry.id, entry.state):
                _delivery(entry)
            return
    with pane.of(None):
        lists.nothing_open("outbox", "a delivery")
        bar("outbox")


def _delivery(entry: DeliveryView) -> None:
    words(lists.subject_line(entry.subject), "subject", "delivery")
    passed_on = chip("passed on", "info") if entry.purpose is Purpose.FORWARD else ""
    chips(chip(entry.state), passed_on, make_muted(DELIVERY_STATES[entry.state]))
    to, *copies = [address for address in entry.rcpt_to if address not in entry.bcc] or [""]
    with st.container(key="card-delivery"):
        pairs = (
            ("From", entry.mail_from),
            ("To", to),
            *((("Copy", ", ".join(copies)),) if copies else ()),
            *((("Blind copy", ", ".join(entry.bcc)),) if entry.bcc else ()),
            ("Approved by", entry.approved_by),
            *_when(entry),
            ("Attempts", str(entry.attempts)),
            ("Last answer", entry.response or "none yet"),
            ("Message-ID", entry.message_id),
            ("SHA-256", entry.sha256),
        )
        draw_marked([line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs], "list")
        if entry.attachments:
            section("Files")
            draw_enclosed(entry.id, entry.attachments, entry.id)
        section("Text")
        st.code(show_controls(entry.body), language=None, wrap_lines=True)
    _actions(entry)


def _when(entry: DeliveryView) -> tuple[tuple[str, str], ...]:
    return (("Leaves", minute(entry.leaves_at, zone())),) if entry.leaves_at else ()


def _actions(entry: DeliveryView) -> None:
    with (
        st.container(key="actions"),
        st.container(horizontal=True, gap="small", vertical_alignment="center"),
    ):
        if entry.state in WAITING:
            st.button(
                "Take back",
                key=double_press.key_of("cancel", entry.id),
                type="primary",
                shortcut="W",
                icon=":material/undo:",
                on_click=_cancel,
                args=(entry.id,),
            )
            chips(make_muted(TAKEN_BACK[entry.purpose]))
        elif entry.state in UNDECIDED:
            _resolutions(entry)
        if st.button("Case", key="to-case", icon=":material/rate_review:", type="tertiary"):
            select(entry.case_id)
            switch_to("review")
        st.space("stretch")
        moves("outbox")


def _resolutions(entry: DeliveryView) -> None:
    offered: list[tuple[str, Literal["sent", "retry", "cancel"], str]] = [
        ("Send it again", "retry", ":material/redo:"),
        ("Give it up", "cancel", ":material/close:"),
    ]
    if entry.state is DeliveryState.UNKNOWN:
        offered.insert(0, ("It has arrived", "sent", ":material/check:"))
    for label, outcome, icon in offered:
        st.button(
            label,
            key=double_press.key_of(f"resolve-{outcome}", entry.id),
            icon=icon,
            on_click=_resolve,
            args=(entry.id, outcome),
        )


def _cancel(id: str) -> None:
    answer = attempt(lambda: mail_desk().outbox.cancel(id))
    if answer is not None:
        say("done", f"Taken back. {TAKEN_BACK[answer.purpose]}")
        withdraw()


def _resolve(id: str, outcome: Literal["sent", "retry", "cancel"]) -> None:
    if attempt(lambda: mail_desk().outbox.resolve(id, outcome)):
        sentences = {
            "sent": "Noted as arrived.",
            "retry": "It will be sent again.",
            "cancel": "Given up; nothing will be sent.",
        }
        say("done", sentences[outcome])


if __name__ == "__main__":
    show()
