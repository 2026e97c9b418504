"""Back leads to the place before: addresses that were passed through are none."""

from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def steps_back() -> None:
    """Draw what keeps the browser's history to one entry for each place."""
    st.components.v2.component("postern_steps_back", js=_JS)(key="steps-back")
