"""Questions to owners."""

from data.records.mail.questions import OwnerAnswer, QuestionView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class QuestionApi:
    """The part of the API about questions to owners."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[QuestionView]:
        """Return questions to owners, newest first."""
        return self._client.read(
            Listing[QuestionView],
            self._at("questions"),
            state=state,
            limit=limit,
            offset=offset,
        )

    def answer(self, id: str, order: OwnerAnswer) -> QuestionView:
        """Answer a question; its case is drafted again."""
        return self._client.act(QuestionView, self._at("questions", id, "answer"), order)

    def withdraw(self, id: str) -> QuestionView:
        """Take a question back."""
        return self._client.act(QuestionView, self._at("questions", id, "withdraw"), {})

    def remember(self, id: str) -> QuestionView:
        """Propose an answer as knowledge, which somebody has to accept."""
        return self._client.act(QuestionView, self._at("questions", id, "remember"), {})
