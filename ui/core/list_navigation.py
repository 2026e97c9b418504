"""Moving through a list by keys: what stands in it, what is open, and what comes next."""

from collections.abc import Iterable

import streamlit as st

OPENED = {
    "queue": "case",
    "messages": "message",
    "conversations": "thread",
    "quarantine": "held",
    "outbox": "delivery",
    "forwards": "forward",
    "tickets": "ticket",
    "knowledge": "entry",
    "proposals": "proposal",
    "replies": "reply",
}
"""For each list the session's name for what is open of it."""


def remember(name: str, ids: Iterable[str], before: int = 0, total: int = 0) -> None:
    """Keep the ids of a list as they are drawn, how many come before them, and how many are.

    After a step over the end of a page, the first or the last of these is opened.
    """
    drawn_ids = st.session_state[f"ids-{name}"] = tuple(ids)
    st.session_state[f"span-{name}"] = (before, total)
    place_to_open = st.session_state.pop(f"turned-{name}", None)
    if place_to_open is not None and drawn_ids:
        st.session_state[OPENED[name]] = drawn_ids[place_to_open]
    opened = st.session_state.get(OPENED[name])
    if opened in drawn_ids:
        st.session_state[f"at-{name}"] = drawn_ids.index(opened)


def place(name: str, id: str) -> str:
    """Return where in its whole list something stands, `4 of 78`; empty when it is not there."""
    ids: tuple[str, ...] = st.session_state.get(f"ids-{name}", ())
    before, total = st.session_state.get(f"span-{name}", (0, 0))
    return f"{before + ids.index(id) + 1:,} of {total:,}" if id in ids and total else ""


def step(name: str, by: int) -> bool:
    """Open the next (`1`) or previous (`-1`) of a list; the first one when none is open.

    Where what is open has left the list, as when a colleague decided on it, the next is what took
    its place. Return whether the new one stands on another page, which has to be drawn first.
    """
    ids: tuple[str, ...] = st.session_state.get(f"ids-{name}", ())
    before, total = st.session_state.get(f"span-{name}", (0, 0))
    current = st.session_state.get(OPENED[name])
    if not ids:
        return False
    st.session_state["panel"] = ""
    if current in ids:
        place = ids.index(current) + by
    elif current:
        place = int(st.session_state.get(f"at-{name}", 0)) + min(by, 0)
    else:
        place = 0
    if (place < 0 and before) or (place >= len(ids) and before + len(ids) < total):
        st.session_state[f"pages-{name}"] = int(st.session_state.get(f"pages-{name}", 1)) + by
        st.session_state[f"turned-{name}"] = 0 if by > 0 else -1
        return True
    place = st.session_state[f"at-{name}"] = max(0, min(len(ids) - 1, place))
    st.session_state[OPENED[name]] = ids[place]
    return False


def find_following(name: str, id: str) -> str | None:
    """Return what comes after `id` in a list, or None."""
    ids: tuple[str, ...] = st.session_state.get(f"ids-{name}", ())
    place = ids.index(id) + 1 if id in ids else len(ids)
    return ids[place] if place < len(ids) else None


def leave(name: str, gone_ids: Iterable[str]) -> None:
    """Take ids out of a list; when the open one is among them, open what came after it.

    Where that stands on the next page, it moves up to the end of this one: nothing is open until
    the list is drawn again.
    """
    ids: tuple[str, ...] = st.session_state.get(f"ids-{name}", ())
    away = set(gone_ids)
    current = st.session_state.get(OPENED[name])
    rest = tuple(id for id in ids if id not in away)
    st.session_state[f"ids-{name}"] = rest
    before, total = st.session_state.get(f"span-{name}", (0, 0))
    st.session_state[f"span-{name}"] = (before, max(0, total - len(away & set(ids))))
    if current in away:
        after = ids[ids.index(current) :] if current in ids else ids
        following = [id for id in after if id not in away]
        if not following and before + len(ids) < total:
            st.session_state[f"turned-{name}"] = -1
            st.session_state[OPENED[name]] = None
        else:
            st.session_state[OPENED[name]] = next(iter((*following, *rest[-1:])), None)
