"""Agents: whom somebody can ask, what was asked before, and the chat that is open."""

from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.records.agents.agents import Agent
from data.records.agents.chats import LONGEST_MESSAGE, AuthorKind, ChatMessage, ChatView
from data.records.core.streams import StreamEvent
from data.records.core.tools import Source
from data.states import AgentState
from ui import address
from ui.inert import inert, one_line
from ui.session import attempt, desk, guarded
from ui.undoing import select
from ui.widgets import lists
from ui.widgets.heading import heading
from ui.widgets.plain import letter

ADDRESS = {"chat": "chat"}
"""What the page's address names, and the session's key of it."""
PERSON, AGENT = ":material/person:", ":material/smart_toy:"


def show() -> None:
    """Draw the page."""
    address.take("agents", ADDRESS)
    heading("Agents", "Ask about the queue and about what the organization knows.")
    side, right = lists.halves("agents")
    agents = desk().agents().items
    with side, guarded():
        _choose(agents)
    with right, guarded():
        if chat := st.session_state.get("chat"):
            _chat(desk().chat(str(chat)), agents)
        else:
            st.caption("Choose an agent to ask, or a chat to go on with.")
    address.tell(ADDRESS)


def _choose(agents: tuple[Agent, ...]) -> None:
    """Draw who can be asked, and what was asked before."""
    for agent in agents:
        paused = agent.state is not AgentState.ACTIVE
        with st.container(key=f"agent-{agent.slug}", gap=None):
            st.button(
                f"Ask {agent.name}",
                key=f"begin-{agent.slug}",
                icon=":material/add_comment:",
                on_click=_begin,
                args=(agent.slug,),
                disabled=paused,
                width="stretch",
                help="This agent is paused." if paused else None,
            )
            if not st.session_state.get("chat"):
                st.caption(inert(agent.description))
    chats = desk().chats().items
    if chats:
        st.markdown("###### Your chats")
    for chat in chats:
        st.button(
            one_line(inert(chat.title or "Nothing said yet"), 48),
            key=f"chat-{chat.id}",
            type="secondary" if chat.id == st.session_state.get("chat") else "tertiary",
            on_click=_open,
            args=(chat.id,),
        )


def _chat(view: ChatView, agents: tuple[Agent, ...]) -> None:
    """Draw a chat: what was said, what is being said, and where one writes."""
    agent = next((one for one in agents if one.slug == view.chat.agent), None)
    name = agent.name if agent else view.chat.agent
    if view.earlier:
        st.caption(f"{view.earlier} earlier messages are kept and not shown here.")
    history = st.container(key="transcript")
    with history:
        for message in view.messages:
            _message(message)
    live = st.container(key="live")
    if agent and not view.messages:
        _suggest(view.chat.id, agent)
    with live:
        for turn in view.active:
            _listen(turn, name)
    paused = agent is None or agent.state is not AgentState.ACTIVE
    text = st.chat_input(
        f"{name} is paused" if paused else f"Ask {name}",
        key=f"ask-{view.chat.id}",
        max_chars=LONGEST_MESSAGE,
        disabled=paused,
    )
    if text:
        _say(view.chat.id, text, name, live)


def _suggest(chat: str, agent: Agent) -> None:
    """Offer what the agent can be asked, in a chat in which nothing was said yet."""
    st.caption("You can ask, for example:")
    for place, suggestion in enumerate(agent.suggestions):
        st.button(suggestion, key=f"suggest-{place}", on_click=_ask, args=(chat, suggestion))


def _message(message: ChatMessage) -> None:
    if message.author is AuthorKind.PERSON:
        with st.chat_message("user", avatar=PERSON):
            letter(message.text, f"said-{message.id}")
        return
    with st.chat_message("assistant", avatar=AGENT):
        st.markdown(message.text)
        _sources(message.sources, message.id)


def _sources(sources: tuple[Source, ...], key: str) -> None:
    """Draw what an answer rests on; a case opens where it is decided."""
    with st.container(horizontal=True, gap="small"):
        _source_buttons(sources, key)


def _source_buttons(sources: tuple[Source, ...], key: str) -> None:
    for number, source in enumerate(sources, start=1):
        label = f"[{number}] {one_line(source.title, 80)}"
        if source.kind == "case":
            if st.button(inert(label), key=f"source-{key}-{number}", type="tertiary"):
                select(source.id)
                st.switch_page("views/review.py")
        else:
            st.caption(inert(label))


def _say(chat: str, text: str, name: str, live: DeltaGenerator) -> None:
    """Say something, and show the answer while it is said."""
    with live:
        with st.chat_message("user", avatar=PERSON):
            letter(text, "said-now")
        said = desk().say(chat, text)
        _listen(said.turn_id, name)
    st.rerun()


def _listen(turn: str, name: str) -> None:
    """Show what an agent says in a turn, from its first event on."""
    with st.chat_message("assistant", avatar=AGENT):
        doing = st.empty()
        doing.caption(f"{inert(name)} is at it …")
        st.write_stream(_pieces(desk().listen(turn), doing))


def _pieces(events: Iterator[StreamEvent], doing: DeltaGenerator) -> Iterator[str]:
    for event in events:
        if event.kind == "text":
            doing.empty()
            yield event.text
        elif event.kind == "move":
            doing.caption(inert(event.text))
        elif event.kind == "failed":
            doing.empty()
            yield f":material/error: {inert(event.text)}"


def _begin(agent: str) -> None:
    if (chat := attempt(lambda: desk().begin_chat(agent))) is not None:
        st.session_state["chat"] = chat.id


def _open(chat: str) -> None:
    st.session_state["chat"] = chat


def _ask(chat: str, text: str) -> None:
    attempt(lambda: desk().say(chat, text))


if __name__ == "__main__":
    show()
