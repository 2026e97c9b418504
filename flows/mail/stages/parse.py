"""Stage *parse*: what the message says, and whose words they are."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.states import MessageStatus
from data.store.core.database import Connection
from data.store.core.statements import Fields
from data.store.mail import mail_search, messages
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.mail.line.mailroom import mailroom_of
from flows.mail.stages.message_stage import MessageStage
from tasks.core.words.cleaning import without_undrawn
from tasks.core.words.sentences import beginning_of
from tasks.mail.read import Reading, with_writer, writer_of

PREVIEW = 160
PATIENCE_SECONDS = 2.0
"""How long others wait for one message; it is read aside then, and comes later."""


class ParseStage(MessageStage[Reading]):
    """Reads raw messages in child processes."""

    name = "parse"
    output = Reading

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Reading | PosternError]:
        """Read the raw messages from the archive and parse them."""
        workspace = batch.workspace
        rows = await workspace.db.read(messages.read_messages, ids)
        raws = [workspace.archive.read(rows[item].raw_sha256) for item in ids]
        readings = await mailroom_of(batch.house).parsers.parse_many(raws, PATIENCE_SECONDS)
        house = workspace.organization
        people = [person.email for person in house.people]
        return {
            item: with_writer(reading, house.own_addresses, people)
            if isinstance(reading, Reading)
            else reading
            for item, reading in zip(ids, readings, strict=True)
        }

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Reading], now: datetime
    ) -> None:
        """Show what was read, and hand the messages to the screen."""
        own = batch.workspace.organization.own_addresses
        columns = [_build_columns(item, reading, own) for item, reading in results.items()]
        messages.change(cursor, columns)
        mail_search.note(cursor, list(results), now)
        move(cursor, list(results), MessageStatus.SCREENING, actor=self.name, now=now)

    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """Show the messages as failed; they are found by their envelopes."""
        super().give_up(cursor, batch, errors, now)
        mail_search.note(cursor, list(errors), now)


def _build_columns(item: str, reading: Reading, own: Sequence[str]) -> Fields:
    mail = reading.mail
    sender = writer_of(reading, own)
    words = without_undrawn(reading.segments.new or mail.text)
    return {
        "id": item,
        "message_id": mail.message_id,
        "sender_email": sender.email.lower() if sender else "",
        "sender_name": sender.name if sender else "",
        "subject": mail.subject,
        "preview": beginning_of(words, PREVIEW),
        "attachments": len(mail.attachments),
    }
