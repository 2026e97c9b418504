"""Text from outside, drawn by what interprets nothing."""

from collections.abc import Iterable

import streamlit as st

from data.records.core.parsed_mail import Address
from ui.core.text.inert import one_line, show_controls

LONG = 6000
"""Characters of one body shown before the rest is folded away."""
NAME = 60
"""Characters of a display name that are shown: a longer one would push the address away."""


def words(text: str, kind: str, key: str, wrap: bool = True) -> None:
    """Draw one piece of text; `kind` is `who`, `dim`, `why`, `small`, `subject` or `letter`."""
    with st.container(key=f"{kind}-{key}", gap=None):
        st.text(show_controls(text) if wrap else one_line(text, 400), wrap=wrap, width="stretch")


def letter(text: str, key: str) -> None:
    """Draw a body; a very long one folds its rest away."""
    body = show_controls(text.strip("\n"))
    with st.container(key=f"letter-{key}", gap="small"):
        st.text(body[:LONG] if body else "(no text)", width="stretch")
        if len(body) > LONG:
            with st.expander(f"The other {len(body) - LONG:,} characters"):
                st.code(body[LONG:], language=None, wrap_lines=True, height=420)


def display_name(address: Address | None) -> str:
    """Return whom a list shows: the display name, else the address."""
    if address is None:
        return "unknown sender"
    return address.name.strip() or address.email


def write_full(address: Address | None) -> str:
    """Return display name and real address; a name never stands without its address."""
    if address is None:
        return "unknown sender"
    name = one_line(address.name, NAME)
    return f"{name} <{address.email}>" if name else address.email


def write_addresses(addresses: Iterable[Address]) -> str:
    """Return addresses in one line."""
    return ", ".join(write_full(address) for address in addresses)
