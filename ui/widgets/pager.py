"""Turning the pages of a list."""

import streamlit as st

SIZE = 25
"""Lines on one page."""


def offset(key: str) -> int:
    """Return how many lines come before the page that is open."""
    return (int(st.session_state.get(f"pages-{key}", 1)) - 1) * SIZE


def pager(key: str, total: int) -> None:
    """Draw the page numbers when there is more than one page."""
    pages = max(1, -(-total // SIZE))
    if int(st.session_state.get(f"pages-{key}", 1)) > pages:
        st.session_state[f"pages-{key}"] = pages
    if pages > 1:
        st.pagination(pages, key=f"pages-{key}", max_visible_pages=5)


def first_page(key: str) -> None:
    """Go back to the first page, e.g. after a filter has changed."""
    st.session_state.pop(f"pages-{key}", None)
