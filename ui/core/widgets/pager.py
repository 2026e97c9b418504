"""Turning the pages of a list."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import streamlit as st

from ui.core import list_navigation
from ui.core.api.listing import Listing

PageT = TypeVar("PageT", bound=Listing[Any])

SIZE = 25
"""Lines on one page."""


def offset(key: str) -> int:
    """Return how many lines come before the page that is open."""
    return (int(st.session_state.get(f"pages-{key}", 1)) - 1) * SIZE


def read_page(key: str, read: Callable[[int], PageT]) -> PageT:
    """Return the page that is open of a list, which `read` gives from so many lines on.

    Where the list has become too short for it, that is the last page that there is.
    """
    listing = read(offset(key))
    if not listing.items and listing.total:
        st.session_state[f"pages-{key}"] = _count_pages(listing.total)
        listing = read(offset(key))
    return listing


def pager(key: str, total: int) -> None:
    """Draw the page numbers when there is more than one page."""
    pages = _count_pages(total)
    if int(st.session_state.get(f"pages-{key}", 1)) > pages:
        st.session_state[f"pages-{key}"] = pages
    if pages > 1:
        st.pagination(pages, key=f"pages-{key}", max_visible_pages=5)


def _count_pages(total: int) -> int:
    return max(1, -(-total // SIZE))


def remember_page(key: str, ids: Iterable[str], total: int) -> None:
    """Keep what the open page of a list holds, so that keys move through it and over its end."""
    list_navigation.remember(key, ids, before=offset(key), total=total)


def first_page(key: str) -> None:
    """Go back to the first page, e.g. after a filter has changed."""
    st.session_state.pop(f"pages-{key}", None)
