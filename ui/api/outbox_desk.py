"""What a person can ask and do about what leaves: replies, what is passed on, and the switch."""

from typing import Literal

from data.records.mail.orders import ForwardOutcome, Resolve, ResolveForward, StopSwitch
from data.records.mail.outgoing_views import DeliveryView, ForwardView
from data.records.mail.passing_on import Purpose
from ui.api.sender_desk import Listing, SenderDesk


class OutboxDesk(SenderDesk):
    """The part of a `Desk` about what leaves; raises what `data.refusals` lists."""

    def outbox(
        self,
        state: str = "",
        limit: int = 25,
        offset: int = 0,
        *,
        purpose: Purpose | None = None,
        scheduled: bool = False,
    ) -> Listing[DeliveryView]:
        """Return outgoing messages, newest first: replies, what people passed on, or both.

        With `scheduled` it is what leaves at a moment that somebody chose, the next one first.
        """
        parameters = {"state": state, "limit": limit, "offset": offset, "purpose": purpose or ""}
        if scheduled:
            parameters["scheduled"] = "true"
        return self._client.read(Listing[DeliveryView], f"{self._root}/outbox", **parameters)

    def delivery(self, id: str) -> DeliveryView:
        """Return one outgoing message."""
        return self._client.read(DeliveryView, self._at("deliveries", id))

    def enclosed_file(self, id: str, sha256: str) -> bytes:
        """Return the bytes of a file that an outgoing message carries."""
        return self._client.fetch(self._at("deliveries", id, "attachments", sha256))

    def cancel(self, id: str) -> DeliveryView:
        """Take a delivery back before it leaves; its case returns to review."""
        return self._client.act(DeliveryView, self._at("deliveries", id, "cancel"), {})

    def resolve(self, id: str, outcome: Literal["sent", "retry", "cancel"]) -> DeliveryView:
        """Decide on a delivery whose outcome is unknown or that failed."""
        decision = Resolve(outcome=outcome)
        return self._client.act(DeliveryView, self._at("deliveries", id, "resolve"), decision)

    def forwards(self, state: str = "", limit: int = 25, offset: int = 0) -> Listing[ForwardView]:
        """Return what is forwarded to endpoints, newest first."""
        return self._client.read(
            Listing[ForwardView], f"{self._root}/forwards", state=state, limit=limit, offset=offset
        )

    def forward_to_program(self, id: str) -> ForwardView:
        """Return one message that is forwarded to an endpoint."""
        return self._client.read(ForwardView, self._at("forwards", id))

    def resolve_forward(self, id: str, outcome: ForwardOutcome) -> ForwardView:
        """Try a forward again, give it up, or take the giving up back."""
        decision = ResolveForward(outcome=outcome)
        return self._client.act(ForwardView, self._at("forwards", id, "resolve"), decision)

    def stop(self) -> StopSwitch:
        """Return whether the kill switch is on."""
        return self._client.read(StopSwitch, f"{self._root}/stop")

    def set_stop(self, stopped: bool) -> StopSwitch:
        """Turn the kill switch on or off."""
        switch = StopSwitch(stopped=stopped)
        return self._client.act(StopSwitch, f"{self._root}/stop", switch)
