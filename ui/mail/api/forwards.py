"""The API of forwards to endpoints."""

from data.records.mail.orders import ForwardOutcome, ResolveForward
from data.records.mail.outgoing_views import ForwardView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class ForwardApi:
    """The part of the API about what is forwarded to endpoints."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[ForwardView]:
        """Return what is forwarded to endpoints, newest first."""
        return self._client.read(
            Listing[ForwardView], self._at("forwards"), state=state, limit=limit, offset=offset
        )

    def read(self, id: str) -> ForwardView:
        """Return one message that is forwarded to an endpoint."""
        return self._client.read(ForwardView, self._at("forwards", id))

    def resolve(self, id: str, outcome: ForwardOutcome) -> ForwardView:
        """Try a forward again, give it up, or take the giving up back."""
        decision = ResolveForward(outcome=outcome)
        return self._client.act(ForwardView, self._at("forwards", id, "resolve"), decision)
