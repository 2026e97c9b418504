"""The earlier messages that the draft of a case may rest on: never those of other people.

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
from flows.mail.line.case_texts import as_history_entry

Earlier = list[tuple[bool, HistoryEntry]]
"""Messages, oldest first, and whether each is of the case's own conversation."""


def list_quotable(
    cursor: Connection, case_by_id: Mapping[str, CaseRow], per_contact: int
) -> dict[str, Earlier]:
    """Return by case id the earlier messages that its draft may rest on.

    They are those of its conversation, and at most `per_contact` others of its contact.
    """
    doubtful = letterheads.list_unproven(
        cursor, [item for row in case_by_id.values() for item in row.message_ids]
    )
    rows = threads.list_earlier(
        cursor,
        sorted({row.thread_id for row in case_by_id.values()}),
        sorted({row.contact_email for row in case_by_id.values()} - {""}),
        per_contact,
    )
    entries = [(row, as_history_entry(row)) for row in reversed(rows)]
    of_thread: dict[str | None, list[int]] = defaultdict(list)
    of_contact: dict[str, list[int]] = defaultdict(list)
    for place, (row, _) in enumerate(entries):
        of_thread[row.thread_id].append(place)
        of_contact[row.contact_email].append(place)

    def quotable_of(case: str, case_row: CaseRow) -> Earlier:
        email, thread = case_row.contact_email, case_row.thread_id
        proven = doubtful.isdisjoint(case_row.message_ids)
        near = {*of_thread.get(thread, ()), *of_contact.get(email, ())}
        return [
            (row.thread_id == thread, entry)
            for row, entry in (entries[place] for place in sorted(near))
            if row.case_id != case
            and (
                is_about_contact(row, email)
                if row.thread_id == thread
                else proven and row.proven and is_with_contact(row, email)
            )
        ]

    return {case: quotable_of(case, case_row) for case, case_row in case_by_id.items()}


def is_about_contact(row: SaidRow, email: str) -> bool:
    """Return whether a contact wrote this message, or was among its recipients."""
    return is_with_contact(row, email) or (bool(email) and email.lower() in row.people)


def is_with_contact(row: SaidRow, email: str) -> bool:
    """Return whether a message is of the mail with a contact, in or out; False for no address."""
    return bool(email) and row.contact_email == email


def choose_entries(
    entries: Sequence[tuple[bool, HistoryEntry]], *, own: bool
) -> list[HistoryEntry]:
    """Return the messages of the case's own conversation, or those beyond it."""
    return [entry for in_thread, entry in entries if in_thread is own]
