"""Saved replies: their list, and one of them as it stands in its file."""

import streamlit as st

from data.records.learning import SavedReplyView
from ui.inert import shown
from ui.session import desk
from ui.widgets import lists
from ui.widgets.chips import chip, chips, empty, muted, section
from ui.widgets.plain import words
from ui.words import language, plural


def draw_list() -> None:
    """Draw the saved replies by title."""
    q = str(st.session_state.get("knowledge-q") or "")
    found = desk().saved_replies(q)
    if not found.items:
        empty("Nothing here.", "Put Markdown files into the folder sources/saved_replies.")
        return
    chips(muted(plural(found.total, "saved reply", "saved replies")))
    with lists.listing("replies"):
        for one in found.items:
            lists.row(
                one.id,
                one.id,
                one.title,
                one.body,
                (_use(one), muted(language(one.language))),
                "",
                opened=one.id == st.session_state.get("reply"),
                on_open=open_reply,
            )


def open_reply(id: str) -> None:
    """Open a saved reply in the right half."""
    st.session_state["reply"] = id


def draw_open() -> None:
    """Draw the one that is open."""
    id = st.session_state.get("reply")
    known = {one.id: one for one in desk().saved_replies().items} if id else {}
    if id not in known:
        with st.container(key="card-nothing"):
            empty("Nothing is open.", "Choose a saved reply from the list.")
        return
    reply = known[str(id)]
    words(reply.title, "subject", "reply")
    chips(_use(reply), muted(language(reply.language)), muted(reply.intent))
    with st.container(key="card-reply"):
        section("Text")
        st.code(shown(reply.body), language=None, wrap_lines=True)
    chips(muted("Change it in its file; the next sync loads it."))


def _use(reply: SavedReplyView) -> str:
    if reply.cited:
        return chip("cited", "good", "a draft may tell it and names it as its source")
    return chip("around answers", "quiet", "it states nothing by itself, or a slot is open")
