"""Letters of ours that answers repeat without a mark, cut off by what the conversation holds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from data.store.core.database import Connection
from data.store.mail import threads
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from tasks.core.segment.repeated import may_repeat, without_repeated
from tasks.mail.read import Reading


async def cut_repeated_letters(
    batch: Batch, case_by_id: Mapping[str, CaseRow], readings: dict[str, list[Reading]]
) -> dict[str, list[Reading]]:
    """Return the readings of cases in which a letter of ours at an answer's end is history.

    Few answers say that somebody wrote something and quote nothing; only for these the letters of
    their conversation are read.
    """
    asking = {
        case
        for case, of_case in readings.items()
        if any(may_repeat(reading.mail, reading.segments) for reading in of_case)
    }
    if not asking:
        return readings
    thread_ids = sorted({case_by_id[case].thread_id for case in asking})
    letters_by_thread = await batch.workspace.db.read(list_sent_letters, thread_ids)
    return {
        case: [
            cut_repeated_letter(reading, letters_by_thread[case_by_id[case].thread_id])
            for reading in of_case
        ]
        if case in asking
        else of_case
        for case, of_case in readings.items()
    }


def list_sent_letters(cursor: Connection, thread_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the text of what we have sent in each of these conversations."""
    letters_by_thread: dict[str, list[str]] = defaultdict(list)
    for row in threads.list_earlier(cursor, thread_ids, [], 0):
        if row.outbound and row.thread_id and row.body:
            letters_by_thread[row.thread_id].append(row.body)
    return letters_by_thread


def cut_repeated_letter(reading: Reading, letters: Sequence[str]) -> Reading:
    """Return a reading in which the one of `letters` that it repeats at its end is quoted."""
    if not letters or not may_repeat(reading.mail, reading.segments):
        return reading
    segments = without_repeated(reading.segments, letters)
    return reading.model_copy(update={"segments": segments})
