"""Which of what was said before a case its draft may rest on: nobody else's words, unproven or not.

Within a conversation that is what its contact wrote, and what was addressed to the contact too.
Beyond the conversation it is the contact's own mail alone, and only where nothing shows on either
side that the address may be another's: a From that authentication refutes, or a web form, into
which anybody can write any address.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from data.records.core.knowledge import HistoryEntry
from data.store.core.database import Connection
from data.store.mail import letterheads, threads
from data.store.mail.cases import CaseRow
from data.store.mail.threads import SaidRow
from flows.mail.line.case_texts import history_entry

Earlier = list[tuple[bool, HistoryEntry]]
"""Messages, oldest first, and whether each is of the case's own conversation."""


def said_before(
    cursor: Connection, case_by_id: Mapping[str, CaseRow], per_contact: int
) -> dict[str, Earlier]:
    """Return what was said before each of these cases, `per_contact` beyond its conversation."""
    doubtful = letterheads.unproven(
        cursor, [item for row in case_by_id.values() for item in row.message_ids]
    )
    rows = threads.earlier(
        cursor,
        sorted({row.thread_id for row in case_by_id.values()}),
        sorted({row.contact_email for row in case_by_id.values()} - {""}),
        per_contact,
    )
    entries = [(row, history_entry(row)) for row in reversed(rows)]
    of_thread: dict[str | None, list[int]] = defaultdict(list)
    of_contact: dict[str, list[int]] = defaultdict(list)
    for place, (row, _) in enumerate(entries):
        of_thread[row.thread_id].append(place)
        of_contact[row.contact_email].append(place)

    def seen(case: str, mine: CaseRow) -> Earlier:
        email, thread = mine.contact_email, mine.thread_id
        proven = doubtful.isdisjoint(mine.message_ids)
        near = {*of_thread.get(thread, ()), *of_contact.get(email, ())}
        return [
            (row.thread_id == thread, entry)
            for row, entry in (entries[place] for place in sorted(near))
            if row.case_id != case
            and (
                in_conversation(row, email)
                if row.thread_id == thread
                else proven and row.proven and is_of(row, email)
            )
        ]

    return {case: seen(case, mine) for case, mine in case_by_id.items()}


def in_conversation(row: SaidRow, email: str) -> bool:
    """Return whether a contact wrote a message of its conversation, or was addressed in it."""
    return is_of(row, email) or (bool(email) and email.lower() in row.people)


def is_of(row: SaidRow, email: str) -> bool:
    """Return whether a message is a contact's, either way; nobody's is of nobody."""
    return bool(email) and row.contact_email == email


def list_shown(entries: Sequence[tuple[bool, HistoryEntry]], *, here: bool) -> list[HistoryEntry]:
    """Return the messages of the case's own conversation, or those beyond it."""
    return [entry for in_thread, entry in entries if in_thread is here]
