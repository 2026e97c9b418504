"""Handling rules."""

from data.records.mail.rules import ProposeRule, RuleView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class RuleApi:
    """The part of the API about handling rules."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def list_all(self) -> Listing[RuleView]:
        """Return the handling rules with recent cases that they would have matched."""
        return self._client.read(Listing[RuleView], self._at("rules"))

    def propose(self, sentence: str) -> RuleView:
        """Compile a sentence."""
        order = ProposeRule(sentence=sentence)
        return self._client.act(RuleView, self._at("rules"), order)

    def confirm(self, id: str) -> RuleView:
        """Let a rule count."""
        return self._client.act(RuleView, self._at("rules", id, "confirm"), {})

    def retire(self, id: str) -> RuleView:
        """Let a rule count no more."""
        return self._client.act(RuleView, self._at("rules", id, "retire"), {})
