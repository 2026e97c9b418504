"""The quarantine: what the screen has stopped, why, and what a person makes of it."""

from datetime import datetime
from functools import partial

import streamlit as st

from data.counting import plural
from data.records.mail.views import MessageView, QuarantineItem
from data.states import MessageStatus
from ui.core import address
from ui.core.chips import chip, chips, empty, make_muted, moment
from ui.core.pane import Pane, hold_alone
from ui.core.parts_of_page import note_fragments, redraw
from ui.core.session import guard_refusals, notices
from ui.core.text.clock import now
from ui.core.text.inert import label_words, one_line
from ui.core.text.screen_words import excerpt, kind, rule
from ui.core.text.text_runs import TextLine, line, run
from ui.core.text.words import percent, technique, word
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar, moves
from ui.core.widgets.pager import SIZE, first_page, pager, read_page, remember_page
from ui.core.widgets.plain_text import display_name, words, write_full
from ui.core.widgets.scroll import draw_chosen, start_at_top
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press
from ui.mail.deciding.quarantine import Done, decide, decide_all, dismiss, undo
from ui.mail.deciding.screen_decisions import decision_chip
from ui.mail.widgets.message.conversation import draw_arrived
from ui.mail.widgets.quarantine.allowing import release_and_allow
from ui.mail.widgets.quarantine.contact_data import draw_contact_data
from ui.mail.widgets.quarantine.screened import draw_screening, draw_security_record, draw_sender
from ui.mail.widgets.quarantine.senders import senders
from ui.mail.widgets.quarantine.taking_back import take_back

LISTS = ("Waiting", "Decided")
MOST_AT_ONCE = 50  # messages of one bulk decision


ADDRESS = {"message": "held"}
"""Names in the query of the page's address, and the keys of the session that they stand for."""


def show() -> None:
    """Draw the page."""
    address.take("quarantine", ADDRESS)
    heading(
        "Quarantine", "Stopped before it reached anything that reads. You decide.", is_told=False
    )
    note_fragments("held", "item", "senders", "contact", "undo")
    st.session_state["whole_page"] = True
    side, right = lists.draw_halves("quarantine")
    with side:
        senders()
        draw_contact_data()
        _draw_list()
    with right:
        _draw_right()


@st.fragment(key="item")
def _draw_right() -> None:
    """Draw what is open, and how the last decisions ended."""
    notices()
    with guard_refusals():
        outcomes: tuple[Done, ...] = st.session_state.get("outcomes", ())
        with hold_alone("outcomes", *outcomes):
            _draw_outcomes(outcomes)
        _draw_chosen()


@st.fragment(run_every="10s", key="held")
def _draw_list() -> None:
    with guard_refusals(leaving=st.session_state.pop("whole_page", False)):
        decided = _choose_list()
        page = read_page(
            "quarantine",
            lambda skipped: mail_desk().quarantine.find(
                limit=SIZE, offset=skipped, decided=decided
            ),
        )
        remember_page("quarantine", [entry.message.id for entry in page.items], page.total)
        if not page.items:
            _draw_empty(decided)
            return
        if decided:
            chips(make_muted(plural(page.total, "decided message")))
        else:
            _draw_bulk(page.items, page.total)
        at = now()
        with st.container(key="list-quarantine", gap=None):
            for entry in page.items:
                (_row if decided else _pickable_row)(entry, at)
        pager("quarantine", page.total)


def _choose_list() -> bool:
    """Ask which are listed; return whether it is those that somebody has decided on."""
    st.session_state.setdefault("quarantine-kind", LISTS[0])
    shown = st.segmented_control(
        "Show",
        LISTS,
        required=True,
        key="quarantine-kind",
        width="stretch",
        label_visibility="collapsed",
        persist_state="session",
        on_change=_reset_page,
    )
    return shown == LISTS[1]


def _reset_page() -> None:
    """Put away what was open of the other list."""
    first_page("quarantine")
    st.session_state["held"] = None
    redraw("held", "item")


def _draw_empty(decided: bool) -> None:
    if decided:
        empty("Nothing is decided yet.", "What you decide stands here, and can be taken back.")
    else:
        empty("The quarantine is empty.", "What the screen stops will wait here for you.")


def _pickable_row(entry: QuarantineItem, at: datetime) -> None:
    id = entry.message.id
    with st.container(horizontal=True, gap=None, key=f"pickable-{id}", wrap=False):
        with st.container(key=f"pick-box-{id}", width=34):
            st.checkbox(
                f"Pick {label_words(entry.message.subject) or 'this message'}",
                key=f"pick-{id}",
                label_visibility="collapsed",
            )
        with st.container():
            _row(entry, at)


def _row(entry: QuarantineItem, at: datetime) -> None:
    id = entry.message.id
    lists.row(
        id,
        display_name(entry.message.sender),
        entry.message.subject,
        excerpt(entry.excerpt),
        _labels(entry),
        moment(entry.message.received_at, at),
        opened=id == st.session_state.get("held"),
        on_open=choose_message,
    )


