"""Tickets: what somebody has to carry out, and what was said about it."""

from functools import partial
from typing import Literal

import streamlit as st

from data.counting import plural
from data.records.core.understanding import Category
from data.records.mail.tickets import TicketState, TicketView
from ui.core import address
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.pages import switch_to
from ui.core.pane import Pane
from ui.core.session import attempt, guard_refusals, say
from ui.core.text.clock import now
from ui.core.text.text_runs import line, run
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar, moves
from ui.core.widgets.pager import SIZE, pager, read_page, remember_page
from ui.core.widgets.plain_text import letter, words
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press
from ui.mail.deciding.undoing import select
from ui.mail.widgets.queue.filters import choose_state

TicketActName = Literal["close", "reopen", "comment"]
"""What a person does with a ticket."""
DONE: dict[TicketActName, str] = {
    "close": "Closed.",
    "reopen": "Open again.",
    "comment": "Noted.",
}
"""What is said once it is done."""
SORTS = frozenset({"Request", "Suggestion"})
"""How titles of tickets begin that Postern has made."""
STATES = {"open": "Open", "closed": "Closed", "all": "All"}
"""The states that the list is narrowed to, and what they are called."""

ADDRESS = {"ticket": "ticket"}
"""What the page's address names, and the session's key of it."""


def show() -> None:
    """Draw the page."""
    address.take("tickets", ADDRESS)
    heading("Tickets", "What mail asks for and somebody has to carry out.")
    side, right = lists.draw_halves("tickets")
    with side:
        state = choose_state("ticket-state", STATES, "tickets")
        with guard_refusals():
            _draw_list(state)
        st.download_button(
            "All tickets (Parquet)",
            data=mail_desk().tickets.export,
            file_name="tickets.parquet",
            mime="application/vnd.apache.parquet",
            key="tickets-export",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )
    with right, guard_refusals():
        _draw_half()


def _draw_list(state: str) -> None:
    """Draw the open page of the tickets of a state."""
    tickets_page = read_page(
        "tickets", lambda skipped: mail_desk().tickets.find(state, limit=SIZE, offset=skipped)
    )
    remember_page("tickets", [entry.id for entry in tickets_page.items], tickets_page.total)
    if not tickets_page.items:
        empty("No tickets here.", "A request or a suggestion in a mail makes one.")
        return
    chips(make_muted(plural(tickets_page.total, "ticket")))
    at = now()
    with lists.listing("tickets"):
        for entry in tickets_page.items:
            sort, title = split_title(entry.title)
            lists.row(
                entry.id,
                f"{entry.number} · {entry.contact_email}",
                title,
                entry.text,
                (
                    chip(entry.state, "quiet" if entry.state is TicketState.CLOSED else "accent"),
                    chip(sort, "info") if sort else "",
                    chip(entry.category),
                    chip("perhaps a duplicate", "warn") if entry.duplicate_of else "",
                ),
                moment(entry.changed_at, at),
                opened=entry.id == st.session_state.get("ticket"),
                on_open=open_ticket,
            )
    pager("tickets", tickets_page.total)


def open_ticket(id: str) -> None:
    """Open a ticket in the right half."""
    st.session_state["ticket"] = id


def _draw_half() -> None:
    """Draw the right half: the ticket that is open, or that none is."""
    address.tell(ADDRESS)
    id, pane = st.session_state.get("ticket"), Pane("ticket")
    if not id:
        with pane.of(None):
            lists.nothing_open("tickets", "a ticket")
            bar("tickets")
        return
    ticket = pane.read(partial(mail_desk().tickets.read, str(id)))
    with pane.of(ticket.id, ticket.state, len(ticket.notes)):
        _draw_ticket(ticket)


def _draw_ticket(ticket: TicketView) -> None:
    """Draw one ticket: what is wanted, what happened, and what can be done."""
    sort, title = split_title(ticket.title)
    words(lists.subject_line(title), "subject", "ticket")
    chips(
        make_muted(f"Ticket {ticket.number}"),
        chip(ticket.state, "quiet" if ticket.state is TicketState.CLOSED else "accent"),
        chip(sort, "info") if sort else "",
        chip(ticket.category),
        moment(ticket.created_at, now()),
    )
    with st.container(key="card-ticket"):
        words(ticket.contact_email, "who", "ticket")
        _draw_wish(ticket)
    if ticket.duplicate_of:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            chips(make_muted("Perhaps about the same as an earlier ticket."))
            st.button(
                "Open that one",
                key="ticket-same",
                on_click=open_ticket,
                args=(ticket.duplicate_of,),
            )
    _tell_untold(ticket)
    _draw_notes(ticket)
    _draw_actions(ticket)


