"""The keyboard's focus: where a person who uses no pointer expects it after each action."""

import json
from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def follow(opened: str, panel: str) -> None:
    """Let the focus go along: into the panel that is open now, or to the case that is.

    Both are our own: the id of a case, and the name of a panel or nothing.
    """
    data = json.dumps({"opened": opened, "panel": panel})
    st.components.v2.component("postern_focus", js=_JS)(data=data, key="focus")
