"""Tickets."""

from data.records.mail.tickets import Comment, Reason, TicketView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class TicketApi:
    """The part of the API about tickets."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(
        self, state: str = "", q: str = "", limit: int = 25, offset: int = 0, case: str = ""
    ) -> Listing[TicketView]:
        """Return tickets without their notes, newest first."""
        return self._client.read(
            Listing[TicketView],
            self._at("tickets"),
            state=state,
            q=q,
            limit=limit,
            offset=offset,
            case=case,
        )

    def export(self) -> bytes:
        """Return all tickets as a Parquet file."""
        return self._client.fetch(self._at("export", "tickets"))

    def read(self, id: str) -> TicketView:
        """Return one ticket with its notes."""
        return self._client.read(TicketView, self._at("tickets", id))

    def close(self, id: str, reason: str) -> TicketView:
        """Close a ticket."""
        return self._client.act(TicketView, self._at("tickets", id, "close"), Reason(reason=reason))

    def reopen(self, id: str, reason: str) -> TicketView:
        """Open a ticket again."""
        order = Reason(reason=reason)
        return self._client.act(TicketView, self._at("tickets", id, "reopen"), order)

    def tell_tracker(self, id: str) -> TicketView:
        """Tell the outside tracker again what it has not taken."""
        return self._client.act(TicketView, self._at("tickets", id, "tell"), {})

    def comment(self, id: str, text: str) -> TicketView:
        """Say something about a ticket."""
        return self._client.act(TicketView, self._at("tickets", id, "comment"), Comment(text=text))
