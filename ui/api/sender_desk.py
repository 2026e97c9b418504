"""What a person can ask and do about senders, learning and notifications."""

from typing import Generic, TypeVar
from urllib.parse import quote

from data.records.core.record import Record
from data.records.mail.orders import Correct, MarkSeen, NameGroup
from data.records.mail.senders import (
    AllowanceView,
    BlockView,
    GroupsView,
    NotificationView,
    SpamLearning,
)
from data.records.mail.views import MessageView
from ui.api.client import ApiClient

Item = TypeVar("Item")


class Listing(Record, Generic[Item]):
    """One page of a list."""

    items: tuple[Item, ...]
    total: int
    """How many there are on all pages."""
    unsearched: int = 0
    """Messages that a search does not find by their words yet, while its index is made."""


class Notifications(Listing[NotificationView]):
    """The newest notifications."""

    unseen: int
    """How many nobody has read."""


class Marked(Record):
    """How many notifications were new."""

    marked: int


class SenderDesk:
    """The part of a `Desk` about senders; every method raises what `data.refusals` lists."""

    def __init__(self, client: ApiClient, organization: str) -> None:
        self._client = client
        self._root = f"/v1/{quote(organization, safe='')}"

    def correct(self, id: str, spam: bool) -> MessageView:
        """Say whether a message is spam; later mail is judged by it."""
        return self._client.act(
            MessageView, self._at("messages", id, "correct"), Correct(spam=spam)
        )

    def person(self, id: str) -> MessageView:
        """Say that a person wrote a stored message."""
        return self._client.act(MessageView, self._at("messages", id, "person"), {})

    def groups(self) -> GroupsView:
        """Return the organization's own groups, and those that are proposed."""
        return self._client.read(GroupsView, f"{self._root}/groups")

    def name_group(self, address: str) -> GroupsView:
        """Name a group as the organization's own."""
        return self._client.act(GroupsView, f"{self._root}/groups", NameGroup(address=address))

    def drop_group(self, address: str) -> None:
        """Name a group no longer, or dismiss one that is proposed."""
        self._client.remove(self._at("groups", address))

    def allowances(self) -> Listing[AllowanceView]:
        """Return the rules that do not count for a sender."""
        return self._client.read(Listing[AllowanceView], f"{self._root}/allowances")

    def disallow(self, id: str) -> None:
        """Take an allowance back."""
        self._client.remove(self._at("allowances", id))

    def blocks(self) -> Listing[BlockView]:
        """Return the blocked senders and domains."""
        return self._client.read(Listing[BlockView], f"{self._root}/blocks")

    def unblock(self, pattern: str) -> None:
        """Take a block back."""
        self._client.remove(self._at("blocks", pattern))

    def learning(self) -> SpamLearning:
        """Return what was learned about spam."""
        return self._client.read(SpamLearning, f"{self._root}/learning")

    def notifications(self, limit: int = 10) -> Notifications:
        """Return the newest notifications, and how many nobody has read."""
        return self._client.read(Notifications, f"{self._root}/notifications", limit=limit)

    def seen(self, ids: tuple[str, ...] | None = None) -> Marked:
        """Mark notifications as read, all of them without ids."""
        return self._client.act(Marked, f"{self._root}/notifications/seen", MarkSeen(ids=ids))

    def _at(self, *parts: str) -> str:
        return "/".join((self._root, *(quote(part, safe="") for part in parts)))
