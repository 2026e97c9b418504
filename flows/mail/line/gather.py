"""Stage *coalesce*: which messages are one burst; each burst that is due becomes a case.

Newer mail takes over what an older case of the same conversation has not sent: its draft would
answer half of what was asked. A reply that waits in its undo window is taken back.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from data.ids import new_id
from data.states import CaseState, DeliveryState, MessageStatus
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.statements import Fields
from data.store.mail import attached_files, cases, contacts, deliveries, letterheads, messages
from data.store.mail.case_threads import list_case_threads
from data.store.mail.cases import CaseRow
from data.store.mail.contacts import ContactRow
from data.store.mail.messages import GatheredRow
from data.store.mail.moves import move
from flows.mail.line.case_family import find_heir
from flows.mail.line.omitted_sentences import list_left_out_by_all, pack_left_out
from tasks.mail.coalesce import Burst, Pending, bursts
from tasks.mail.thread.reading_order import parents_first


def gather_bursts(
    cursor: Connection, now: datetime, window_seconds: float, max_windows: int
) -> list[str]:
    """Make a case of every burst that is due; return the cases' ids."""
    waiting = {row.id: row for row in messages.list_waiting_for_burst(cursor)}
    due = _find_due_bursts(waiting, now, window_seconds, max_windows)
    if not due:
        return []
    identities = {burst: new_id(now) for burst in due}
    older = _take_over_cases(cursor, waiting, identities, now)
    _insert_cases(cursor, waiting, identities, older, now)
    attached_files.hand_on(cursor, list(identities.values()), now)
    return list(identities.values())


def count_due(cursor: Connection, now: datetime, window_seconds: float, max_windows: int) -> int:
    """Return how many bursts are due now."""
    waiting = {row.id: row for row in messages.list_waiting_for_burst(cursor)}
    return len(_find_due_bursts(waiting, now, window_seconds, max_windows))


def _find_due_bursts(
    waiting: Mapping[str, GatheredRow], now: datetime, window_seconds: float, max_windows: int
) -> list[Burst]:
    return (
        bursts(_as_pending(waiting.values()), now, window_seconds, max_windows) if waiting else []
    )


def _as_pending(gathered: Iterable[GatheredRow]) -> list[Pending]:
    return [
        Pending(
            message_id=row.id,
            contact_id=row.contact_id,
            thread_id=row.thread_id,
            received_at=row.received_at,
            urgent=row.urgent,
            apart=row.apart,
        )
        for row in gathered
    ]


def _take_over_cases(
    cursor: Connection,
    waiting: Mapping[str, GatheredRow],
    identities: dict[Burst, str],
    now: datetime,
) -> dict[str, list[CaseRow]]:
    """Supersede unfinished cases of the bursts' conversations; return their rows by new case.

    Only those of the same contact: what two contacts wrote is never answered in one reply. A
    delivery that has begun to leave is not touched, nor is its case, nor one with a message that
    is in quarantine: no other case may see that.
    """
    heir = {
        (waiting[item].thread_id, burst.contact_id): case
        for burst, case in identities.items()
        for item in burst.message_ids
    }
    in_threads = cases.list_open_in_threads(cursor, sorted({thread for thread, _ in heir}))
    threads_by_case = list_case_threads(cursor, [row.id for row in in_threads])
    heir_by_case = {
        row.id: heir[thread, row.contact_id]
        for row in in_threads
        for thread in (*sorted(threads_by_case[row.id]), row.thread_id)  # its own is the last word
        if (thread, row.contact_id) in heir
    }
    open_by_id = {row.id: row for row in in_threads if row.id in heir_by_case}
    free = _free_cases(cursor, open_by_id, now)
    moved = move(cursor, free, CaseState.SUPERSEDED, actor="coalesce", now=now)
    old = [open_by_id[case] for case in free if case in set(moved)]
    heirs = {row.id: heir_by_case[row.id] for row in old}
    cases.change(cursor, [{"id": case, "superseded_by": new} for case, new in heirs.items()])
    if heirs:
        cases.advance_versions(cursor, list(heirs), now)
    answering = [row for row in old if not row.is_own_letter]
    ids = list(dict.fromkeys(item for row in answering for item in row.message_ids))
    move(cursor, ids, MessageStatus.THREADED, actor="coalesce", now=now, of=list(heirs))
    inherited: dict[str, list[CaseRow]] = {}
    for row in old:
        if row.is_own_letter:  # what a letter is about is answered already
            continue
        inherited.setdefault(heirs[row.id], []).append(row)
    return inherited


