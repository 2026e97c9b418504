"""The kill switch: a banner on every page while it is on, and the button that turns it on."""

import streamlit as st

from data.errors import PosternError
from ui.core.session import attempt, core_desk, read_lately, say

_RENEWED = 10.0
"""Seconds after which it is asked for anew, whatever is drawn meanwhile."""


@st.fragment(run_every=_RENEWED)
def banner() -> None:
    """Draw the banner while nothing may leave; the page tells when the engine is away."""
    try:
        stopped = read_lately("stop", lambda: core_desk().installation.stop().stopped, _RENEWED - 1)
    except PosternError:
        return
    st.session_state["stopped"] = stopped
    if stopped:
        with st.container(
            key="stopped",
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
        ):
            st.text("Sending is stopped. Nothing leaves until somebody lets it leave again.")
            if st.button("Let mail leave", key="stop-off", icon=":material/play_arrow:"):
                switch(stopped=False)
                st.rerun()


def stop_button() -> None:
    """Draw the button that stops everything, behind one confirmation; none while it is stopped."""
    if st.session_state.get("stopped"):
        return
    with st.popover("Stop all sending", icon=":material/block:", key="stop-open"):
        st.text(
            "Nothing will leave, not even what is already approved,\n"
            "and agents ask no model, until it is let go again."
        )
        if st.button("Stop now", key="stop-on", type="primary", icon=":material/block:"):
            switch(stopped=True)
            st.rerun()  # the whole page: the banner stands outside of the list that renews itself


def switch(stopped: bool) -> None:
    """Turn the kill switch, and say so."""
    if attempt(lambda: core_desk().installation.set_stop(stopped)):
        say("done", "Sending is stopped." if stopped else "Mail may leave again.")
