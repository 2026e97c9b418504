"""Entries of knowledge."""

from data.records.core.kept_knowledge import (
    EntryVersions,
    GivenFile,
    KeepEntry,
    OpenQuestions,
    ReadFile,
    TurnEntry,
)
from data.records.core.learning import EntryView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class KnowledgeApi:
    """The part of the API about entries of knowledge."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(
        self, q: str = "", which: str = "", limit: int = 25, offset: int = 0
    ) -> Listing[EntryView]:
        """Return knowledge entries by title."""
        return self._client.read(
            Listing[EntryView],
            self._at("knowledge"),
            q=q,
            which=which,
            limit=limit,
            offset=offset,
        )

    def entry(self, id: str) -> EntryView:
        """Return one entry, a retired one too."""
        return self._client.read(EntryView, self._at("knowledge", id))

    def write(self, order: KeepEntry) -> EntryView:
        """Keep a new entry."""
        return self._client.act(EntryView, self._at("knowledge"), order)

    def change(self, id: str, order: KeepEntry) -> EntryView:
        """Keep another wording of an entry."""
        return self._client.act(EntryView, self._at("knowledge", id), order, "PUT")

    def turn(self, id: str, act: str, order: TurnEntry) -> EntryView:
        """Do with an entry what `act` says: `retire`, `restore` or `hand-back`."""
        return self._client.act(EntryView, self._at("knowledge", id, act), order)

    def versions(self, id: str) -> EntryVersions:
        """Return every wording of an entry that was written here."""
        return self._client.read(EntryVersions, self._at("knowledge", id, "versions"))

    def read_file(self, order: GivenFile) -> ReadFile:
        """Return what a file says as entries; nothing is kept."""
        return self._client.act(ReadFile, self._at("knowledge", "read"), order)

    def open_questions(self) -> OpenQuestions:
        """Return what people asked and the knowledge did not answer."""
        return self._client.read(OpenQuestions, self._at("knowledge", "unanswered"))
