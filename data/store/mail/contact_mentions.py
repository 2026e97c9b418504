"""What stands in the way of erasing a contact's data, and what an erasure does not reach."""

from collections.abc import Collection
from datetime import datetime

from data.store.core import audit
from data.store.core.database import Connection, first, rows
from data.store.mail.contact_scope import ContactScope

ALWAYS = (
    "What other people's mail quotes of them stays, and so do copies that have left: sent replies "
    "at their receivers, backups, files of `postern export`, the mailbox that mail was fetched "
    "from, and the screens of a window that is open.",
    "Mail that waits in the spool, or arrives later, is new mail.",
)


def under_way(cursor: Connection, scope: ContactScope) -> list[str]:
    """Say which of the contact's replies are on their way, or nobody knows."""
    found = rows(
        cursor,
        "SELECT id, state FROM deliveries WHERE id IN (SELECT unnest(?)) "
        "AND state IN ('sending', 'dot_sent', 'unknown')",
        [list(scope.deliveries)],
    )
    return [
        f"delivery {row['id']} is {row['state']!r}: say in the outbox what became of it first"
        for row in found
    ]


def stays(cursor: Connection, scope: ContactScope) -> list[str]:
    """Say what of this contact's an erasure does not reach, with figures where there are any."""
    found = list(ALWAYS)
    mentions = first(
        cursor,
        "SELECT count(DISTINCT item_id) FROM steps WHERE stage = 'parse' AND output IS NOT NULL "
        "AND item_id NOT IN (SELECT unnest(?::VARCHAR[])) AND len(list_filter(?::VARCHAR[], "
        "lambda one: contains(lower(output), one))) > 0",
        [list(scope.messages), list(scope.addresses)],
    )
    if mentions and mentions[0]:
        found.append(f"Of other people's messages {mentions[0]} name the address; they stay.")
    for statement, what in _WRITTEN:
        number = first(cursor, statement, [list(scope.addresses)])
        if number and number[0]:
            found.append(f"{number[0]} {what} name the address: change them by hand.")
    forwarded = cursor.execute(
        "SELECT DISTINCT url FROM forwards WHERE id IN (SELECT unnest(?)) ORDER BY url",
        [list(scope.forwards)],
    ).fetchall()
    found += [f"Mail of theirs was forwarded to {row[0]!r}, which has copies." for row in forwarded]
    trained = first(
        cursor,
        "SELECT count(*) FROM examples WHERE case_id IN (SELECT unnest(?))",
        [list(scope.cases)],
    )
    if trained and trained[0]:
        found.append(
            "What the classifier learned from their cases are weights of hashed words; they are "
            "fitted again without them at the next training."
        )
    return found


_NAMED = "len(list_filter(?::VARCHAR[], lambda one: contains(lower({}), one))) > 0"
_WRITTEN = (
    ("SELECT count(*) FROM handling_rules WHERE " + _NAMED.format("sentence"), "handling rules"),
    ("SELECT count(*) FROM kept_replies WHERE " + _NAMED.format("body"), "saved replies"),
    (
        "SELECT count(*) FROM learned_entries WHERE " + _NAMED.format("concat(title, ' ', body)"),
        "learned entries",
    ),
)


def erased(cursor: Connection, prints: Collection[str]) -> list[datetime]:
    """Return when data of one of these fingerprints was erased, oldest first."""
    found = rows(
        cursor,
        "SELECT occurred_at, subject FROM audit_events WHERE action = ? ORDER BY sequence",
        [audit.ERASE],
    )
    return [
        row["occurred_at"]
        for row in found
        if not set(prints).isdisjoint(row["subject"].partition(":")[2].split(","))
    ]
