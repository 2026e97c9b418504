"""A page that has gone blank in the browser is loaded anew."""

from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def watch_blank_page() -> None:
    """Have the browser load the page anew when there is nothing on it for three seconds.

    Streamlit can lose a page when the server leads to another one while a part of it is being
    drawn anew by its timer; most often on a machine with much else to do.
    """
    st.components.v2.component("postern_blank_page", js=_JS)(key="blank-page")