def _free_cases(cursor: Connection, case_by_id: Mapping[str, CaseRow], now: datetime) -> list[str]:
    """Return which of these cases may be taken over; replies that wait to leave are taken back."""
    stopped = cases.list_holding_quarantined(cursor, list(case_by_id))
    free = [case for case in case_by_id if case not in stopped]
    approved = [case for case in free if case_by_id[case].state == CaseState.APPROVED]
    approved_kept = set(approved) - _take_back_replies(cursor, approved, now)
    return [case for case in free if case not in approved_kept]


def _take_back_replies(cursor: Connection, case_ids: Sequence[str], now: datetime) -> set[str]:
    """Take back what of these cases' replies has not begun to leave; return whose it was."""
    if not case_ids:
        return set()
    queued = deliveries.list_queued(cursor, case_ids)
    note = "newer mail arrived"
    cancelled = move(
        cursor, list(queued), DeliveryState.CANCELLED, actor="coalesce", now=now, note=note
    )
    return {queued[delivery] for delivery in cancelled}


def _insert_cases(
    cursor: Connection,
    waiting: Mapping[str, GatheredRow],
    identities: dict[Burst, str],
    older: dict[str, list[CaseRow]],
    now: datetime,
) -> None:
    rows_made: list[Fields] = []
    linked: list[dict[str, str]] = []
    writers = contacts.read_contacts(cursor, {burst.contact_id for burst in identities})
    answers = letterheads.list_replies(cursor, _list_several(identities, older))
    for burst, case in identities.items():
        fresh = [waiting[item] for item in burst.message_ids]
        before = older.get(case, [])
        inherited = [item for row in before for item in row.message_ids]
        everything = list(dict.fromkeys([*inherited, *burst.message_ids]))
        message_set = set(everything)
        own = [
            (answer, parent)
            for answer, parent in answers
            if answer in message_set and parent in message_set
        ]
        everything = parents_first(everything, own)
        record = _build_case(writers[burst.contact_id], case, burst, fresh, everything, now)
        record["verdict"] = _choose_worst([*fresh, *before])
        left_out_text = pack_left_out(list_left_out_by_all(before))
        family = find_heir(before) if left_out_text else None
        rows_made.append(record | {"part_of": family, "left_out": left_out_text})
        linked.extend({"id": item, "case_id": case} for item in everything)
    cases.add(cursor, rows_made)
    messages.change(cursor, linked)
    note_events(
        cursor, "case", list(identities.values()), CaseState.RUNNING, actor="coalesce", now=now
    )
    ids = [entry["id"] for entry in linked]
    move(cursor, ids, MessageStatus.PROCESSING, actor="coalesce", now=now)


def _list_several(
    identities: Mapping[Burst, str], older: Mapping[str, Sequence[CaseRow]]
) -> list[str]:
    """Return the messages of the new cases that hold more than one, whose order has to be found."""
    return [
        item
        for burst, case in identities.items()
        if len(burst.message_ids) > 1 or case in older
        for item in (
            *burst.message_ids,
            *(i for row in older.get(case, ()) for i in row.message_ids),
        )
    ]


def _build_case(
    contact: ContactRow,
    case: str,
    burst: Burst,
    fresh: Sequence[GatheredRow],
    everything: Sequence[str],
    now: datetime,
) -> dict[str, object]:
    last = fresh[-1]
    return {
        "id": case,
        "state": CaseState.RUNNING,
        "version": 1,
        "contact_id": burst.contact_id,
        "contact_email": contact.email,
        "contact_name": contact.name,
        "thread_id": last.thread_id,
        "message_ids": list(everything),
        "subject": last.subject,
        "preview": last.preview,
        "received_at": last.received_at,
        "created_at": now,
        "burst_reason": burst.reason,
        "due_at": now,
        "changed_at": now,
    }


def _choose_worst(judged: Sequence[CaseRow | GatheredRow]) -> str:
    """Return the worst verdict of new messages and of the cases that they take over."""
    order = ["clean", "flagged", "quarantine"]
    return max((row.verdict or "flagged" for row in judged), key=order.index)
