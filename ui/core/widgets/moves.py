"""The two buttons, and keys, that open the next and the previous of a list."""

import streamlit as st

from ui.core import list_navigation
from ui.core.parts_of_page import has, redraw
from ui.core.widgets import undo


def moves(name: str) -> None:
    """Draw them at the end of a bar of actions; `name` is a list of `ui.core.list_navigation`."""
    for label, by, key, way in (("Previous", -1, "K", "up"), ("Next", 1, "J", "down")):
        st.button(
            label,
            key=f"move-{label.lower()}",
            shortcut=key,
            icon=f":material/keyboard_arrow_{way}:",
            type="tertiary",
            on_click=_step,
            args=(name, by),
        )


def _step(name: str, by: int) -> None:
    if list_navigation.step(name, by):
        redraw("queue", "item")  # in this order: the list tells what is open on its new page
    elif has("watch"):
        redraw("item", *(() if undo.is_drawn() else ("undo",)))


def bar(name: str) -> None:
    """Draw a bar of actions that holds nothing but the moves, e.g. where nothing is open.

    It is not seen while the page has no line of a list, and its keys are there all the same: the
    list fills by itself.
    """
    with (
        st.container(key="actions"),
        st.container(horizontal=True, gap="small", vertical_alignment="center", key="moves-only"),
    ):
        st.space("stretch")
        moves(name)
