"""The way from a case or its contact to one's own chat about it, and from such a chat back."""

import streamlit as st

from data.records.agents.chats import ChatKind, ChatView, NewChat
from ui.agents_desk import agents_desk
from ui.inert import inert
from ui.session import attempt
from ui.widgets.sources import open_source


def ask_case(case_id: str) -> None:
    """Draw the button that opens the person's chat about a case, or begins one."""
    if not st.button(
        "Ask an agent",
        key="ask-case",
        icon=":material/chat_bubble:",
        shortcut="Y",
        help="Ask an agent about this case",
    ):
        return
    _open_chat(f"case:{case_id}")


def ask_contact(email: str) -> None:
    """Draw the button that opens the person's chat about a contact, or begins one."""
    if st.button(
        "Ask an agent about this contact",
        key="ask-contact",
        icon=":material/chat_bubble:",
        type="tertiary",
    ):
        _open_chat(f"contact:{email}")


def _open_chat(about: str) -> None:
    """Go to the person's chat about something."""
    if (chat := attempt(lambda: _chat_about(about))) is not None:
        st.session_state["chat"] = chat
        st.session_state["chat-words"] = ""
        st.switch_page("views/chats.py")
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
        f"About the {view.about.kind}: {inert(view.about.title, 80)}",
        key="to-matter",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=open_source,
        args=(view.about.kind, view.about.id, ""),
    )
