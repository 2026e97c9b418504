"""Parts of a page that can be drawn anew by themselves, and asking for just these."""

import streamlit as st

ALL = ("item", "undo", "queue")
"""The parts of the review queue's page that a decision changes, what is looked at first."""


def note_fragments(*names: str) -> None:
    """Note the keys of the fragments that the page has; called wherever a whole page is drawn."""
    st.session_state["page-parts"] = names


def has(name: str) -> bool:
    """Return whether the page that is drawn has a part of that name."""
    return name in st.session_state.get("page-parts", ())


def redraw(*names: str) -> None:
    """End a callback: draw these parts anew, or the whole page where it lacks one of them.

    With what is open goes what watches it, first, so that it says nothing of what was open before.
    """
    parts = st.session_state.get("page-parts", ())
    st.session_state["watched"] = None
    if "item" in names and "watch" in parts:
        names = ("watch", *(name for name in names if name != "watch"))
    if set(names) <= set(parts):
        views = ["views"] if "queue" in names and "views" in parts else []
        st.rerun([*names, *views, "counts"])  # every page has these: how much waits has changed
    st.rerun()
