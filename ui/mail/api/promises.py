"""Promises of replies that have left."""

from data.records.core.record import Record
from data.records.mail.promises import ClosePromise, PromiseView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class Closed(Record):
    """What became of a promise."""

    state: str


class PromiseApi:
    """The part of the API about promises of replies that have left."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[PromiseView]:
        """Return promises of replies that have left, the next due first."""
        return self._client.read(
            Listing[PromiseView],
            self._at("promises"),
            state=state,
            limit=limit,
            offset=offset,
        )

    def close(self, id: str, note: str) -> Closed:
        """Say that a promise is kept, or no longer holds."""
        order = ClosePromise(note=note)
        return self._client.act(Closed, self._at("promises", id, "close"), order)
