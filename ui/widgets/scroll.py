"""Starting at the top of an item that was just opened."""

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).with_suffix(".js")


def start_at_top(opened: str) -> None:
    """Scroll the page up when `opened` is another item than before; `opened` is our own id."""
    script = SCRIPT.read_text(encoding="utf-8")
    st.components.v2.component("postern_scroll", js=script)(data=opened, key="scroll")
