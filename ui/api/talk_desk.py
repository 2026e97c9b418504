"""What a person can ask of agents, and how an answer is listened to while it is said."""

from collections.abc import Iterator

from data.records.agents.agents import AgentList
from data.records.agents.chats import Chat, ChatList, ChatView, NewChat, Said, Say
from data.records.core.streams import StreamEvent
from ui.api.sender_desk import SenderDesk


class TalkDesk(SenderDesk):
    """The part of a `Desk` about agents and chats; raises what `data.refusals` lists."""

    def agents(self) -> AgentList:
        """Return the agents that somebody can talk to."""
        return self._client.read(AgentList, f"{self._root}/agents")

    def chats(self, limit: int = 30) -> ChatList:
        """Return the person's newest chats."""
        return self._client.read(ChatList, f"{self._root}/chats", limit=limit)

    def chat(self, id: str, limit: int = 40) -> ChatView:
        """Return a chat with its newest messages."""
        return self._client.read(ChatView, self._at("chats", id), limit=limit)

    def begin_chat(self, agent: str) -> Chat:
        """Begin a chat with an agent."""
        return self._client.act(Chat, f"{self._root}/chats", NewChat(agent=agent))

    def say(self, id: str, text: str) -> Said:
        """Say something in a chat."""
        return self._client.act(Said, self._at("chats", id, "messages"), Say(text=text))

    def listen(self, turn: str) -> Iterator[StreamEvent]:
        """Yield the events of a turn, those that have been and those that come, until it ends."""
        for data in self._client.listen(self._at("turns", turn, "events")):
            yield StreamEvent.model_validate_json(data)
