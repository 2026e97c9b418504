"""Stage *authenticate*: whether the sender is who From says."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.envelope import Envelope
from data.records.screening import Authentication
from data.store import messages
from data.store.database import Connection
from flows.stage import Batch
from flows.stages.message_stage import MessageStage
from tasks.authenticate import authenticate
from tasks.read import Reading


class AuthenticateStage(MessageStage[Authentication]):
    """Reads what a trusted front server established; first version, see docs/design.md."""

    name = "authenticate"
    output = Authentication

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Authentication | PosternError]:
        """Answer for each message."""
        readings = await batch.results("parse", Reading, ids)
        rows = await batch.workspace.db.read(messages.many, ids)
        trusted = batch.house.settings.trusted_authserv_ids
        return {
            item: authenticate(
                reading.mail, Envelope.model_validate_json(rows[item]["envelope"]), trusted
            )
            for item, reading in readings.items()
        }

    def settle(
        self,
        cursor: Connection,
        batch: Batch,
        results: Mapping[str, Authentication],
        now: datetime,
    ) -> None:
        """Nothing follows by itself: routing asks the journal."""
