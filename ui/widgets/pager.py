"""Turning the pages of a list."""

from collections.abc import Iterable

import streamlit as st

from ui import stepping

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


def remember_page(key: str, ids: Iterable[str], total: int) -> None:
    """Keep what the open page of a list holds, so that keys move through it and over its end."""
    stepping.remember(key, ids, before=offset(key), total=total)


def first_page(key: str) -> None:
    """Go back to the first page, e.g. after a filter has changed."""
    st.session_state.pop(f"pages-{key}", None)
