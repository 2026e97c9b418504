"""The matter of a chat: the way from it to the chat, and from the chat back."""

import streamlit as st

from data.records.agents.chats import ChatKind, ChatView, NewChat
from ui.agents.api.desk import agents_desk
from ui.core.pages import switch_to
from ui.core.session import attempt
from ui.core.sources import open_source
from ui.core.text.inert import make_inert


def open_chat_about(about: str) -> None:
    """Go to the person's chat about something."""
    if (chat := attempt(lambda: _chat_about(about))) is not None:
        st.session_state["chat"] = chat
        st.session_state["chat-words"] = ""
        switch_to("chats")
    st.rerun()


def _chat_about(about: str) -> str:
    """Return the newest chat about something that the person has alone; else a new one."""
    for chat in agents_desk().chats.find(about=about).items:
        if chat.kind is ChatKind.DIRECT:
            return chat.id
    return agents_desk().chats.begin(NewChat(about=about)).id


def back_to_matter(view: ChatView) -> None:
    """Draw what a chat is about, as the way to it."""
    if view.about is None:
        return
    if view.about.gone:
        st.caption(f"The {view.about.kind} that it is about is there no more.")
        return
    st.button(
        f"About the {view.about.kind}: {make_inert(view.about.title, 80)}",
        key="to-matter",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=open_source,
        args=(view.about.kind, view.about.id, ""),
    )
