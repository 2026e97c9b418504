"""What a person can ask of agents, and how an answer is listened to while it is said."""

import time
from collections.abc import Iterator

from pydantic import RootModel

from data.records.agents.agents import AgentList
from data.records.agents.chats import (
    AuthorKind,
    ChangedChat,
    Chat,
    ChatList,
    ChatPreferences,
    ChatView,
    MemberList,
    NewChat,
    NewMember,
    Rating,
    Said,
    Say,
)
from data.records.agents.intents import IntentList, SwitchedIntent
from data.records.agents.turn_work import Stored, StoredList
from data.records.agents.turns import CallDecision, Turn, WaitingCall, WaitingCallList
from data.records.core.principals import Team, User
from data.records.core.streams import StreamEvent
from ui.api.sender_desk import SenderDesk

_Teams = RootModel[tuple[Team, ...]]
_Users = RootModel[tuple[User, ...]]

_MOST = 200
"""Messages of a chat that one request gives at most."""


def _join_pages(older: ChatView, newer: ChatView) -> ChatView:
    """Return a chat with the messages of two pages that follow each other."""
    return newer.model_copy(
        update={
            "messages": (*older.messages, *newer.messages),
            "earlier": older.earlier,
            "failed": (*older.failed, *newer.failed),
            "ratings": older.ratings | newer.ratings,
            "charts": older.charts | newer.charts,
            "work": older.work | newer.work,
            "stored": older.stored | newer.stored,
        }
    )


class TalkDesk(SenderDesk):
    """The part of a `Desk` about agents and chats; raises what `data.refusals` lists."""

    def intents(self) -> IntentList:
        """Return the plain questions that can be answered without the model."""
        return self._client.read(IntentList, f"{self._root}/chat-intents")

    def switch_intent(self, intent: str, *, switched_on: bool) -> IntentList:
        """Have a plain question answered without the model, or with it."""
        switched_intent = SwitchedIntent(switched_on=switched_on)
        return self._client.act(
            IntentList, self._at("chat-intents", intent), switched_intent, "PUT"
        )

    def agents(self, everyone: bool = False) -> AgentList:
        """Return the agents that the person can talk to; all of them for who manages."""
        query = {"everyone": "true"} if everyone else {}
        return self._client.read(AgentList, f"{self._root}/agents", **query)

    def chats(self, words: str = "", limit: int = 30, offset: int = 0, about: str = "") -> ChatList:
        """Return one page of the chats that the person sees; with words, or about one thing."""
        path = f"{self._root}/chats"
        return self._client.read(
            ChatList, path, words=words, limit=limit, offset=offset, about=about
        )

    def chat(self, id: str, limit: int = 40) -> ChatView:
        """Return a chat with its newest messages, in as many requests as that takes."""
        path = self._at("chats", id)
        view = self._client.read(ChatView, path, limit=min(limit, _MOST))
        while view.earlier and (left := limit - len(view.messages)) > 0:
            before = view.messages[0].place
            older = self._client.read(ChatView, path, limit=min(left, _MOST), before=before)
            if not older.messages:
                break
            view = _join_pages(older, view)
        return view

    def chat_if_new(self, id: str, mark: str) -> ChatView | None:
        """Return a chat with its newest message; None while nothing was written since a mark."""
        return self._client.read_if_new(ChatView, self._at("chats", id), mark, limit=1)

    def begin_chat(self, new_chat: NewChat) -> Chat:
        """Begin a chat with an agent."""
        return self._client.act(Chat, f"{self._root}/chats", new_chat)

    def rename_chat(self, id: str, title: str) -> Chat:
        """Call a chat something else."""
        return self._client.act(Chat, self._at("chats", id), ChangedChat(title=title), "PATCH")

    def end_chat(self, id: str, *, completed: bool) -> Chat:
        """Say that one is done with a chat, or take that back."""
        order = ChangedChat(completed=completed)
        return self._client.act(Chat, self._at("chats", id), order, "PATCH")

    def remove_chat(self, id: str) -> None:
        """Remove a chat with all that was said in it."""
        self._client.remove(self._at("chats", id))

    def export_chat(self, id: str) -> bytes:
        """Return a chat as a Markdown document."""
        return self._client.fetch(self._at("chats", id, "export"))

    def admit(self, id: str, new_member: NewMember) -> MemberList:
        """Let somebody into a chat, or have an agent listen in another way."""
        return self._client.act(MemberList, self._at("chats", id, "members"), new_member, "PUT")

    def dismiss(self, id: str, kind: AuthorKind, member_id: str) -> None:
        """Let somebody take part no longer."""
        self._client.remove(self._at("chats", id, "members", kind, member_id))

    def rate(self, message: str, rating: Rating | None) -> None:
        """Say what the person thinks of an answer; None takes it back."""
        path = self._at("chats", "ratings", message)
        if rating is None:
            self._client.remove(path)
        else:
            self._client.act(Rating, path, rating, "PUT")

    def preferences(self) -> ChatPreferences:
        """Return how the person likes answers."""
        return self._client.read(ChatPreferences, self._at("chats", "preferences"))

    def prefer(self, chat_preferences: ChatPreferences) -> ChatPreferences:
        """Say how the person likes answers."""
        path = self._at("chats", "preferences")
        return self._client.act(ChatPreferences, path, chat_preferences, "PUT")

    def teams(self) -> tuple[Team, ...]:
        """Return the organization's teams."""
        return self._client.read(_Teams, f"{self._root}/teams").root

    def colleagues(self) -> tuple[User, ...]:
        """Return who may see the organization."""
        return self._client.read(_Users, f"{self._root}/users").root

    def say(self, id: str, text: str) -> Said:
        """Say something in a chat."""
        return self._client.act(Said, self._at("chats", id, "messages"), Say(text=text))

    def stop_turn(self, turn: str) -> Turn:
        """End a turn; what was said so far stays."""
        return self._client.act(Turn, self._at("turns", turn, "stop"), {})

    def waiting_calls(self) -> tuple[WaitingCall, ...]:
        """Return the calls of agents that wait for the yes of who asks."""
        return self._client.read(WaitingCallList, f"{self._root}/calls").items

    def decide_call(self, approval: str, decision: CallDecision) -> WaitingCallList:
        """Say yes or no to a call that waits."""
        return self._client.act(WaitingCallList, self._at("calls", approval), decision)

    def ask_again(self, turn: str) -> Turn:
        """Have an agent answer once more what it failed at."""
        return self._client.act(Turn, self._at("turns", turn, "again"), {})

    def undo_turn(self, turn: str) -> tuple[Stored, ...]:
        """Take back what an agent stored in a turn; return what that was."""
        return self._client.act(StoredList, self._at("turns", turn, "undo"), {}).items

    def listen(self, turn: str) -> Iterator[StreamEvent]:
        """Yield the events of a turn, those that have been and those that come, until it ends."""
        for data in self._client.listen(self._at("turns", turn, "events")):
            yield StreamEvent.model_validate_json(data)

    def ends_within(self, turn: str, seconds: float) -> bool:
        """Return whether a turn ends within so many seconds; it is waited for no longer."""
        end = time.monotonic() + seconds
        for data in self._client.listen(self._at("turns", turn, "events"), seconds):
            if StreamEvent.model_validate_json(data).ends:
                return True
            if time.monotonic() > end:
                break
        return False
