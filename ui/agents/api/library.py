"""The library for agents."""

from data.records.agents.library import EntryKind, LibraryEntryList, LibraryVersion, NewEntry
from ui.core.api.organization_client import OrganizationClient


class LibraryApi:
    """The part of the API about the library for agents."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def entries(self) -> LibraryEntryList:
        """Return what the library for agents has."""
        return self._client.read(LibraryEntryList, self._at("agent-library"))

    def read(self, kind: EntryKind, name: str) -> LibraryVersion:
        """Return an entry of the library with its text."""
        return self._client.read(LibraryVersion, self._at("agent-library", kind, name))

    def write(self, kind: EntryKind, name: str, new_entry: NewEntry) -> LibraryVersion:
        """Write an entry of the library, or one more wording of it."""
        path = self._at("agent-library", kind, name)
        return self._client.act(LibraryVersion, path, new_entry, "PUT")

    def take_out(self, kind: EntryKind, name: str) -> None:
        """Take an entry out of the library; its wordings stay."""
        self._client.remove(self._at("agent-library", kind, name))
