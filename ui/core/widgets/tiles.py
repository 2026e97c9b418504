"""Numbers, and where they lead to the list they count."""

from html import escape
from typing import Literal

import streamlit as st


def draw_tile(
    name: str,
    figure: str,
    label: str,
    under: str = "",
    tone: Literal["", "bad", "warn"] = "",
    leads: bool = True,
) -> bool:
    """Draw one number with its name; return whether it was pressed.

    One that leads somewhere is a button as a whole.
    """
    with st.container(key=f"tile-{name}"):
        st.html(
            f'<span class="lead">{escape(label)}</span><br><span class="figure {tone}">'
            f'{escape(figure)}</span><br><span class="muted">{escape(under)}</span>'
        )
        return leads and st.button(f"Open {label}", key=f"open-tile-{name}", width="stretch")
