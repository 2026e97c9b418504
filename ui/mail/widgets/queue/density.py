"""The switch between comfortable and compact lists; the browser keeps the choice."""

from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def density() -> None:
    """Draw the switch; it changes every list at once, and asks nobody for that."""
    component = st.components.v2.component("postern_density", js=_JS, isolate_styles=False)
    component(key="density", width="content")
