"""A key that is pressed twice decides once, and never on what nobody has seen.

Streamlit keeps a press that comes while it draws, and gives it to the button that has the same
name by then. So the name of a button that decides holds the id of what it decides on: a late press
finds the button of what was shown, and what has been decided is left alone.
"""

import streamlit as st


def named(name: str, id: str) -> str:
    """Return the key of the button `name` for one thing and for no other."""
    return f"{name}-of-{id}"


def note(id: str, version: int) -> None:
    """Keep that this version of a case was decided on."""
    st.session_state["decided"] = (id, version)


def again(id: str, version: int) -> bool:
    """Return whether it was, by the press before this one."""
    return bool(st.session_state.get("decided") == (id, version))
