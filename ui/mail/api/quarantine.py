"""The quarantine."""

from typing import Literal

from data.records.core.record import Record
from data.records.mail.orders import Block, Decide, Release
from data.records.mail.senders import Decided
from data.records.mail.views import MessageView, QuarantineItem
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient
from ui.mail.api.outcomes import Outcomes


class QuarantineApi:
    """The part of the API about the quarantine."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(
        self, limit: int = 25, offset: int = 0, *, decided: bool = False
    ) -> Listing[QuarantineItem]:
        """Return what the screen has stopped, newest first: what waits, or what was decided."""
        parameters = {"limit": limit, "offset": offset, "decided": decided}
        return self._client.read(Listing[QuarantineItem], self._at("quarantine"), **parameters)

    def release(self, id: str, allow: tuple[str, ...] = ()) -> MessageView:
        """Let a quarantined message go on; the rules named no longer count for its sender."""
        order: Record | dict[str, str] = Release(allow=allow) if allow else {}
        return self._client.act(MessageView, self._at("messages", id, "release"), order)

    def confirm(self, id: str) -> MessageView:
        """Say that a quarantined message is the threat it looks like."""
        return self._client.act(MessageView, self._at("messages", id, "confirm"), {})

    def block(self, id: str, scope: Literal["sender", "domain"]) -> MessageView:
        """Confirm, and stop later mail of the sender or of the sender's domain."""
        return self._client.act(MessageView, self._at("messages", id, "block"), Block(scope=scope))

    def decide_several(
        self,
        ids: tuple[str, ...],
        action: Literal["release", "confirm", "block_sender", "block_domain", "undo"],
    ) -> tuple[Decided, ...]:
        """Apply one decision to several messages; one outcome for each."""
        path = self._at("quarantine", "decide")
        return self._client.act(Outcomes, path, Decide(ids=ids, action=action)).outcomes
