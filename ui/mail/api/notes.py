"""Notes for colleagues."""

from typing import Literal

from data.records.mail.notes import NoteView, WriteNote
from data.records.mail.views import CaseView, ThreadView
from ui.core.api.organization_client import OrganizationClient

Noted = CaseView | ThreadView
"""What a note was written on, with the note."""


_NOTED: dict[str, type[CaseView] | type[ThreadView]] = {"cases": CaseView, "threads": ThreadView}


class NoteApi:
    """The part of the API about notes for colleagues."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def write(self, place: Literal["cases", "threads"], id: str, note: WriteNote) -> Noted:
        """Keep a note on a case or a conversation."""
        return self._client.act(_NOTED[place], self._at(place, id, "notes"), note)

    def remove(self, id: str) -> NoteView:
        """Take a note away, and return what it was."""
        return self._client.act(NoteView, self._at("notes", id, "remove"), {})
