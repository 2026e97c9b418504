"""The bar that offers to take an approved reply back while it has not left."""

import streamlit as st

from ui.clock import now
from ui.decisions import Undo, reopen, take_back
from ui.inert import one_line


def undo() -> None:
    """Draw the bar with its countdown, for as long as the undo window lasts."""
    if "undo" in st.session_state:
        _countdown()


@st.fragment(run_every="1s")
def _countdown() -> None:
    offer: Undo | None = st.session_state.get("undo")
    left = (offer.until - now()).total_seconds() if offer else 0
    if offer is None or left <= 0:
        st.session_state.pop("undo", None)
        return
    with st.container(
        key="undo", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        st.text(_told(offer, left))
        pressed = st.button(
            "Undo", key="undo-approval", shortcut="U", icon=":material/undo:", width="content"
        )
    if pressed:
        if offer.delivery_id:
            take_back(offer.delivery_id, offer.case_id)
        else:
            reopen(offer.case_id)
        st.rerun()


def _told(offer: Undo, left: float) -> str:
    subject = one_line(offer.subject, 48) or "(no subject)"
    if offer.delivery_id:
        return f"Approved “{subject}”. Leaves in {left:.0f} s."
    return f"Closed “{subject}”."
