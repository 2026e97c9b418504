"""The menu of a narrow window, for screen readers."""

from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def mend_menu() -> None:
    """Have the browser say of the menu's parts what they are."""
    st.components.v2.component("postern_menu", js=_JS)(key="menu-roles")
