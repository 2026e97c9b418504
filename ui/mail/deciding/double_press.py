"""A key that is pressed twice decides once, and never on what nobody has seen.

Streamlit keeps a press that comes while it draws, and gives it to the button that has the same
name by then. So the name of a button that decides holds the id of what it decides on: a late press
finds the button of what was shown, and what has been decided is left alone. A browser that has
much to do may hand one press to the button that has just left the page as well as to the one that
took its place; so a decision counts only on what was drawn last.
"""

import time

import streamlit as st


def key_of(name: str, id: str) -> str:
    """Return the key of the button `name` for one thing and for no other."""
    return f"{name}-of-{id}"


def note(id: str, version: int) -> None:
    """Keep that this version of a case was decided on."""
    st.session_state["decided"] = (id, version)


def was_decided(id: str, version: int) -> bool:
    """Return whether it was, by the press before this one."""
    return bool(st.session_state.get("decided") == (id, version))


def note_drawn(id: str | None) -> None:
    """Keep which case stands on the page, None for none, and how long the one before stood."""
    before = case_on_page()
    if id == before:
        return
    if before is not None:
        _looked()[before] = looked_seconds(before)
    st.session_state["drawn_case"] = id
    st.session_state["drawn_at"] = time.monotonic()


def looked_seconds(id: str) -> float:
    """Return how long a case has stood on the page in this session, in seconds."""
    now = time.monotonic()
    since = float(st.session_state.get("drawn_at", now)) if case_on_page() == id else now
    return _looked().get(id, 0.0) + now - since


def _looked() -> dict[str, float]:
    """Return how long each case stood on the page that does not stand there now."""
    seconds: dict[str, float] = st.session_state.setdefault("looked", {})
    return seconds


def case_on_page() -> str | None:
    """Return which case stands on the page; None when none does."""
    case_drawn: str | None = st.session_state.get("drawn_case")
    return case_drawn
