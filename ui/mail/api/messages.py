"""Messages."""

from data.records.mail.documents import DocumentView, DrawnPage
from data.records.mail.orders import Correct
from data.records.mail.views import MessageLine, MessageView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient
from ui.mail.api.drawn_pages import draw_page


class MessageApi:
    """The part of the API about messages."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, limit: int = 25, offset: int = 0, **only: str) -> Listing[MessageLine]:
        """Return inbound messages, newest first; `only` narrows: status, q, category and so on."""
        return self._client.read(
            Listing[MessageLine], self._at("messages"), limit=limit, offset=offset, **only
        )

    def read(self, id: str) -> MessageView:
        """Return one message with all that was decided about it."""
        return self._client.read(MessageView, self._at("messages", id))

    def raw(self, id: str) -> bytes:
        """Return a message as it came over the wire."""
        return self._client.fetch(self._at("messages", id, "raw"))

    def attachment(self, id: str, sha256: str) -> bytes:
        """Return the decoded bytes of one attachment."""
        return self._client.fetch(self._at("messages", id, "attachments", sha256))

    def draw_page(self, id: str, sha256: str, page: int) -> DrawnPage:
        """Return a picture, or a page of a PDF counted from 1, as the engine draws it anew."""
        path = self._at("messages", id, "attachments", sha256, "preview")
        return draw_page(self._client, path, page)

    def read_document(self, id: str, sha256: str) -> DocumentView:
        """Have an attachment read; return its text and what the screen says of it."""
        return self._client.act(
            DocumentView,
            self._at("messages", id, "attachments", sha256, "read"),
            {},
            is_long=True,
        )

    def correct(self, id: str, spam: bool) -> MessageView:
        """Say whether a message is spam; later mail is judged by it."""
        return self._client.act(
            MessageView, self._at("messages", id, "correct"), Correct(spam=spam)
        )

    def call_personal(self, id: str) -> MessageView:
        """Say that a person wrote a stored message."""
        return self._client.act(MessageView, self._at("messages", id, "person"), {})

    def replay(self, id: str) -> MessageView:
        """Work on a message again from its raw bytes."""
        return self._client.act(MessageView, self._at("messages", id, "replay"), {})
