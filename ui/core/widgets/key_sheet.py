"""The sheet of keys: a button in the corner of every page, and the key ? everywhere."""

from html import escape
from pathlib import Path

import streamlit as st

from ui.core.chips import section
from ui.core.text.keys import KEYS

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def key_sheet(page: str) -> None:
    """Draw the button; `page` is the title of the page, whose keys come first."""
    if st.button(
        "Keys", key="key-sheet", icon=":material/keyboard:", type="tertiary", help="Keys (?)"
    ):
        _sheet(page)
    st.components.v2.component("postern_keys", js=_JS)(data=page, key="key-sheet-listener")


@st.dialog("Keys", width="medium")
def _sheet(page: str) -> None:
    for place in dict.fromkeys((page, *KEYS)):
        if place in KEYS:
            section(place)
            table(KEYS[place])


def table(keys: dict[str, str]) -> None:
    """Draw keys with what they do."""
    drawn = "".join(
        f"<tr><td><kbd>{escape(key)}</kbd></td><td>{escape(text)}</td></tr>"
        for key, text in keys.items()
    )
    st.html(f'<table class="keys">{drawn}</table>')
