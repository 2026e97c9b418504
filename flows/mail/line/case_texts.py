"""The texts of a case: its row, what its messages say, and what was said before."""

from collections.abc import Mapping, Sequence

from data.records.core.knowledge import HistoryEntry
from data.store.mail import cases
from data.store.mail.cases import CaseRow
from data.store.mail.threads import SaidRow
from flows.core.batch import Batch
from flows.mail.line.answered_letters import cut_repeated_letters
from flows.mail.line.omitted_sentences import list_remaining
from tasks.core.words.cleaning import without_undrawn
from tasks.mail.read import Reading


async def read_case_rows(batch: Batch, ids: Sequence[str]) -> dict[str, CaseRow]:
    """Read the rows of these cases, as they are now, and keep them in the batch; by id."""
    case_rows_read = await batch.workspace.db.read(cases.read_cases, ids)
    batch.rows.update(case_rows_read)
    return case_rows_read


async def reuse_case_rows(batch: Batch, ids: Sequence[str]) -> dict[str, CaseRow]:
    """Return the rows of these cases by id, those that the batch keeps where it has them all.

    They say whose mail a case is and which messages it answers. Should a person change that
    meanwhile, the version moves on, and nothing that was made for the one before leaves by itself.
    """
    rows_kept = {case: row for case in ids if isinstance(row := batch.rows.get(case), CaseRow)}
    return rows_kept if len(rows_kept) == len(ids) else await read_case_rows(batch, ids)


async def list_readings(
    batch: Batch, case_by_id: Mapping[str, CaseRow]
) -> dict[str, list[Reading]]:
    """Return the readings of each case's messages, oldest first, without what others answer.

    A letter of ours that an answer repeats at its end is no part of what is new in it.
    """
    items = [item for row in case_by_id.values() for item in row.message_ids]
    readings = await batch.read_results("parse", Reading, items)
    remaining_by_case = {case: list_remaining(row, readings) for case, row in case_by_id.items()}
    return await cut_repeated_letters(batch, case_by_id, remaining_by_case)


def as_history_entry(row: SaidRow) -> HistoryEntry:
    """Turn a row of `threads.list_earlier` into a record; of a message only what was new counts."""
    body = row.body or ""
    if row.kind == "message":
        reading = Reading.model_validate_json(body)
        body = without_undrawn(reading.segments.new or reading.mail.text)
    return HistoryEntry(
        ref=f"{row.kind}:{row.ref}",
        contact=row.contact_email,
        outbound=row.outbound,
        at=row.occurred_at,
        subject=row.subject,
        text=body,
        message_id=row.message_id,
    )
