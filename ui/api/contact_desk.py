"""What an administrator can ask and do about one contact's data."""

from urllib.parse import quote

from data.records.mail.contacts import EraseContact, Erased, Holdings
from ui.api.client import ApiClient


class ContactDesk:
    """The calls about one contact; every method raises what `data.refusals` lists."""

    def __init__(self, client: ApiClient, organization: str) -> None:
        self._client = client
        self._root = f"/v1/{quote(organization, safe='')}/contact"

    def held(self, address: str) -> Holdings:
        """Return what is held on whoever has this address, counted."""
        return self._client.read(Holdings, self._root, address=address)

    def export(self, address: str) -> bytes:
        """Return all of it as a zip."""
        path = f"{self._root}/export?address={quote(address, safe='')}"
        return self._client.fetch(path, is_long=True)

    def erase(self, address: str, *, keep_learned: bool) -> Erased:
        """Erase all of it."""
        order = EraseContact(address=address, keep_learned=keep_learned)
        return self._client.act(Erased, f"{self._root}/erase", order, is_long=True)
