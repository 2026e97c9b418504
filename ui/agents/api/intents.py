"""Plain questions."""

from data.records.agents.intents import IntentList, SwitchedIntent
from ui.core.api.organization_client import OrganizationClient


class IntentApi:
    """The part of the API about plain questions."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def list_all(self) -> IntentList:
        """Return the plain questions that can be answered without the model."""
        return self._client.read(IntentList, self._at("chat-intents"))

    def switch(self, intent: str, *, switched_on: bool) -> IntentList:
        """Have a plain question answered without the model, or with it."""
        switched_intent = SwitchedIntent(switched_on=switched_on)
        return self._client.act(
            IntentList, self._at("chat-intents", intent), switched_intent, "PUT"
        )
