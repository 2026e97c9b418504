"""Senders, groups and what was learned about spam."""

from data.records.mail.orders import NameGroup
from data.records.mail.senders import AllowanceView, BlockView, GroupsView, SpamLearning
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class SenderApi:
    """The part of the API about senders, groups and what was learned about spam."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def groups(self) -> GroupsView:
        """Return the organization's own groups, and those that are proposed."""
        return self._client.read(GroupsView, self._at("groups"))

    def name_group(self, address: str) -> GroupsView:
        """Name a group as the organization's own."""
        return self._client.act(GroupsView, self._at("groups"), NameGroup(address=address))

    def drop_group(self, address: str) -> None:
        """Name a group no longer, or dismiss one that is proposed."""
        self._client.remove(self._at("groups", address))

    def allowances(self) -> Listing[AllowanceView]:
        """Return the rules that do not count for a sender."""
        return self._client.read(Listing[AllowanceView], self._at("allowances"))

    def disallow(self, id: str) -> None:
        """Take an allowance back."""
        self._client.remove(self._at("allowances", id))

    def blocks(self) -> Listing[BlockView]:
        """Return the blocked senders and domains."""
        return self._client.read(Listing[BlockView], self._at("blocks"))

    def unblock(self, pattern: str) -> None:
        """Take a block back."""
        self._client.remove(self._at("blocks", pattern))

    def learning(self) -> SpamLearning:
        """Return what was learned about spam."""
        return self._client.read(SpamLearning, self._at("learning"))
