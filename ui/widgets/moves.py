"""The two buttons, and keys, that open the next and the previous of a list."""

import streamlit as st

from ui import stepping


def moves(name: str) -> None:
    """Draw them at the end of a bar of actions; `name` is a list of `ui.stepping`."""
    for label, by, key in (("Previous", -1, "K"), ("Next", 1, "J")):
        st.button(
            label,
            key=f"move-{label.lower()}",
            shortcut=key,
            type="tertiary",
            on_click=stepping.step,
            args=(name, by),
        )


def bar(name: str) -> None:
    """Draw a bar of actions that holds nothing but the moves, e.g. where nothing is open."""
    with (
        st.container(key="actions"),
        st.container(horizontal=True, gap="small", vertical_alignment="center"),
    ):
        st.space("stretch")
        moves(name)
