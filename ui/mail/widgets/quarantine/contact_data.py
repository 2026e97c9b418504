"""One contact's data: what is held, to hand out or to erase; for administrators."""

from collections import Counter
from datetime import datetime

import streamlit as st

from data.counting import plural
from data.records.mail.contacts import Holdings
from ui.core.chips import chips, make_muted
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, guard_refusals, me, organization, say, zone
from ui.core.text.clock import zone_of
from ui.core.text.inert import one_line
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk

ROW_NOUNS = {
    "actions": ("action of a case", "actions of cases"),
    "events": ("change of state", "changes of state"),
    "waits": ("time that a case waited until", "times that cases waited until"),
    "branches": ("part of a case", "parts of cases"),
    "owner_questions": ("question to an owner", "questions to owners"),
    "learned_entries": ("learned entry", "learned entries"),
    "threads": ("conversation", "conversations"),
    "shared_threads": ("conversation with others", "conversations with others"),
    "thread_tags": ("tag", "tags"),
    "thread_changes": ("merge or split", "merges and splits"),
    "thread_summaries": ("summary", "summaries"),
    "history": ("earlier message", "earlier messages"),
    "journal": ("step of the journal", "steps of the journal"),
    "letterheads": ("letterhead", "letterheads"),
    "named_ids": ("named Message-ID", "named Message-IDs"),
    "own_message_ids": ("Message-ID of ours", "Message-IDs of ours"),
    "guard_decisions": ("decision of the quarantine", "decisions of the quarantine"),
    "spam_lessons": ("lesson on spam", "lessons on spam"),
    "ticket_pushes": ("call of the outside tracker", "calls of the outside tracker"),
    "deliveries": ("delivery", "deliveries"),
    "caps": ("cap", "caps"),
    "model_messages": ("request to a model", "requests to models"),
    "model_calls": ("call of a model", "calls of models"),
    "mail_to_index": ("text that searches read", "texts that searches read"),
    "follow_ups": ("follow-up", "follow-ups"),
    "loaded": ("row loaded from files", "rows loaded from files"),
}
"""What rows of a table are called, one and several, where its name does not say it."""

LOADED_PREFIX = "sync"
"""What the names of tables begin with that the organization's files are loaded into."""


@st.fragment(key="contact")
def draw_contact_data() -> None:
    """Draw a field for an address, and what is held on it, folded away."""
    if not me().administers or organization() is None:
        return
    with guard_refusals(), st.expander("One contact's data"):
        typed = st.text_input(
            "Their address", key="contact-address", placeholder="name@domain"
        ).strip()
        if not typed:
            chips(make_muted("Shows what is held on a contact, to hand out or to erase for good."))
            return
        held_data = mail_desk().contacts.read_holdings(typed)
        if held_data.nothing:
            before = held_data.erased_before
            erased = f" It was erased on {_day(before[-1])}." if before else ""
            words(f"Nothing is held on this address.{erased}", "small", "contact-nothing")
            if before:
                _tell_stays(held_data)
        else:
            _tell_holdings(held_data)
            _draw_export(typed)
            _draw_erasing(typed, held_data)


def _day(at: datetime) -> str:
    """Return a time as a day of the organization."""
    return f"{at.astimezone(zone_of(zone())):%Y-%m-%d}"


def _tell_holdings(holdings: Holdings) -> None:
    """Say how much is held on a contact, by kind, and why some of it has to stay."""
    counts: Counter[str] = Counter()
    for name, number in holdings.rows.items():
        counts["loaded" if name.startswith(LOADED_PREFIX) else name] += number
    counted = [_count_rows(name, number) for name, number in counts.items()]
    counted += [f"{plural(number, 'line')} of {name}" for name, number in holdings.sources.items()]
    whose = one_line(", ".join(holdings.addresses), 300)
    words(f"Held on {whose}: {', '.join(counted)}.", "small", "contact-held")
    for sentence in holdings.on_hold:
        chips(make_muted(sentence))
    _tell_stays(holdings)


def _tell_stays(holdings: Holdings) -> None:
    """Say what an erasure does not reach, before one and after it."""
    for sentence in holdings.stays:
        chips(make_muted(sentence))


def _count_rows(table: str, number: int) -> str:
    """Return how many rows of a table are held, as a person would call them."""
    name = table.removesuffix("s").replace("_", " ")
    return plural(number, *ROW_NOUNS.get(table, (name, None)))


def _draw_export(address: str) -> None:
    """Draw the button that hands the zip out; it is made when somebody presses it."""
    contacts = mail_desk().contacts
    st.download_button(
        "Export",
        data=lambda: contacts.export(address),
        file_name="contact.zip",
        mime="application/zip",
        icon=":material/download:",
        key="contact-export",
        on_click="ignore",
    )


def _draw_erasing(address: str, holdings: Holdings) -> None:
    """Draw what erases a contact once the address is typed again; nothing for one on hold."""
    if holdings.on_hold:
        return
    keeps_knowledge = st.checkbox(
        "Keep accepted knowledge that came from their cases", key="contact-keep-learned"
    )
    again = st.text_input("Type the address again to erase all of it", key="contact-again")
    st.button(
        "Erase for good",
        key="contact-erase",
        type="primary",
        disabled=again.strip().lower() != address.lower(),
        on_click=_erase,
        args=(address, keeps_knowledge),
    )


def _erase(address: str, keep_learned: bool) -> None:
    """Have a contact erased, and say what became of it."""
    done = attempt(lambda: mail_desk().contacts.erase(address, keep_learned=keep_learned))
    if done is not None:
        records = plural(sum(done.rows.values()), "record")
        if done.finished:
            say("done", f"Erased for good: {records}. What stays elsewhere is said below.")
        else:
            say("warning", f"Erased: {records}; not finished: {done.note}.")
        st.session_state["contact-again"] = ""
    redraw("held", "item", "contact")
