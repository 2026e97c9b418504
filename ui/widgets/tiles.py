"""Numbers that lead to the list they count."""

from collections.abc import Callable
from html import escape
from typing import Literal

import streamlit as st


def tile(
    name: str,
    figure: str,
    label: str,
    under: str = "",
    tone: Literal["", "bad", "warn"] = "",
    on_open: Callable[[], None] | None = None,
) -> bool:
    """Draw one number with its name, all of it a button; return whether it was pressed."""
    with st.container(key=f"tile-{name}"):
        st.html(
            f'<span class="lead">{escape(label)}</span><br><span class="figure {tone}">'
            f'{escape(figure)}</span><br><span class="muted">{escape(under)}</span>'
        )
        return st.button(
            f"Open {label}", key=f"open-tile-{name}", on_click=on_open, width="stretch"
        )
