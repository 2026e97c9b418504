"""The field that searches mail, with what may be typed into it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from data.counting import plural
from ui.core.api.listing import Listing
from ui.core.chips import make_muted

HELP = """
| type | to find |
|---|---|
| `late invoice` | mail with both words, in any order and form |
| `"late invoice"` | these words side by side |
| `invo` | words that begin so |
| `from:bo` `to:help` | by who wrote it, or to whom: a name, an address, a domain |
| `subject:offer` `file:plan` | in the subject, in names of attachments |
| `after:2026-03-01` `before:2026-04` | from that day on, or before; a month will do |
| `has:attachment` | with a file |
| `is:pending_review` `is:sent` | by the state of message, case or conversation |
| `is:urgent` `is:flagged` `is:automated` | what it is |
| `tag:vip` | in conversations that bear the tag |
| `-invoice` `-from:bo` | without it |
"""


def search_field(key: str, changed: Callable[..., None], *given: object) -> None:
    """Draw the field and, beside it, the help; `changed(*given)` is called for a new search."""
    st.text_input(
        "Search",
        key=key,
        type="search",
        placeholder="Search words, names, files",
        label_visibility="collapsed",
        persist_state="session",
        on_change=changed,
        args=given,
    )
    with st.popover(
        "What can be searched",
        icon=":material/help:",
        key=f"search-help-{key}",
        help="What can be searched",
    ):
        st.markdown(HELP)


def tell_unsearched(listing: Listing[Any]) -> str:
    """Return a chip that says how much a search has left out, or nothing."""
    if not listing.unsearched:
        return ""
    return make_muted(
        f"{plural(listing.unsearched, 'message')} not searched yet: the index is being made"
    )
