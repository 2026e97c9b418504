"""The API of learned entries: reading, changing, and deciding on them."""

from data.records.core.learning import AcceptProposal, EditProposal, ProposalView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class Proposals(Listing[ProposalView]):
    """One page of what was learned."""

    waiting: int
    """How many wait for a person, on all pages."""


class ProposalApi:
    """The part of the API about what was learned."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, state: str = "", q: str = "", limit: int = 25, offset: int = 0) -> Proposals:
        """Return what was learned, newest first."""
        return self._client.read(
            Proposals, self._at("proposals"), state=state, q=q, limit=limit, offset=offset
        )

    def read(self, id: str) -> ProposalView:
        """Return one entry that was learned, whatever was decided on it."""
        return self._client.read(ProposalView, self._at("proposals", id))

    def accept(self, id: str, was: str) -> ProposalView:
        """Say yes to what was learned, as it was read with that mark."""
        order = AcceptProposal(was=was)
        return self._client.act(ProposalView, self._at("proposals", id, "accept"), order)

    def reject(self, id: str) -> ProposalView:
        """Say no, or no longer."""
        return self._client.act(ProposalView, self._at("proposals", id, "reject"), {})

    def edit(self, id: str, order: EditProposal) -> ProposalView:
        """Change what was learned; it waits for a yes again."""
        return self._client.act(ProposalView, self._at("proposals", id, "edit"), order)

    def undo(self, id: str) -> ProposalView:
        """Take the newest decision on it back."""
        return self._client.act(ProposalView, self._at("proposals", id, "undo"), {})
