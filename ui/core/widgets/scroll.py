"""Starting at the top of an item that was just opened."""

import json
from pathlib import Path

import streamlit as st

from ui.core.parts_of_page import redraw

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def start_at_top(opened: str) -> None:
    """Show the beginning of `opened`, our own id, when it was chosen or is another than before."""
    data = {"opened": opened, "chosen": bool(st.session_state.pop("chosen", False))}
    st.components.v2.component("postern_scroll", js=_JS)(data=json.dumps(data), key="scroll")


def draw_chosen() -> None:
    """End the callback in which a person opened an item: draw that alone, from its beginning."""
    st.session_state["chosen"] = True
    redraw("item")
