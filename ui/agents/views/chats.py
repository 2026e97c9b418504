"""Chats: those that the person sees, the one that is open, and what is being said in it."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.errors import NotFoundError, PosternError
from data.records.agents.agents import Agent
from data.records.agents.chats import (
    LONGEST_MESSAGE,
    AuthorKind,
    Chat,
    ChatKind,
    ChatView,
    NewChat,
    Rating,
    Said,
)
from data.records.core.streams import StreamEvent
from data.states import ChatState
from ui.agents.api.desk import agents_desk
from ui.agents.markdown import as_html
from ui.agents.widgets import chat_settings
from ui.agents.widgets.transcript import transcript
from ui.agents.widgets.waiting_calls import waiting_calls
from ui.core import address
from ui.core.chips import chip, empty, moment
from ui.core.session import attempt, guard_refusals, notices, read_lately, say
from ui.core.sources import open_source
from ui.core.text.inert import make_inert
from ui.core.text.words import Tone
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.pager import SIZE, first_page, offset, pager

ADDRESS = {"chat": "chat", "with": "chat-words"}
"""What the page's address names, and the session's key of it."""
_GOES_ON = 60.0
"""How old may be what stands around a chat when it is drawn anew for what was said in it, seconds.

Whatever else a person does has it asked for anew, and so does everything that is opened.
"""
_AT_ONCE = 0.25
"""How long an answer is waited for before the page is drawn without it, seconds."""
PAGE = 40
"""Messages that are drawn; earlier ones come when they are asked for."""
LONGEST_WORDS = 200
"""Characters that are searched for."""
_GAP = "…"
"""What stands in a suggestion for a name, so that it cannot be asked as it is."""
STATES: dict[ChatState, tuple[str, Tone]] = {
    ChatState.WAITING: ("waits for a yes", "warn"),
    ChatState.COMPLETED: ("done", "quiet"),
    ChatState.FAILED: ("no answer", "bad"),
}
"""What is said of a chat's state, and in which tone."""
KINDS = {"team": "team", "group": "group", "organization": "everybody"}
"""Kinds of chats of several people, and what they are called."""


def show() -> None:
    """Draw the page."""
    address.take("chats", ADDRESS)
    heading("Chats", "Ask about the queue and about what the organization knows.")
    goes_on = bool(st.session_state.pop("chat-goes-on", False))
    side, right = lists.draw_halves("chats")
    listed = read_lately("chat-agents", agents_desk().agents.list_all, _GOES_ON if goes_on else 0.0)
    agents = {agent.slug: agent for agent in listed.items}
    drawn = None
    with right, guard_refusals():  # first, because whoever has just said something looks there
        opened = st.session_state.get("chat")
        if opened:
            drawn = _draw_chat(str(opened), agents)
    with side, guard_refusals():
        # Where an agent answers, the page is drawn once more at its end: the list can wait for it.
        _draw_list(agents, as_it_was=goes_on and drawn is not None and bool(drawn[1]))
    with right, guard_refusals():
        if drawn is not None:
            _follow(*drawn)
        elif not opened:
            lists.nothing_open("chats", "a chat")
    address.tell(ADDRESS)


def _draw_list(agents: dict[str, Agent], *, as_it_was: bool) -> None:
    """Draw what begins a chat, and the chats that there are, or were when it was last drawn."""
    with st.container(horizontal=True, gap="small", key="begin-and-search"):
        chat_settings.begin(agents, _begin)
        st.text_input(
            "Search",
            key="chat-words",
            type="search",
            placeholder="Search what was said",
            label_visibility="collapsed",
            persist_state="session",
            max_chars=LONGEST_WORDS,
            on_change=first_page,
            args=("chats",),
        )
    words = str(st.session_state.get("chat-words") or "")
    skipped = offset("chats")
    listed = read_lately(
        f"chats-{words}-{skipped}",
        lambda: agents_desk().chats.find(words, limit=SIZE, offset=skipped),
        _GOES_ON if as_it_was else 0.0,
    )
    chats = listed.items
    st.session_state["ids-chats"] = [chat.id for chat in chats]
    now = datetime.now(UTC)
    with lists.listing("chats"):
        for chat in chats:
            agent = agents.get(chat.agent)
            lists.row(
                chat.id,
                agent.name if agent else chat.agent,
                chat.title or "Nothing said yet",
                f"about “{listed.about[chat.id].title}”" if chat.id in listed.about else "",
                _chips_of(chat, listed.states.get(chat.id)),
                moment(chat.updated_at, now),
                chat.id == st.session_state.get("chat"),
                _open,
            )
    pager("chats", listed.total)
    if not chats and words:
        empty("No chat has these words.")
    elif not chats:
        empty("No chat yet.", "Begin one above: with an agent alone, or with others.")


