"""Opening what an agent names: a case, a contact, a task, each on its page."""

from typing import NoReturn

import streamlit as st

from ui.core import address
from ui.core.pages import switch_to

_OPENS = {
    "case": ("review", {"case": "{id}", "panel": ""}),
    "message": ("inbox", {"message": "{id}", "inbox-next": "Messages"}),
    "thread": ("inbox", {"thread": "{id}", "inbox-next": "Conversations"}),
    "contact": (
        "inbox",
        {"inbox-q-messages": "from:{id}", "message": "", "inbox-next": "Messages"},
    ),
    "knowledge": ("knowledge", {"entry": "{id}", "knowledge-what": "entries"}),
    "memory": ("memory", {"memory": "{id}"}),
    "task": ("agenda", {"task": "{id}"}),
    "event": ("agenda", {"event": "{id}", "agenda-day": "{on}"}),
    "profile": ("business", {}),
}
"""By kind the page, and what the session has to hold for it to be open there."""


def open_source(kind: str, id: str, on: str) -> None:
    """Open what a source names; `on` is the day of an event. For callbacks."""
    page, page_state = _OPENS.get(kind, ("", {}))
    for key, value in page_state.items():
        st.session_state[key] = value.format(id=id, on=on)
    if page:
        address.go_to(page)


def open_thread(id: str) -> NoReturn:
    """Open a conversation in the inbox; for pages that are drawn already."""
    st.session_state["thread"] = id
    st.session_state["inbox-next"] = "Conversations"
    st.session_state["panel"] = ""
    switch_to("inbox")
