"""Letters as they are written."""

from data.records.core.model_views import PartialDraft
from data.records.core.record import Record
from data.records.mail.attaching import DetachFile
from data.records.mail.copies import ChooseCopies
from data.records.mail.documents import DrawnPage
from data.records.mail.drafting import Checked
from data.records.mail.follow_ups import WriteAgain
from data.records.mail.new_mail import WriteMail
from data.records.mail.orders import Choose
from data.records.mail.views import CaseView
from ui.core.api.organization_client import OrganizationClient
from ui.mail.api.drawn_pages import draw_page


class Preview(Record):
    """What an edited reply would look like, and what the check says about it."""

    reply_preview: str
    approval_hash: str
    checked: Checked


class LetterApi:
    """The part of the API about letters as they are written."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def preview(self, id: str, subject: str, body: str) -> Preview:
        """Return what an edited reply would look like."""
        edited = {"subject": subject, "body": body}
        return self._client.act(Preview, self._at("cases", id, "preview"), edited)

    def partial_draft(self, id: str) -> PartialDraft:
        """Return the draft that a model is writing, as far as it has come."""
        return self._client.read(PartialDraft, self._at("cases", id, "draft"))

    def choose(self, id: str, decision: Choose) -> CaseView:
        """Make one of the other drafts the newest one."""
        return self._client.act(CaseView, self._at("cases", id, "choose"), decision)

    def choose_copies(self, id: str, decision: ChooseCopies) -> CaseView:
        """Say who gets a copy of the reply."""
        return self._client.act(CaseView, self._at("cases", id, "copies"), decision)

    def attach_file(self, id: str, version: int, name: str, content: bytes) -> CaseView:
        """Put a file on the letter of a case."""
        return self._client.upload(
            CaseView, self._at("cases", id, "attachments"), content, version=version, name=name
        )

    def attached_file(self, id: str, file: str) -> bytes:
        """Return the bytes of a file on the letter of a case."""
        return self._client.fetch(self._at("cases", id, "attachments", file))

    def detach_file(self, id: str, file: str, order: DetachFile) -> CaseView:
        """Take a file off the letter of a case."""
        return self._client.act(
            CaseView, self._at("cases", id, "attachments", file, "remove"), order
        )

    def draw_attached(self, case_id: str, file_id: str, page: int) -> DrawnPage:
        """Return a file of a case's letter, or a page of it, as the engine draws it anew."""
        path = self._at("cases", case_id, "attachments", file_id, "preview")
        return draw_page(self._client, path, page)

    def write_again(self, id: str, order: WriteAgain) -> CaseView:
        """Begin another letter to the contact of a case; return its case."""
        return self._client.act(CaseView, self._at("cases", id, "again"), order)

    def write_mail(self, order: WriteMail) -> CaseView:
        """Begin a mail to an address; return its case."""
        return self._client.act(CaseView, self._at("letters"), order)
