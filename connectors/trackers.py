"""Outside trackers that are told of tickets; what one must do, and the one by signed webhook."""

from datetime import datetime
from typing import Protocol

from connectors.endpoint import EndpointClient, EndpointResult


class TicketTracker(Protocol):
    """Somewhere outside where tickets are kept, too."""

    async def tell(self, identity: str, body: bytes, now: datetime) -> EndpointResult:
        """Tell once what happened to a ticket.

        `body` is JSON with `type` (`ticket.opened`, `ticket.comment`, `ticket.closed`,
        `ticket.reopened`), `timestamp` and `data`; the same `identity` means the same news.
        """


class WebhookTracker:
    """Posts news of tickets, signed (Standard Webhooks 1.0.0), by the rules of endpoints."""

    def __init__(self, client: EndpointClient, url: str, secret: str) -> None:
        """`secret` is a key `whsec_…`."""
        self._client = client
        self._url = url
        self._secret = secret

    async def tell(self, identity: str, body: bytes, now: datetime) -> EndpointResult:
        """Try once; raises ForbiddenError when the secret is not valid."""
        return await self._client.post(self._url, self._secret, identity, body, now)