def split_title(title: str) -> tuple[str, str]:
    """Return the sort that a ticket's title begins with, in lower case, and its rest.

    The category behind the sort is left out; a title that a person wrote has no sort.
    """
    sort, colon, rest = title.partition(": ")
    if not colon or sort not in SORTS:
        return "", title
    category, colon, subject = rest.partition(": ")
    if colon and category in set(Category):
        rest = subject
    return sort.lower(), rest


def _draw_wish(ticket: TicketView) -> None:
    """Draw what the sender wants as it was written, and which part of it the ticket is about."""
    flat = [" ".join(letter_words.split()) for letter_words in ticket.letters]
    part = " ".join(ticket.text.split())
    if not any(part in flat_letter for flat_letter in flat):
        letter(ticket.text, "ticket")
        return
    for number, letter_text in enumerate(ticket.letters):
        letter(letter_text, f"ticket-{number}")
    if part not in flat:
        section("This ticket is about")
        words(part, "small", "ticket-part")


def _tell_untold(ticket: TicketView) -> None:
    """Say what the outside tracker has not heard; nothing when it has heard all."""
    if not (ticket.untold or ticket.unheard):
        return
    left = plural(ticket.untold + ticket.unheard, "thing")
    sentence = f"The outside tracker has not heard {left} of this ticket"
    ending = ", and is not asked any more." if ticket.unheard else "; it is told again by itself."
    answer = f"\n{ticket.tracker_answer}" if ticket.tracker_answer else ""
    draw_marked(
        [
            line(
                run(sentence + ending),
                run(answer, "quiet"),
                icon="warn" if ticket.unheard else "dot",
            )
        ],
        "list",
        key="ticket-untold",
    )
    st.button("Tell it now", key="ticket-tell", on_click=_tell_tracker, args=(ticket.id,))


def _tell_tracker(id: str) -> None:
    """Have the outside tracker told again of a ticket."""
    if attempt(lambda: mail_desk().tickets.tell_tracker(id)):
        say("done", "The tracker is told again.")


def _draw_notes(ticket: TicketView) -> None:
    """Draw what happened to a ticket, and by whom."""
    section("What happened")
    at = now()
    for number, note in enumerate(ticket.notes):
        by = "by Postern" if note.author in ("plan", "local") else f"by {note.author}"
        chips(chip(note.kind, "quiet"), make_muted(by), moment(note.noted_at, at))
        if note.text:
            draw_marked([line(run(note.text))], "list", key=f"note-{number}")


def _draw_actions(ticket: TicketView) -> None:
    """Draw the field for a comment or reason, and the buttons."""
    with st.container(key="actions"):
        st.text_input(
            "Comment or reason",
            key=f"ticket-text-{ticket.id}",
            placeholder="A comment, or the reason",
            label_visibility="collapsed",
            max_chars=2000,
        )
        with st.container(horizontal=True, gap="small"):
            if ticket.state is TicketState.OPEN:
                _draw_button("Close", "close", ":material/check:", ticket.id, primary=True)
            else:
                _draw_button("Open again", "reopen", ":material/undo:", ticket.id, primary=True)
            _draw_button("Comment", "comment", ":material/comment:", ticket.id)
            if st.button("Case", key="to-case", icon=":material/rate_review:", type="tertiary"):
                select(ticket.case_id)
                switch_to("review")
            st.space("stretch")
            moves("tickets")


def _draw_button(
    label: str, what: TicketActName, icon: str, id: str, *, primary: bool = False
) -> None:
    """Draw a button that does something with the ticket that was shown, and with no other."""
    st.button(
        label,
        key=double_press.key_of(f"ticket-{what}", id),
        icon=icon,
        type="primary" if primary else "secondary",
        on_click=_act,
        args=(what, id),
    )


def _act(what: TicketActName, id: str) -> None:
    """Do what was pressed, with the words as they stand in the field now."""
    text = str(st.session_state.get(f"ticket-text-{id}") or "").strip()
    if not text:
        say("warning", "Write a comment, or the reason, first.")
        return
    tickets = mail_desk().tickets
    acts = {
        "close": tickets.close,
        "reopen": tickets.reopen,
        "comment": tickets.comment,
    }
    if attempt(lambda: acts[what](id, text)):
        say("done", DONE[what])
        st.session_state[f"ticket-text-{id}"] = ""


if __name__ == "__main__":
    show()
