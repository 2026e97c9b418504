"""The diff of two versions of a text, drawn line by line."""

from collections.abc import Sequence

import streamlit as st

SHOWN_LINES = 400
"""Lines that are drawn at most."""


def draw_diff(lines: Sequence[str]) -> None:
    """Draw the lines of a diff, added and removed ones in their colours."""
    if not lines:
        st.caption("Nothing: both say the same.")
        return
    st.code("\n".join(lines[:SHOWN_LINES]), language="diff", wrap_lines=True)
    if len(lines) > SHOWN_LINES:
        st.caption(f"{len(lines) - SHOWN_LINES:,} more lines are different.")
