"""The base of the stages of intake, whose items are messages."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.states import MessageStatus
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import messages
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.mail.stages.stage import OutputT, Stage


class MessageStage(Stage[OutputT]):
    """Puts off and gives up messages."""

    def delay(self, cursor: Connection, ids: Sequence[str], until: datetime) -> None:
        """Put off the messages until then."""
        messages.change(cursor, [{"id": item, "due_at": until} for item in ids])

    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """Show the messages as failed; their raw bytes stay in the archive."""
        for item, error in errors.items():
            note = f"{self.name}: {error}"[:500]
            messages.change(cursor, [{"id": item, "note": note}])
            move(cursor, [item], MessageStatus.FAILED, actor=self.name, now=now, note=note)
        notify(cursor, "message_failed", errors, now)
