"""What the stages of a case have in common: their items are cases."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.records.knowledge import HistoryEntry
from data.records.record import Record
from data.states import CaseState, MessageStatus
from data.store import cases
from data.store.database import Connection, update
from data.store.moves import move
from flows.bindings import BINDINGS
from flows.line.left_out import remaining, said_in
from flows.stages.message_stage import notify
from flows.stages.stage import Batch, Kept, Stage
from tasks.read import Reading
from tasks.thread.subject import without_prefixes


class CaseText(Record):
    """What the contact wrote in a burst, joined: the words that a case is about."""

    subject: str
    text: str
    """New text of every message, oldest first."""
    to: tuple[str, ...] = ()
    """Whom the messages were sent to (To and Cc), in lower case."""
    quoted: str = ""
    """What the oldest message quotes."""


class CaseStage(Stage[Kept]):
    """Puts off and gives up cases."""

    def delay(self, cursor: Connection, ids: Sequence[str], until: datetime) -> None:
        """Put off the cases until then."""
        update(cursor, "cases", [{"id": item, "due_at": until} for item in ids])

    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """Put the cases before a person, or show them as failed, as the table of bindings says."""
        review = BINDINGS[self.name].after == "review"
        state = CaseState.IN_REVIEW if review else CaseState.FAILED
        status = MessageStatus.DRAFT_READY if review else MessageStatus.FAILED
        found = cases.many(cursor, list(errors))
        for item, error in errors.items():
            note = f"{self.name}: {error}"[:500]
            update(cursor, "cases", [{"id": item, "note": note}])
            move(cursor, [item], state, actor=self.name, now=now, note=note)
            ids = found[item]["message_ids"]
            move(cursor, ids, status, actor=self.name, now=now, note=note, of=[item])
        cases.touch(cursor, list(errors), now)
        notify(cursor, "case_failed", errors, now)


async def case_rows(batch: Batch, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of these cases by id, as they are now."""
    found = await batch.workspace.db.read(cases.many, ids)
    batch.rows.update(found)
    return found


async def case_rows_before(batch: Batch, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of these cases by id, as a stage before may have read them.

    For whose mail a case is and which messages it answers: should a person change that meanwhile,
    its version moves on, and nothing that was made for the one before leaves by itself.
    """
    if not all(case in batch.rows for case in ids):
        return await case_rows(batch, ids)
    return {case: batch.rows[case] for case in ids}


async def readings_of(
    batch: Batch, found: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[Reading]]:
    """Return the readings of each case's messages, oldest first, without what others answer."""
    wanted = [item for row in found.values() for item in row["message_ids"]]
    readings = await batch.results("parse", Reading, wanted)
    return {case: remaining(row, readings) for case, row in found.items()}


def case_text(readings: Sequence[Reading]) -> CaseText:
    """Join what is new in the messages; a bare forward counts with what it forwards."""
    words = [said_in(reading) for reading in readings]
    return CaseText(
        subject=_subject(readings[-1]) if readings else "",
        text="\n\n".join(word.strip() for word in words if word.strip()),
        to=tuple(
            address.email.lower()
            for reading in readings
            for address in (*reading.mail.to, *reading.mail.cc)
        ),
        quoted=readings[0].segments.quoted if readings else "",
    )


def _subject(reading: Reading) -> str:
    """Return what a message is called; what a colleague passes on, as its writer called it."""
    subject = reading.mail.subject
    return without_prefixes(subject) if reading.passed_on else subject


def history_entry(row: Mapping[str, Any]) -> HistoryEntry:
    """Turn a row of `threads.earlier` into a record; of a message only what was new counts."""
    body = row["body"] or ""
    if row["kind"] == "message":
        reading = Reading.model_validate_json(body)
        body = reading.segments.new or reading.mail.text
    return HistoryEntry(
        ref=f"{row['kind']}:{row['ref']}",
        contact=row["contact_email"],
        outbound=row["outbound"],
        at=row["occurred_at"],
        subject=row["subject"],
        text=body,
        message_id=row["message_id"],
    )
