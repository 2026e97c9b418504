"""One contact's data."""

from urllib.parse import quote

from data.records.mail.contacts import EraseContact, Erased, Holdings
from ui.core.api.organization_client import OrganizationClient


class ContactApi:
    """The part of the API about one contact's data."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def read_holdings(self, address: str) -> Holdings:
        """Return what is held on whoever has this address, counted."""
        return self._client.read(Holdings, self._at("contact"), address=address)

    def export(self, address: str) -> bytes:
        """Return all of it as a zip."""
        path = f"{self._at('contact', 'export')}?address={quote(address, safe='')}"
        return self._client.fetch(path, is_long=True)

    def erase(self, address: str, *, keep_learned: bool) -> Erased:
        """Erase all of it."""
        order = EraseContact(address=address, keep_learned=keep_learned)
        return self._client.act(Erased, self._at("contact", "erase"), order, is_long=True)