def _labels(entry: QuarantineItem) -> tuple[str, ...]:
    if entry.decision:
        return (decision_chip(entry.decision),)
    return (
        chip(kind(entry.technique), "bad", technique(entry.technique)),
        chip(f"{percent(entry.score)} sure", "quiet", ", ".join(map(rule, entry.rules))),
    )


def choose_message(id: str) -> None:
    """Open a quarantined message in the right half."""
    st.session_state["held"] = id
    draw_chosen()


def _draw_bulk(items: tuple[QuarantineItem, ...], total: int) -> None:
    picked = [entry for entry in items if st.session_state.get(f"pick-{entry.message.id}")][
        :MOST_AT_ONCE
    ]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        chips(make_muted(_count_picked(len(picked), total)))
        st.button(
            "Pick none" if picked else "Pick all on this page" if total > SIZE else "Pick all",
            key="pick-page",
            type="tertiary",
            on_click=_pick,
            args=([entry.message.id for entry in items], not picked),
        )
    with st.container(horizontal=True, gap="small", key="bulk"):
        for label, verb in (
            ("Release", "release"),
            ("Confirm", "confirm"),
            ("Block senders", "sender"),
        ):
            st.button(
                label,
                key=f"bulk-{verb}",
                disabled=not picked,
                on_click=decide_all,
                args=([(entry.message.id, entry.message.subject) for entry in picked], verb),
            )


def _count_picked(picked: int, total: int) -> str:
    """Return how many are picked of all that wait, on every page."""
    return f"{picked} of {total:,} picked" if picked else plural(total, "message")


def _pick(ids: list[str], picked: bool) -> None:
    """Tick or untick the lines of the page, at most as many as one decision takes."""
    for id in ids[:MOST_AT_ONCE]:
        st.session_state[f"pick-{id}"] = picked
    redraw("held")


def _draw_outcomes(outcomes: tuple[Done, ...]) -> None:
    if not outcomes:
        return
    with st.container(key="card-outcomes"):
        draw_marked([_outcome(entry) for entry in outcomes], "list")
        with st.container(horizontal=True, gap="small"):
            undoable = [entry for entry in outcomes if entry.worked]
            st.button(
                "Undo",
                key="undo-held",
                shortcut=None if st.session_state.get("undo") else "U",  # the bar below has it
                icon=":material/undo:",
                disabled=not undoable,
                on_click=undo,
                args=(undoable,),
            )
            st.button("Dismiss", key="outcomes-away", type="tertiary", on_click=dismiss)


def _outcome(entry: Done) -> TextLine:
    return line(
        run(one_line(entry.subject, 90) or "(no subject)", "strong"),
        run(f"  {entry.sentence}", "quiet"),
        icon="yes" if entry.worked else "no",
    )


def _draw_chosen() -> None:
    address.tell(ADDRESS)
    id = st.session_state.get("held")
    marks, pane = st.container(key="marks"), Pane("held")
    if not id:
        with pane.of(None):
            lists.nothing_open("quarantine", "a message")
            bar("quarantine")
        return
    message = pane.read(partial(mail_desk().messages.read, str(id)))
    with marks:
        start_at_top(message.id)
    with pane.of(message.id, message.status):
        _draw_message(message)


def _draw_message(message: MessageView) -> None:
    words(lists.subject_line(message.subject), "subject", "held")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words(write_full(message.sender), "who", "held")
        chips(chip(message.status), moment(message.received_at, now()))
    left, right = st.columns([62, 38], gap="medium")
    with left:
        draw_arrived(message, now(), with_subject=False)
    with right, st.container(key="card-screen"):
        draw_screening(message)
        draw_security_record(message.security_flags)
        draw_sender(message)
    _draw_actions(message)


def _draw_actions(message: MessageView) -> None:
    with (
        st.container(key="actions"),
        st.container(horizontal=True, gap="small", vertical_alignment="center", key="held-actions"),
    ):
        if message.status is not MessageStatus.QUARANTINED:
            chips(make_muted(f"Decided: this message is {word(message.status)}."))
            take_back(message)
            st.space("stretch")
            moves("quarantine")
            return
        for label, verb, shortcut, look, icon in (
            ("Release", "release", "I", "secondary", ":material/lock_open:"),
            ("Confirm threat", "confirm", "X", "primary", ":material/gpp_bad:"),
            ("Block sender", "sender", "B", "secondary", ":material/person_off:"),
            ("Block domain", "domain", "M", "secondary", ":material/domain_disabled:"),
        ):
            st.button(
                label,
                key=double_press.key_of(f"held-{verb}", message.id),
                type="primary" if look == "primary" else "secondary",
                shortcut=shortcut,
                icon=icon,
                on_click=decide,
                args=(message.id, message.subject, verb),
            )
        release_and_allow(message, decide)
        st.space("stretch")
        moves("quarantine")


if __name__ == "__main__":
    show()
