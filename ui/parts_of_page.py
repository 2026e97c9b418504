"""Which parts of a page can be drawn anew by themselves, and asking for just these."""

import streamlit as st


def redrawn(*names: str) -> None:
    """Note the keys of the fragments that the page has; called wherever a whole page is drawn."""
    st.session_state["page-parts"] = names


def redraw(*names: str) -> None:
    """End a callback: draw these parts anew, or the whole page where it lacks one of them."""
    if set(names) <= set(st.session_state.get("page-parts", ())):
        st.rerun(list(names))
    st.rerun()
