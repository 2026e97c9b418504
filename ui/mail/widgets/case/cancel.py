"""The button that closes a panel of a case with nothing done."""

import streamlit as st

from ui.mail.deciding import decisions


def cancel() -> None:
    """Draw it; Esc presses it."""
    st.button(
        "Cancel",
        key="panel-cancel",
        shortcut="Esc",
        type="tertiary",
        on_click=decisions.panel,
        args=("",),
    )
