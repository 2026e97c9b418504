"""The way from a case to one's own chat about it, and from such a chat back."""

import streamlit as st

from data.records.agents.chats import ChatKind, ChatView, NewChat
from ui import address
from ui.inert import inert
from ui.session import attempt, desk
from ui.undoing import select


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
    if (chat := attempt(lambda: _chat_about(case_id))) is not None:
        st.session_state["chat"] = chat
        st.session_state["chat-words"] = ""
        st.switch_page("views/chats.py")
    st.rerun()


def _chat_about(case_id: str) -> str:
    """Return the newest chat about a case that the person has alone; a new one where none is."""
    about = f"case:{case_id}"
    for chat in desk().chats(about=about).items:
        if chat.kind is ChatKind.DIRECT:
            return chat.id
    return desk().begin_chat(NewChat(about=about)).id


def back_to_matter(view: ChatView) -> None:
    """Draw what a chat is about, as the way to it."""
    if view.about is None:
        return
    if view.about.gone:
        st.caption("The case that it is about is there no more.")
        return
    st.button(
        f"About the case: {inert(view.about.title, 80)}",
        key="to-matter",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=_open_case,
        args=(view.about.id,),
    )


def _open_case(case_id: str) -> None:
    select(case_id)
    address.go_to("views/review.py")
