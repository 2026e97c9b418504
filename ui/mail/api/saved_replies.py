"""Saved replies."""

from data.records.core.learning import SavedReplyView
from data.records.mail.orders import SaveReply
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class SavedReplyApi:
    """The part of the API about saved replies."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, q: str = "") -> Listing[SavedReplyView]:
        """Return the saved replies by title."""
        return self._client.read(Listing[SavedReplyView], self._at("saved-replies"), q=q)

    def add(self, order: SaveReply) -> SavedReplyView:
        """Keep a new saved reply."""
        return self._client.act(SavedReplyView, self._at("saved-replies"), order)

    def edit(self, id: str, order: SaveReply) -> SavedReplyView:
        """Change a saved reply that people keep."""
        return self._client.act(SavedReplyView, self._at("saved-replies", id, "edit"), order)

    def retire(self, id: str) -> SavedReplyView:
        """Let no draft use a saved reply any more."""
        return self._client.act(SavedReplyView, self._at("saved-replies", id, "retire"), {})

    def restore(self, id: str) -> SavedReplyView:
        """Let drafts use a retired saved reply again."""
        return self._client.act(SavedReplyView, self._at("saved-replies", id, "restore"), {})
