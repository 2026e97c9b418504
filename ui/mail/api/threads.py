"""Conversations."""

from data.records.mail.conversations import (
    MergeThreads,
    SplitThread,
    ThreadPreview,
    UndoThreadChange,
)
from data.records.mail.overview_views import Count
from data.records.mail.views import ThreadLine, ThreadView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class ThreadApi:
    """The part of the API about conversations."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, limit: int = 25, offset: int = 0, **only: str) -> Listing[ThreadLine]:
        """Return conversations, last touched first; `only` narrows: status, q, tag and so on."""
        return self._client.read(
            Listing[ThreadLine], self._at("threads"), limit=limit, offset=offset, **only
        )

    def read(self, id: str) -> ThreadView:
        """Return one conversation, oldest message first."""
        return self._client.read(ThreadView, self._at("threads", id))

    def preview_merge(self, id: str, other: str) -> ThreadPreview:
        """Return what making another conversation part of this one would do."""
        path = self._at("threads", id, "merge", "preview")
        return self._client.act(ThreadPreview, path, MergeThreads(other=other))

    def merge(self, id: str, order: MergeThreads) -> ThreadView:
        """Make another conversation part of this one."""
        return self._client.act(ThreadView, self._at("threads", id, "merge"), order)

    def preview_split(self, id: str, order: SplitThread) -> ThreadPreview:
        """Return what splitting messages off would do."""
        path = self._at("threads", id, "split", "preview")
        return self._client.act(ThreadPreview, path, order)

    def split(self, id: str, order: SplitThread) -> ThreadView:
        """Make a conversation of its own of some messages; return it."""
        return self._client.act(ThreadView, self._at("threads", id, "split"), order)

    def undo(self, id: str, change: str) -> ThreadView:
        """Take a joining, merge or split of a conversation back."""
        order = UndoThreadChange(change=change)
        return self._client.act(ThreadView, self._at("threads", id, "undo"), order)

    def tags(self) -> Listing[Count]:
        """Return the tags of conversations with how many bear each, most used first."""
        return self._client.read(Listing[Count], self._at("tags"))