def _chips_of(chat: Chat, state: ChatState | None) -> tuple[str, ...]:
    """Return the chips of a chat's line: whose it is, and in which state."""
    kind = (chip(KINDS[chat.kind], "quiet"),) if chat.kind in KINDS else ()
    if state not in STATES:
        return kind
    words, look = STATES[state]
    return (*kind, chip(words, look))


def _draw_chat(
    chat_id: str, agents: dict[str, Agent]
) -> tuple[ChatView, list[str], DeltaGenerator] | None:
    """Draw a chat: who takes part, what was said, and where one writes.

    Return it with the turns under way in it and the place for what is said in them, or None where
    it is not there for the person.
    """
    limit = int(st.session_state.get(f"shown-{chat_id}", PAGE))
    try:
        view = _with_own_words(chat_id) or agents_desk().chats.read(chat_id, limit)
    except NotFoundError:  # somebody has removed it, or let this person go
        st.session_state.pop("chat", None)
        say("note", "That chat is not there for you: it was removed, or you take no part in it.")
        notices("missing")
        lists.nothing_open("chats", "a chat")
        return None
    st.session_state["chat-drawn"], st.session_state["chat-mark"] = view, view.mark
    chat_settings.head(view, agents)
    talk = st.container(key="talk", height=560, border=False, autoscroll=False)
    ended: dict[str, str] = st.session_state.pop("chat-ended", {}).get(chat_id, {})
    with talk:
        if view.messages:
            acts = (open_source, _rate, _show_earlier, _ask_again, _undo)
            transcript(view, agents, *acts, tuple(ended))
        live = st.container(key="live")
        if not view.messages:
            _draw_suggestions(view, agents)
    _draw_why()
    asks = view.state is ChatState.WAITING
    waiting = (
        [call for call in agents_desk().turns.waiting_calls() if call.chat_id == chat_id]
        if asks
        else []
    )
    with live:
        waiting_calls(waiting)
        for turn, words in ended.items():  # until the browser has drawn what came of it
            with st.container(key=f"turn-{turn}"):
                st.empty()
                st.html(words)
    awake, prompt = _prompt(view, agents)
    st.chat_input(
        prompt,
        key=f"ask-{chat_id}",
        max_chars=LONGEST_MESSAGE,
        disabled=not awake,
        on_submit=_say,
        args=(chat_id,),
    )
    turns_waiting = {call.turn_id for call in waiting}
    return view, [turn for turn in view.active if turn not in turns_waiting], live


def _with_own_words(chat_id: str) -> ChatView | None:
    """Return the chat that is drawn with what was just said put below; None where more has changed.

    What one has said stands on the page before anything is asked for.
    """
    sent: Said | None = st.session_state.pop("chat-said", None)
    drawn: ChatView | None = st.session_state.get("chat-drawn")
    if sent is None or drawn is None or drawn.chat.id != chat_id or not drawn.messages:
        return None
    nothing_between = sent.message.place == drawn.messages[-1].place + 1
    if not nothing_between or drawn.state is ChatState.COMPLETED:
        return None
    return drawn.model_copy(
        update={
            "messages": (*drawn.messages, sent.message),
            "active": (*drawn.active, *sent.turns),
        }
    )


