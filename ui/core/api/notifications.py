"""The API of notifications: the newest, how many wait, and marking them as seen."""

from data.records.core.record import Record
from data.records.mail.orders import MarkSeen
from data.records.mail.overview_views import Waiting
from data.records.mail.senders import NotificationView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class Notifications(Listing[NotificationView]):
    """The newest notifications."""

    unseen: int
    """How many nobody has read."""


class Marked(Record):
    """How many notifications were new."""

    marked: int


class NotificationApi:
    """The part of the API about what somebody should look at."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def newest(self, limit: int = 10) -> Notifications:
        """Return the newest notifications, and how many nobody has read."""
        return self._client.read(Notifications, self._at("notifications"), limit=limit)

    def mark_seen(self, ids: tuple[str, ...] | None = None) -> Marked:
        """Mark notifications as read, all of them without ids."""
        return self._client.act(Marked, self._at("notifications", "seen"), MarkSeen(ids=ids))

    def count_waiting(self) -> Waiting:
        """Return how much waits for a person, place by place."""
        return self._client.read(Waiting, self._at("waiting"))
