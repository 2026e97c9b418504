"""Ways from what is open to what belongs to it: linked conversations, the other message."""

import streamlit as st

from data.records.mail.conversations import ThreadLink
from data.records.mail.views import ThreadView
from ui.core.chips import chips, make_muted
from ui.core.pages import switch_to
from ui.core.sources import open_thread
from ui.core.text.inert import make_inert
from ui.core.widgets.plain_text import words, write_full

SAME_ID = (
    "Another message has the same Message-ID and says something else. One of them may be forged; "
    "neither is answered without a person."
)


def draw_linked(thread: ThreadView) -> None:
    """Draw the conversations that this one refers to, and those that refer to it."""
    links = [("Refers to", link) for link in thread.refers_to]
    links += [("Referred to by", link) for link in thread.referred_by]
    for name, link in links:
        _link(name, link)


def warn_of_several(thread: ThreadView) -> None:
    """Say that a conversation holds mail of several contacts, when it does."""
    if len(thread.contacts) < 2:
        return
    with st.container(key=f"note-warn-contacts-{thread.id}"):
        contacts_text = ", ".join(contact or "unknown sender" for contact in thread.contacts)
        words(
            f"Mail of {len(thread.contacts)} contacts: {contacts_text}. "
            "Each reply goes to one of them.",
            "small",
            f"contacts-{thread.id}",
        )


def other_message(id: str, other: str) -> None:
    """Draw the warning that a Message-ID was used twice, with the way to the other message."""
    with st.container(key=f"note-warn-same-{id}", gap="small"):
        words(SAME_ID, "small", f"same-{id}")
        if st.button("The other message", key=f"other-{id}", icon=":material/content_copy:"):
            st.session_state["message"] = other
            st.session_state["inbox-next"] = "Messages"
            switch_to("inbox")


def _link(name: str, link: ThreadLink) -> None:
    with st.container(
        key=f"linked-{link.id}", horizontal=True, vertical_alignment="center", gap="small"
    ):
        chips(make_muted(name))
        label = f"{link.subject or '(no subject)'} · {write_full(link.contact)}"
        if st.button(
            make_inert(label, limit=90),
            key=f"to-linked-{link.id}",
            type="tertiary",
            icon=":material/forum:",
        ):
            open_thread(link.id)