def _follow(view: ChatView, turns: list[str], live: DeltaGenerator) -> None:
    """Show what is being said in a chat, then the chat with it; look for what comes later."""
    with live:
        words = {turn: _draw_turn(turn) for turn in turns}
    if ended := {turn: text for turn, text in words.items() if text is not None}:
        st.session_state["chat-goes-on"] = True
        st.session_state["chat-ended"] = {view.chat.id: ended}
        st.rerun()
    st.session_state["chat-looked-at"] = True
    _redraw_on_change(view.chat.id, _what_changes(view))


def _what_changes(view: ChatView) -> tuple[object, ...]:
    """Return what changes with whatever others say and agents do in a chat."""
    newest = view.messages[-1].place if view.messages else 0
    return newest, view.active, view.state, len(view.members), view.stored


@st.fragment(run_every="5s", key="chat-watch")
def _redraw_on_change(chat_id: str, drawn: tuple[object, ...]) -> None:
    """Draw the page anew once somebody else has said something, or an agent goes on.

    It looks for the first time after a while: the page around it was drawn a moment ago.
    """
    if st.session_state.pop("chat-looked-at", False):
        return
    with suppress(PosternError):  # the page itself says what is the matter, when it is drawn
        view = agents_desk().chats.read_if_new(
            chat_id, str(st.session_state.get("chat-mark") or "")
        )
        if view is None:
            return
        st.session_state["chat-mark"] = view.mark
        if _what_changes(view) != drawn:
            st.rerun()


def _prompt(view: ChatView, agents: dict[str, Agent]) -> tuple[bool, str]:
    """Return whether one can write, and what the empty field says."""
    members = [member for member in view.members if member.kind is AuthorKind.AGENT]
    people = sum(member.kind is AuthorKind.PERSON for member in view.members)
    if view.chat.kind not in KINDS and people <= 1 and len(members) == 1:
        agent = agents.get(members[0].member_id)
        if agent is None:  # deleted, or assigned to others
            return False, f"{members[0].name} cannot be asked by you any more"
        if not agent.works:
            why = "has to be set up first" if agent.unanswered else "is paused"
            return False, f"{agent.name} {why}"
        return True, f"Ask {agent.name}"
    if view.chat.kind is ChatKind.DIRECT and not members:
        return False, "No agent is in this chat any more; let one in, or begin another chat"
    agents_named = " or ".join(f"@{member.member_id}" for member in members[:3])
    return (
        True,
        f"Write to everybody here; name an agent to ask it: {agents_named}" if members else "Write",
    )


def _draw_suggestions(view: ChatView, agents: dict[str, Agent]) -> None:
    """Offer what the agent can be asked, in a chat in which nothing was said yet."""
    agent = agents.get(view.chat.agent)
    if agent is None:
        return
    with st.container(key="suggestions"):
        st.caption(f"{make_inert(agent.description)}  \nYou can ask, for example:")
        suggestions = view.suggestions
        for place, suggestion in enumerate(suggestions):
            if _GAP not in suggestion:
                to_ask = (view.chat.id, suggestion)
                st.button(suggestion, key=f"suggest-{place}", on_click=_ask, args=to_ask)
        to_fill = [f"*{make_inert(each)}*" for each in suggestions if _GAP in each]
        if to_fill:
            st.caption(f"Or write, with a name in place of {_GAP}: {' · '.join(to_fill)}")


def _say(chat: str) -> None:
    """Say what was typed, before the page is drawn; where that fails it stands in the field."""
    field = f"ask-{chat}"
    text = str(st.session_state[field])
    st.session_state["chat-tries"] = st.session_state.get("chat-tries", 0) + 1
    message_said = attempt(lambda: agents_desk().chats.say(chat, text), forgets=False)
    if message_said is None:
        if st.session_state.get("chat") == chat:  # not after a sign-in that has ended
            st.session_state[field] = text
        return
    st.session_state["chat-goes-on"] = True
    if not _are_answered_at_once(message_said.turns):
        st.session_state["chat-said"] = message_said
    if message_said.absent:
        names = " or ".join(f"@{name}" for name in message_said.absent)
        say("warning", f"Nobody hears {names} in this chat, so nobody was asked by that name.")


