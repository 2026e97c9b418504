"""Settings of chats: a new one, who takes part, its name, and how a person likes answers."""

from collections.abc import Callable, Mapping

import streamlit as st

from data.records.agents.agents import Agent
from data.records.agents.chats import (
    AnswerStyle,
    AuthorKind,
    ChatKind,
    ChatMember,
    ChatPreferences,
    ChatView,
    NewChat,
    NewMember,
)
from data.records.core.manifest_format import Listening
from data.states import AgentState, ChatState
from ui.agents.api.desk import agents_desk
from ui.agents.widgets.matter import back_to_matter
from ui.core.session import attempt, core_desk, me, read_lately
from ui.core.text.inert import make_inert, one_line

WHO_SEES = {
    ChatKind.DIRECT: "me alone",
    ChatKind.TEAM: "a team",
    ChatKind.GROUP: "people I name",
    ChatKind.ORGANIZATION: "everybody here",
}
WHEN = {
    Listening.MENTION: "answers when it is named",
    Listening.PROACTIVE: "answers whatever is said to nobody else",
    Listening.SILENT: "never answers",
}
LANGUAGES = {
    "": "as I write", "en": "English", "de": "German", "fr": "French", "es": "Spanish",
    "it": "Italian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
}  # fmt: skip


def begin(agents: Mapping[str, Agent], on_begin: Callable[[NewChat], None]) -> None:
    """Draw what begins a chat."""
    awake = {slug: one for slug, one in agents.items() if one.works}
    with st.popover("New chat", icon=":material/add_comment:", key="new-chat"):
        if not awake:
            st.caption("No agent can be asked now; an administrator resumes one.")
            return
        for slug, agent in awake.items():
            st.button(
                f"Ask {agent.name}",
                key=f"begin-{slug}",
                help=make_inert(agent.description),
                on_click=on_begin,
                args=(NewChat(agent=slug),),
                width="stretch",
            )
        tested = AgentState.TESTING
        _shared({slug: one for slug, one in awake.items() if one.state is not tested}, on_begin)


def _shared(awake: Mapping[str, Agent], on_begin: Callable[[NewChat], None]) -> None:
    """Draw what begins a chat of several people."""
    with st.expander("With others"):
        shared = [kind for kind in WHO_SEES if kind is not ChatKind.DIRECT]
        kind = st.radio("Who sees it", shared, format_func=WHO_SEES.__getitem__, key="new-kind")
        slug = st.selectbox(
            "First agent", list(awake), format_func=lambda item: awake[item].name, key="new-agent"
        )
        title = st.text_input("What it is about", key="new-title", max_chars=80)
        team, people = "", list[str]()
        if kind is ChatKind.TEAM:
            own = {
                own_team.id: own_team.name
                for own_team in read_lately("teams", core_desk().teams.list_all, 30)
                if me().id in own_team.members
            }
            if not own:
                st.caption("You are in no team.")
                return
            team = st.selectbox("Team", list(own), format_func=own.__getitem__, key="new-team")
        elif kind is ChatKind.GROUP:
            names = _colleagues()
            people = st.multiselect(
                "With whom", list(names), format_func=names.__getitem__, key="new-people"
            )
        new_chat = NewChat(
            agent=slug, kind=kind, team=team, people=tuple(people), title=title or ""
        )
        st.button("Begin", key="begin-shared", type="primary", on_click=on_begin, args=(new_chat,))


