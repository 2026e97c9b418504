"""The bar that offers to take the last decision back, an approval until the reply leaves."""

import json
from pathlib import Path

import streamlit as st

from ui.core.text.clock import now
from ui.core.undoing import Undo

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


@st.fragment(key="undo")
def undo() -> None:
    """Draw the bar for as long as the offer lasts; the browser counts down by itself."""
    offer: Undo | None = st.session_state.get("undo")
    st.session_state["undo-drawn"] = offer
    left = (offer.until - now()).total_seconds() if offer else 0
    if offer is None or left <= 0:
        st.session_state.pop("undo", None)
        return
    with st.container(
        key="undo", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        text, ending = offer.tell()
        component = st.components.v2.component("postern_undo", js=_JS, isolate_styles=False)
        data = json.dumps({"text": text, "ending": ending, "left": round(left, 1)})
        component(data=data, key="undo-words", on_over_change=_over)
        st.button(
            "Undo",
            key="undo-approval",
            shortcut="U",
            icon=":material/undo:",
            width="content",
            on_click=_take_back,
            args=(offer,),
        )


def is_drawn() -> bool:
    """Return whether the bar shows the last decision; a quick next key ended its drawing if not."""
    return bool(st.session_state.get("undo") == st.session_state.get("undo-drawn"))


def _over() -> None:
    """Let the bar be drawn anew, which finds its time to be over."""


def _take_back(offer: Undo) -> None:
    if st.session_state.get("undo") == offer:  # else the press before this one took it back
        offer.take_back()
