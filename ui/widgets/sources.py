"""Opening what an agent names: a case, a contact, a task, each on its page."""

import streamlit as st

from ui import address
from ui.undoing import select

_OPENS = {
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
    if kind == "case":
        select(id)
        address.go_to("views/review.py")
        return
    page, page_state = _OPENS.get(kind, ("", {}))
    for key, value in page_state.items():
        st.session_state[key] = value.format(id=id, on=on)
    if page:
        address.go_to(f"views/{page}.py")