def head(view: ChatView, agents: Mapping[str, Agent]) -> None:
    """Draw the name of a chat, who takes part, and what can be done with it."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center",
        key="chat-head",
    ):  # fmt: skip
        with st.container(gap=None, key="chat-name"):
            st.markdown(f"##### {make_inert(view.chat.title or 'New chat', 80)}")
            with st.container(
                horizontal=True, vertical_alignment="center", gap="small", key="chat-what"
            ):
                back_to_matter(view)
                st.caption(make_inert(_taking_part(view)), width="content")
        with st.container(horizontal=True, width="content", gap="small", key="chat-tools"):
            _members(view, agents)
            _preferences()
            _keeping(view)


def _taking_part(view: ChatView) -> str:
    """Return who takes part, and who else sees it."""
    names = [
        f"{member.name} ({WHEN[member.listening]})"
        if member.kind is AuthorKind.AGENT and view.chat.kind is not ChatKind.DIRECT
        else member.name
        for member in view.members
    ]
    audience_words = {
        ChatKind.TEAM: "The whole team sees it.",
        ChatKind.ORGANIZATION: "Everybody here sees it.",
    }.get(view.chat.kind, "Nobody else sees it.")
    return f"{', '.join(names)}. {audience_words}"


def _members(view: ChatView, agents: Mapping[str, Agent]) -> None:
    """Draw who takes part, and who can be let in."""
    chat = view.chat
    with st.popover(
        "Who takes part", icon=":material/group:", help="Who takes part", key="members"
    ):
        for member in view.members:
            _member(view, member)
        inside = {chat_member.member_id for chat_member in view.members}
        others = {slug: one.name for slug, one in agents.items() if slug not in inside}
        if others:
            slug = st.selectbox(
                "Let an agent in", list(others), format_func=others.__getitem__, index=None,
                key="admit-agent",
            )  # fmt: skip
            if slug:
                st.button(
                    f"Let {others[slug]} in", key="admit-agent-now", on_click=_admit,
                    args=(chat.id, NewMember(kind=AuthorKind.AGENT, member_id=slug)),
                )  # fmt: skip
        if chat.kind is ChatKind.GROUP:
            names = {id: name for id, name in _colleagues().items() if id not in inside}
            who = st.selectbox(
                "Let a person in", list(names), format_func=names.__getitem__, index=None,
                key="admit-person",
            )  # fmt: skip
            if who:
                st.button(
                    f"Let {make_inert(names[who])} in", key="admit-person-now", on_click=_admit,
                    args=(chat.id, NewMember(kind=AuthorKind.PERSON, member_id=who)),
                )  # fmt: skip


def _member(view: ChatView, member: ChatMember) -> None:
    """Draw one who takes part: how an agent listens, and what lets it go."""
    chat, own = view.chat, member.member_id == me().id
    with st.container(horizontal=True, vertical_alignment="center", key=f"in-{member.member_id}"):
        st.markdown(f"**{make_inert(member.name)}**" + (" (you)" if own else ""))
        if member.kind is AuthorKind.AGENT and len(view.members) > 2:
            key = f"listens-{chat.id}-{member.member_id}"
            st.selectbox(
                "Listens", list(WHEN), index=list(WHEN).index(member.listening), key=key,
                format_func=WHEN.__getitem__, label_visibility="collapsed", on_change=_listen,
                args=(chat.id, member.member_id, key),
            )  # fmt: skip
        shared = chat.kind is not ChatKind.DIRECT
        if shared and (member.kind is AuthorKind.AGENT or own or view.answers_for):
            st.button(
                "Leave" if own else "Let go",
                key=f"dismiss-{member.member_id}",
                type="tertiary",
                on_click=_dismiss,
                args=(chat.id, member),
            )


def _preferences() -> None:
    """Draw how the person likes answers, in all chats."""
    with st.popover(
        "How I like answers", icon=":material/tune:", help="How I like answers", key="preferences"
    ):
        now = read_lately("answer-preferences", agents_desk().chats.preferences, 30)
        styles = list(AnswerStyle)
        st.radio(
            "Length", styles, index=styles.index(now.style), key="answer-style",
            format_func=lambda style: str(style).capitalize(), on_change=_prefer,
        )  # fmt: skip
        names = {now.language: now.language} | LANGUAGES  # over the API any language is chosen
        codes = list(names)
        st.selectbox(
            "Language", codes, index=codes.index(now.language), format_func=names.__getitem__,
            key="answer-language", on_change=_prefer,
        )  # fmt: skip


def _keeping(view: ChatView) -> None:
    """Draw what can be done with the chat as a whole."""
    chat = view.chat
    with st.popover("This chat", icon=":material/more_horiz:", help="This chat", key="keeping"):
        if view.answers_for:
            st.text_input(
                "Name", value=chat.title, max_chars=80, key=f"title-{chat.id}",
                on_change=_rename, args=(chat.id,),
            )  # fmt: skip
        st.download_button(
            "Save as a text",
            data=lambda: agents_desk().chats.export(chat.id),
            file_name=f"{one_line(chat.title, 40) or 'chat'}.md",
            mime="text/markdown",
            icon=":material/download:",
            key="export-chat",
            on_click="ignore",
        )
        if view.answers_for:
            done = view.state is ChatState.COMPLETED
            st.button(
                "Take it up again" if done else "I am done with it",
                key="end-chat", icon=":material/undo:" if done else ":material/task_alt:",
                disabled=not done and bool(view.active),
                on_click=_end, args=(chat.id, not done),
            )  # fmt: skip
            sure = st.checkbox("Remove all that was said here", key=f"sure-{chat.id}")
            st.button(
                "Remove this chat", key="remove-chat", icon=":material/delete:",
                disabled=not sure, on_click=_remove, args=(chat.id,),
            )  # fmt: skip


def _colleagues() -> dict[str, str]:
    return {
        colleague.id: colleague.name
        for colleague in read_lately("colleagues", core_desk().users.colleagues, 30)
        if not colleague.ended_at and colleague.id != me().id
    }


def _admit(chat: str, new_member: NewMember) -> None:
    attempt(lambda: agents_desk().chats.admit(chat, new_member))
    for key in ("admit-agent", "admit-person"):
        st.session_state.pop(key, None)


def _listen(chat: str, slug: str, key: str) -> None:
    listening = Listening(st.session_state[key])
    new_member = NewMember(kind=AuthorKind.AGENT, member_id=slug, listening=listening)
    attempt(lambda: agents_desk().chats.admit(chat, new_member))


def _dismiss(chat: str, member: ChatMember) -> None:
    attempt(lambda: agents_desk().chats.dismiss(chat, member.kind, member.member_id))
    if member.member_id == me().id:
        st.session_state.pop("chat", None)


def _prefer() -> None:
    chat_preferences = ChatPreferences(
        style=AnswerStyle(st.session_state["answer-style"]),
        language=str(st.session_state["answer-language"] or ""),
    )
    attempt(lambda: agents_desk().chats.prefer(chat_preferences))


def _rename(chat: str) -> None:
    if title := str(st.session_state.get(f"title-{chat}") or "").strip():
        attempt(lambda: agents_desk().chats.rename(chat, title))


def _end(chat: str, completed: bool) -> None:
    attempt(lambda: agents_desk().chats.end(chat, completed=completed))


def _remove(chat: str) -> None:
    attempt(lambda: agents_desk().chats.remove(chat))
    st.session_state.pop("chat", None)
