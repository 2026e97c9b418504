"""Writing down where messages belong, in the transaction that journals it.

Between placing and writing a person may have merged or split conversations, so everything is
resolved again here to what the conversations are now.
"""

from collections.abc import Mapping
from datetime import datetime

from data.store.core.database import Connection
from data.store.core.statements import Fields
from data.store.mail import cases, letterheads, messages, thread_changes, threads
from data.store.mail.messages import MessageRow
from tasks.mail.thread.conversation_ties import Letterhead
from tasks.mail.thread.thread_book import Placement

ACTOR = "thread"
Placed = Mapping[str, tuple[Letterhead, Placement]]


def settle_placements(
    cursor: Connection,
    placed: Placed,
    stored: Mapping[str, MessageRow],
    contacts: Mapping[str, str],
    now: datetime,
) -> None:
    """Begin, continue and join conversations, note links and Message-IDs that were used twice."""
    threads_touched = {place.thread_id for _, place in placed.values()}
    current = threads.find_current(cursor, sorted(threads_touched))
    home = {item: current[place.thread_id] for item, (_, place) in placed.items()}
    _begin(cursor, placed, home, stored, contacts)
    letterheads.keep(
        cursor,
        [_row(head) for head, _ in placed.values()],
        [(head.item, message_id) for head, _ in placed.values() for message_id in head.named],
    )
    messages.change(cursor, [{"id": item, "thread_id": one} for item, one in home.items()])
    touched = set(home.values())
    joined = _join(cursor, placed, home, now)
    late = {home[item] for item, (_, place) in placed.items() if place.before}
    again = set(threads.find_current(cursor, sorted(joined | late)).values())
    threads.add_links(cursor, _links(placed, home))
    _same_ids(cursor, placed, stored)
    thread_changes.refresh_threads(cursor, again)
    rest = set(threads.find_current(cursor, sorted(touched)).values()) - again
    thread_changes.recount_messages(cursor, rest)
    # What has just come is not settled yet, whatever its row still says.
    threads.change(
        cursor, [{"id": thread_id, "status": "open"} for thread_id in sorted(rest | again)]
    )


def _begin(
    cursor: Connection,
    placed: Placed,
    home: Mapping[str, str],
    stored: Mapping[str, MessageRow],
    contacts: Mapping[str, str],
) -> None:
    """Insert the conversations that are not there yet."""
    threads_known = threads.find_known(cursor, set(home.values()))
    fresh: dict[str, Fields] = {}
    for item, (head, _) in placed.items():
        if home[item] in threads_known or home[item] in fresh:
            continue
        row = stored[item]
        fresh[home[item]] = {
            "id": home[item],
            "subject": row.subject,
            "normalized_subject": head.subject,
            "contact_id": contacts[item],
            "contact_email": row.sender_email,
            "contact_name": row.sender_name,
            "participants": [row.sender_email],
            "status": "open",
            "assignee": None,
            "linked_to": None,
            "message_count": 0,
            "last_message_at": row.received_at,
        }
    threads.add(cursor, list(fresh.values()))


def _row(head: Letterhead) -> Fields:
    return {
        "item_id": head.item,
        "message_id": head.message_id,
        "sender": head.sender,
        "people": list(head.people),
        "answers_to": head.answers_to,
        "subject": head.subject,
        "said": head.said,
        "trusted": head.trusted,
        "came_at": head.came_at,
    }


def _join(cursor: Connection, placed: Placed, home: Mapping[str, str], now: datetime) -> set[str]:
    """Join the conversations that messages showed to be one; return where they are now.

    Cases go along. The version of an open one moves on, so that what was shown before cannot be
    approved; the message that joined them makes a case of its own, which takes over.
    """
    targets: set[str] = set()
    for item, (_, place) in placed.items():
        for joined_thread in place.joined:
            current_ids = threads.find_current(cursor, [joined_thread, home[item]])
            source, target = current_ids[joined_thread], current_ids[home[item]]
            if source == target:
                continue
            thread_changes.merge(
                cursor,
                source,
                target,
                kind="join",
                actor=ACTOR,
                note=f"message {item}: {place.reason}",
                now=now,
            )
            targets.add(target)
    if targets:
        open_cases = [row.id for row in cases.list_open_in_threads(cursor, sorted(targets))]
        cases.advance_versions(cursor, open_cases, now)
    return targets


def _links(placed: Placed, home: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (conversation, what it refers to)."""
    name_links = [(home[item], name) for item, (_, place) in placed.items() for name in place.names]
    name_links += [
        (message_id, home[item])
        for item, (_, place) in placed.items()
        for message_id in place.named_by
    ]
    return name_links


def _same_ids(cursor: Connection, placed: Placed, stored: Mapping[str, MessageRow]) -> None:
    """Flag the messages whose Message-ID another one has that says something else, both ways."""
    other = {item: place.same_id_as for item, (_, place) in placed.items() if place.same_id_as}
    first = {theirs: item for item, theirs in other.items() if ":" not in theirs}
    messages.flag_same_ids(cursor, {**first, **other})
    clean = [item for item in other if stored[item].verdict == "clean"]
    messages.change(cursor, [{"id": item, "verdict": "flagged"} for item in clean])
