"""What a person can ask and do within one organization, one method per endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, TypeVar
from urllib.parse import quote

from data.records.drafting import Checked
from data.records.orders import (
    Approve,
    Archive,
    Block,
    Reassign,
    Reject,
    Resolve,
    StopSwitch,
)
from data.records.record import Record
from data.records.views import (
    AuditView,
    CaseView,
    DeliveryView,
    MessageLine,
    MessageView,
    Overview,
    QuarantineItem,
    QueueItem,
    ThreadLine,
    ThreadView,
)

if TYPE_CHECKING:
    from ui.client import ApiClient

Item = TypeVar("Item")


class Listing(Record, Generic[Item]):
    """One page of a list."""

    items: tuple[Item, ...]
    total: int
    """How many there are on all pages."""


class Preview(Record):
    """What an edited reply would look like, and what the check says about it."""

    reply_preview: str
    approval_hash: str
    checked: Checked


class Filters(Record):
    """What the review queue is narrowed to; empty means all."""

    category: str = ""
    priority: str = ""
    assignee: str = ""
    language: str = ""
    verdict: str = ""
    state: str = ""
    q: str = ""


class Desk:
    """One organization, seen with one token. Every method raises what `ui.refusals` lists."""

    def __init__(self, client: ApiClient, organization: str) -> None:
        self._client = client
        self._root = f"/v1/{quote(organization, safe='')}"

    def overview(self) -> Overview:
        """Return the numbers of the first page."""
        return self._client.read(Overview, f"{self._root}/overview")

    def queue(self, filters: Filters, limit: int = 25, offset: int = 0) -> Listing[QueueItem]:
        """Return cases that wait for a person, most pressing first."""
        return self._client.read(
            Listing[QueueItem],
            f"{self._root}/queue",
            limit=limit,
            offset=offset,
            **filters.model_dump(),
        )

    def case(self, id: str) -> CaseView:
        """Return everything about one case."""
        return self._client.read(CaseView, self._at("cases", id))

    def preview(self, id: str, subject: str, body: str) -> Preview:
        """Return what an edited reply would look like."""
        edited = {"subject": subject, "body": body}
        return self._client.act(Preview, self._at("cases", id, "preview"), edited)

    def approve(self, id: str, decision: Approve) -> CaseView:
        """Put the reply that was shown into the outbox."""
        return self._client.act(CaseView, self._at("cases", id, "approve"), decision)

    def reject(self, id: str, decision: Reject) -> CaseView:
        """Refuse the draft."""
        return self._client.act(CaseView, self._at("cases", id, "reject"), decision)

    def reassign(self, id: str, decision: Reassign) -> CaseView:
        """Give the case to another person."""
        return self._client.act(CaseView, self._at("cases", id, "reassign"), decision)

    def archive(self, id: str, decision: Archive) -> CaseView:
        """Close the case without a reply."""
        return self._client.act(CaseView, self._at("cases", id, "archive"), decision)

    def retry(self, id: str) -> CaseView:
        """Work on a failed case once more."""
        return self._client.act(CaseView, self._at("cases", id, "retry"), {})

    def messages(
        self, status: str = "", q: str = "", limit: int = 25, offset: int = 0
    ) -> Listing[MessageLine]:
        """Return inbound messages, newest first."""
        return self._client.read(
            Listing[MessageLine],
            f"{self._root}/messages",
            status=status,
            q=q,
            limit=limit,
            offset=offset,
        )

    def message(self, id: str) -> MessageView:
        """Return one message with all that was decided about it."""
        return self._client.read(MessageView, self._at("messages", id))

    def raw(self, id: str) -> bytes:
        """Return a message as it came over the wire."""
        return self._client.fetch(self._at("messages", id, "raw"))

    def attachment(self, id: str, sha256: str) -> bytes:
        """Return the decoded bytes of one attachment."""
        return self._client.fetch(self._at("messages", id, "attachments", sha256))

    def release(self, id: str) -> MessageView:
        """Let a quarantined message go on."""
        return self._client.act(MessageView, self._at("messages", id, "release"), {})

    def confirm(self, id: str) -> MessageView:
        """Say that a quarantined message is the threat it looks like."""
        return self._client.act(MessageView, self._at("messages", id, "confirm"), {})

    def block(self, id: str, scope: Literal["sender", "domain"]) -> MessageView:
        """Confirm, and stop later mail of the sender or of the sender's domain."""
        return self._client.act(MessageView, self._at("messages", id, "block"), Block(scope=scope))

    def undo(self, id: str) -> MessageView:
        """Take back the last decision on a quarantined message."""
        return self._client.act(MessageView, self._at("messages", id, "undo"), {})

    def replay(self, id: str) -> MessageView:
        """Work on a message again from its raw bytes."""
        return self._client.act(MessageView, self._at("messages", id, "replay"), {})

    def threads(
        self, status: str = "", q: str = "", limit: int = 25, offset: int = 0
    ) -> Listing[ThreadLine]:
        """Return conversations, last touched first."""
        return self._client.read(
            Listing[ThreadLine],
            f"{self._root}/threads",
            status=status,
            q=q,
            limit=limit,
            offset=offset,
        )

    def thread(self, id: str) -> ThreadView:
        """Return one conversation, oldest message first."""
        return self._client.read(ThreadView, self._at("threads", id))

    def quarantine(self, limit: int = 25, offset: int = 0) -> Listing[QuarantineItem]:
        """Return what the screen has stopped, newest first."""
        return self._client.read(
            Listing[QuarantineItem], f"{self._root}/quarantine", limit=limit, offset=offset
        )

    def outbox(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[DeliveryView]:
        """Return outgoing messages, newest first."""
        return self._client.read(
            Listing[DeliveryView], f"{self._root}/outbox", state=state, limit=limit, offset=offset
        )

    def cancel(self, id: str) -> DeliveryView:
        """Take a delivery back before it leaves; its case returns to review."""
        return self._client.act(DeliveryView, self._at("deliveries", id, "cancel"), {})

    def resolve(self, id: str, outcome: Literal["sent", "retry", "cancel"]) -> DeliveryView:
        """Decide on a delivery whose outcome is unknown or that failed."""
        decision = Resolve(outcome=outcome)
        return self._client.act(DeliveryView, self._at("deliveries", id, "resolve"), decision)

    def stop(self) -> StopSwitch:
        """Return whether the kill switch is on."""
        return self._client.read(StopSwitch, f"{self._root}/stop")

    def set_stop(self, stopped: bool) -> StopSwitch:
        """Turn the kill switch on or off."""
        switch = StopSwitch(stopped=stopped)
        return self._client.act(StopSwitch, f"{self._root}/stop", switch)

    def audit(self, limit: int = 25, offset: int = 0) -> Listing[AuditView]:
        """Return events of the audit log, newest first."""
        return self._client.read(
            Listing[AuditView], f"{self._root}/audit", limit=limit, offset=offset
        )

    def _at(self, *parts: str) -> str:
        return "/".join((self._root, *(quote(part, safe="") for part in parts)))