def _are_answered_at_once(turns: Sequence[str]) -> bool:
    """Return whether turns end so soon that nobody would read along.

    The page is then drawn once, with what was answered, instead of before it and after it.
    """
    with suppress(PosternError):
        return bool(turns) and all(
            agents_desk().turns.ends_within(turn, _AT_ONCE) for turn in turns
        )
    return False


def _draw_turn(turn: str) -> str | None:
    """Show what an agent says in a turn, from its first event on; return it once it has ended."""
    with st.container(key=f"turn-{turn}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            doing = st.empty()
            st.button("Stop", key=f"stop-{turn}", type="tertiary", on_click=_stop, args=(turn,))
        body = st.empty()
        doing.caption("At it …")
        text, html, ended = "", _as_words(""), False
        for event in agents_desk().turns.listen(turn):
            ended = event.ends
            if event.kind == "move":
                doing.caption(make_inert(event.text))
            elif event.kind == "waiting":
                doing.caption("Waits for the yes of who asked.")
            else:
                doing.empty()
                text = _join_text(text, event)
                html = _as_words(text)
                body.html(html)
    return html if ended else None


def _as_words(text: str) -> str:
    """Return what is said of an answer as HTML, which is never empty."""
    return f'<div class="t-said">{as_html(text)}</div>'


def _join_text(text: str, event: StreamEvent) -> str:
    """Return what is said of an answer after an event."""
    if event.kind == "retract":
        return ""
    return f"{text}\n\n{event.text}" if event.kind == "failed" else text + event.text


def _draw_why() -> None:
    """Draw the question why an answer was not helpful, once somebody has said so."""
    if not (message := st.session_state.get("rated-down")):
        return
    with st.container(horizontal=True, key="why-not", vertical_alignment="bottom"):
        st.text_input("What was wrong with it?", key="why-words", max_chars=1000)
        st.button("Tell", key="why-tell", on_click=_tell_why, args=(message,))
        st.button("Not now", key="why-skip", type="tertiary", on_click=_skip_why)


def _tell_why(message: str) -> None:
    """Rate an answer as not helpful, with the words of the field, and close the question."""
    words = str(st.session_state.get("why-words") or "")
    attempt(lambda: agents_desk().chats.rate(message, Rating(helpful=False, words=words)))
    _skip_why()


def _skip_why() -> None:
    """Close the question why an answer was not helpful."""
    st.session_state.pop("rated-down", None)


def _begin(new_chat: NewChat) -> None:
    """Begin a chat and open it; the list shows all chats again, from the newest on."""
    if (chat := attempt(lambda: agents_desk().chats.begin(new_chat))) is not None:
        st.session_state["chat"] = chat.id
        st.session_state["chat-words"] = ""
        first_page("chats")


def _open(chat: str) -> None:
    """Open a chat in the right half."""
    st.session_state["chat"] = chat
    _skip_why()


def _rate(message: str, helpful: bool | None) -> None:
    """Keep whether an answer was helpful, and ask why not; None takes a rating back."""
    rating = None if helpful is None else Rating(helpful=helpful)
    attempt(lambda: agents_desk().chats.rate(message, rating))
    if helpful is False:
        st.session_state["rated-down"] = message
    else:
        _skip_why()


def _show_earlier(shown: int) -> None:
    """Have more messages drawn than are shown."""
    st.session_state[f"shown-{st.session_state['chat']}"] = shown + PAGE


def _ask_again(turn: str) -> None:
    """Ask once more what a turn did not answer."""
    attempt(lambda: agents_desk().turns.ask_again(turn))


def _undo(turn: str) -> None:
    """Take back what an agent stored in a turn."""
    if taken_back := attempt(lambda: agents_desk().turns.undo(turn)):
        say("done", f"Taken back: {', '.join(f'“{each.title}”' for each in taken_back)}")


def _stop(turn: str) -> None:
    """End a turn that is under way."""
    attempt(lambda: agents_desk().turns.stop(turn))


def _ask(chat: str, text: str) -> None:
    """Say a suggestion in a chat."""
    attempt(lambda: agents_desk().chats.say(chat, text))


if __name__ == "__main__":
    address.follow()
    show()
