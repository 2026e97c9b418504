"""Turns of agents, and their calls that wait for a yes."""

import time
from collections.abc import Iterator

from data.records.agents.turn_work import Stored, StoredList
from data.records.agents.turns import CallDecision, Turn, WaitingCall, WaitingCallList
from data.records.core.streams import StreamEvent
from ui.core.api.organization_client import OrganizationClient


class TurnApi:
    """The part of the API about turns of agents, and their calls that wait for a yes."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def stop(self, turn: str) -> Turn:
        """End a turn; what was said so far stays."""
        return self._client.act(Turn, self._at("turns", turn, "stop"), {})

    def ask_again(self, turn: str) -> Turn:
        """Have an agent answer once more what it failed at."""
        return self._client.act(Turn, self._at("turns", turn, "again"), {})

    def undo(self, turn: str) -> tuple[Stored, ...]:
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

    def waiting_calls(self) -> tuple[WaitingCall, ...]:
        """Return the calls of agents that wait for the yes of who asks."""
        return self._client.read(WaitingCallList, self._at("calls")).items

    def decide_call(self, approval: str, decision: CallDecision) -> WaitingCallList:
        """Say yes or no to a call that waits."""
        return self._client.act(WaitingCallList, self._at("calls", approval), decision)
