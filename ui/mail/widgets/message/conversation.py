"""The burst before the reviewer, and the conversation it belongs to."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from data.counting import plural
from data.records.core.parsed_mail import Address
from data.records.mail.views import CaseView, MessageView, ThreadEntry, ThreadView
from ui.core.chips import chip, chips, draw_inside, draw_outside, make_muted, moment
from ui.core.people import is_colleague
from ui.core.widgets.plain_text import words, write_addresses, write_full
from ui.mail.widgets.message.attached import enclosed_in
from ui.mail.widgets.message.bodies import (
    body,
    draw_carried,
    draw_concealed,
    draw_targets,
    enclosures,
    in_place,
)
from ui.mail.widgets.message.linked import draw_linked, other_message, warn_of_several
from ui.mail.widgets.message.threading_actions import arrange, choice, draw_changes, is_parting

SHOWN = 4
"""Addresses of a kind that are shown at once."""


def conversation(case: CaseView, now: datetime) -> None:
    """Draw the burst's messages in full, and what came before folded."""
    shown = {f"message:{message.id}" for message in case.messages}
    earlier = (
        [entry for entry in case.thread.entries if entry.ref not in shown] if case.thread else []
    )
    if earlier:
        with st.expander(f"Earlier in this conversation · {plural(len(earlier), 'message')}"):
            for entry in earlier:
                draw_message(entry, now)
    if case.thread:
        warn_of_several(case.thread)
        draw_linked(case.thread)
    if not case.messages:
        chips(make_muted("A new mail of ours: it answers nothing that came in."))
    for message in case.messages:
        draw_arrived(message, now, with_subject=len(case.messages) > 1)


def draw_arrived(message: MessageView, now: datetime, with_subject: bool = True) -> None:
    """Draw one inbound message."""
    with st.container(key=f"card-message-{message.id}"):
        draw_inside() if is_colleague(message) else draw_outside()
        _from_line(message, now)
        if with_subject:
            words(message.subject or "(no subject)", "who", f"subject-{message.id}")
        if message.same_id_as:
            other_message(message.id, message.same_id_as)
        if any(place >= 0 for place in message.hidden_at):
            in_place(message.text, message.hidden, message.hidden_at, message.id)
        else:
            draw_concealed(message.hidden, message.id)
            body(message.segments, message.text, message.id)
        draw_targets(message.links)
        draw_carried(message.carried, message.id)
        if message.attachments:
            enclosures(message.attachments)
        if message.defects:
            chips(make_muted("Odd about this message:"))
            words("; ".join(message.defects), "dim", f"defects-{message.id}")


def draw_message(entry: ThreadEntry, now: datetime) -> None:
    """Draw one message of a conversation; ours are set in."""
    side = "ours" if entry.outbound else "theirs"
    with (
        st.container(key=f"card-{side}-{entry.ref}"),
        st.container(key=f"{side}-{entry.ref}", gap="small"),
    ):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            words(write_full(entry.sender), "who", f"entry-{entry.ref}", wrap=False)
            chips(
                chip("us", "accent") if entry.outbound else "",
                chip(entry.status) if entry.status else "",
                moment(entry.at, now),
            )
        if entry.turns:
            words(entry.subject or "(no subject)", "who", f"about-{entry.ref}")
        body(entry.segments, "", f"entry-{entry.ref}")
        if not enclosed_in(entry) and entry.attachments:
            enclosures(entry.attachments)


def draw_conversation(thread: ThreadView, now: datetime) -> None:
    """Draw a whole conversation, oldest message first, with what can be done with it."""
    warn_of_several(thread)
    draw_linked(thread)
    draw_changes(thread, now)
    arrange(thread, now)
    for entry in thread.entries:
        if is_parting() and entry.ref.startswith("message:"):
            choice(entry.ref.partition(":")[2])
        draw_message(entry, now)


def _from_line(message: MessageView, now: datetime) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words(write_full(message.sender), "who", f"from-{message.id}")
        chips(moment(message.received_at, now))
    to = f"to {_first(message.to)}" if message.to else "to " + ", ".join(message.rcpt_to)
    if message.cc:
        to += f"   cc {_first(message.cc)}"
    if message.reply_to:
        to += f"   answers to {_first(message.reply_to)}"
    words(to, "dim", f"to-{message.id}")
    if max(len(message.to), len(message.cc), len(message.reply_to)) > SHOWN:
        everybody = (*message.to, *message.cc, *message.reply_to)
        with st.expander(f"All {plural(len(everybody), 'address', 'addresses')}"):
            words(
                "\n".join(write_full(colleague) for colleague in everybody),
                "small",
                f"all-{message.id}",
            )


def _first(addresses: Sequence[Address]) -> str:
    more = f" and {len(addresses) - SHOWN} more" if len(addresses) > SHOWN else ""
    return write_addresses(addresses[:SHOWN]) + more
