"""The API of the outbox: replies, and what is passed on."""

from typing import Literal

from data.records.mail.documents import DrawnPage
from data.records.mail.orders import Resolve
from data.records.mail.outgoing_views import DeliveryView
from data.records.mail.passing_on import Purpose
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient
from ui.mail.api.drawn_pages import draw_page


class OutboxApi:
    """The part of the API about what leaves: replies, and what is passed on."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(
        self,
        state: str = "",
        limit: int = 25,
        offset: int = 0,
        *,
        purpose: Purpose | None = None,
        scheduled: bool = False,
    ) -> Listing[DeliveryView]:
        """Return outgoing messages, newest first: replies, what people passed on, or both.

        With `scheduled` it is what leaves at a moment that somebody chose, the next one first.
        """
        parameters = {"state": state, "limit": limit, "offset": offset, "purpose": purpose or ""}
        if scheduled:
            parameters["scheduled"] = "true"
        return self._client.read(Listing[DeliveryView], self._at("outbox"), **parameters)

    def read(self, id: str) -> DeliveryView:
        """Return one outgoing message."""
        return self._client.read(DeliveryView, self._at("deliveries", id))

    def enclosed_file(self, id: str, sha256: str) -> bytes:
        """Return the bytes of a file that an outgoing message carries."""
        return self._client.fetch(self._at("deliveries", id, "attachments", sha256))

    def draw_enclosed(self, delivery_id: str, sha256: str, page: int) -> DrawnPage:
        """Return a file of something in the outbox, or a page of it, drawn anew."""
        path = self._at("deliveries", delivery_id, "attachments", sha256, "preview")
        return draw_page(self._client, path, page)

    def cancel(self, id: str) -> DeliveryView:
        """Take a delivery back before it leaves; its case returns to review."""
        return self._client.act(DeliveryView, self._at("deliveries", id, "cancel"), {})

    def resolve(self, id: str, outcome: Literal["sent", "retry", "cancel"]) -> DeliveryView:
        """Decide on a delivery whose outcome is unknown or that failed."""
        decision = Resolve(outcome=outcome)
        return self._client.act(DeliveryView, self._at("deliveries", id, "resolve"), decision)
