"""Chats."""

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
from ui.core.api.organization_client import OrganizationClient

_MOST = 200
"""Messages of a chat that one request gives at most."""


class ChatApi:
    """The part of the API about chats."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, words: str = "", limit: int = 30, offset: int = 0, about: str = "") -> ChatList:
        """Return one page of the chats that the person sees; with words, or about one thing."""
        path = self._at("chats")
        return self._client.read(
            ChatList, path, words=words, limit=limit, offset=offset, about=about
        )

    def read(self, id: str, limit: int = 40) -> ChatView:
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

    def read_if_new(self, id: str, mark: str) -> ChatView | None:
        """Return a chat with its newest message; None while nothing was written since a mark."""
        return self._client.read_if_new(ChatView, self._at("chats", id), mark, limit=1)

    def begin(self, new_chat: NewChat) -> Chat:
        """Begin a chat with an agent."""
        return self._client.act(Chat, self._at("chats"), new_chat)

    def rename(self, id: str, title: str) -> Chat:
        """Call a chat something else."""
        return self._client.act(Chat, self._at("chats", id), ChangedChat(title=title), "PATCH")

    def end(self, id: str, *, completed: bool) -> Chat:
        """Say that one is done with a chat, or take that back."""
        order = ChangedChat(completed=completed)
        return self._client.act(Chat, self._at("chats", id), order, "PATCH")

    def remove(self, id: str) -> None:
        """Remove a chat with all that was said in it."""
        self._client.remove(self._at("chats", id))

    def export(self, id: str) -> bytes:
        """Return a chat as a Markdown document."""
        return self._client.fetch(self._at("chats", id, "export"))

    def say(self, id: str, text: str) -> Said:
        """Say something in a chat."""
        return self._client.act(Said, self._at("chats", id, "messages"), Say(text=text))

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
