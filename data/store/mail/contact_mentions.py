"""Bars to the erasure of a contact's data, and remains that it does not reach."""

from collections.abc import Collection
from datetime import datetime

from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.mentioning import as_marks, build_mention_condition
from data.store.core.statements import first
from data.store.mail.contact_scope import ContactScope

ALWAYS_REMAINS = (
    "What other people's mail quotes of them stays, and so do copies that have left: sent replies "
    "at their receivers, backups, files that were exported, the mailbox that mail was fetched "
    "from, and the screens of a window that is open.",
    "Mail that waits in the spool, or arrives later, is new mail.",
)


def list_blocking_deliveries(cursor: Connection, scope: ContactScope) -> list[str]:
    """Say which replies are on their way, or may have left: they bar an erasure."""
    deliveries = cursor.execute(
        "SELECT id, state FROM deliveries WHERE id IN (SELECT unnest(?)) "
        "AND state IN ('sending', 'dot_sent', 'unknown')",
        [list(scope.deliveries)],
    ).fetchall()
    return [
        f"delivery {delivery} is {state!r}: say in the outbox what became of it first"
        for delivery, state in deliveries
    ]


def list_remains(cursor: Connection, scope: ContactScope) -> list[str]:
    """Say what of this contact's an erasure does not reach, with figures where there are any."""
    sentences = list(ALWAYS_REMAINS)
    addresses = as_marks((), scope.addresses)
    naming = first(
        cursor,
        "SELECT count(DISTINCT item_id) FROM steps WHERE stage = 'parse' AND output IS NOT NULL "
        f"AND item_id NOT IN (SELECT unnest(?::VARCHAR[])) AND {build_mention_condition('output')}",
        [list(scope.messages), addresses],
    )
    if naming and naming[0]:
        sentences.append(f"Of other people's messages {naming[0]} name the address; they stay.")
    for statement, what in _TEXTS_BY_PEOPLE:
        count = first(cursor, statement, [addresses])
        if count and count[0]:
            sentences.append(f"{count[0]} {what} name the address: change them by hand.")
    forwarded = cursor.execute(
        "SELECT DISTINCT url FROM forwards WHERE id IN (SELECT unnest(?)) ORDER BY url",
        [list(scope.forwards)],
    ).fetchall()
    sentences += [
        f"Mail of theirs was forwarded to {row[0]!r}, which has copies." for row in forwarded
    ]
    examples = first(
        cursor,
        "SELECT count(*) FROM examples WHERE case_id IN (SELECT unnest(?))",
        [list(scope.cases)],
    )
    if examples and examples[0]:
        sentences.append(
            "What the classifier learned from their cases are weights of hashed words; they are "
            "fitted again without them at the next training."
        )
    return sentences


_TEXTS_BY_PEOPLE = (
    (
        f"SELECT count(*) FROM handling_rules WHERE {build_mention_condition('sentence')}",
        "handling rules",
    ),
    (f"SELECT count(*) FROM kept_replies WHERE {build_mention_condition('body')}", "saved replies"),
    (
        "SELECT count(*) FROM learned_entries WHERE "
        + build_mention_condition("concat_ws(chr(32), title, body)"),
        "learned entries",
    ),
)


def list_erasure_times(cursor: Connection, fingerprints: Collection[str]) -> list[datetime]:
    """Return when data of one of these fingerprints was erased, oldest first.

    The subject of such an event is `contact:` and the fingerprints of the addresses, with commas.
    """
    erasures = cursor.execute(
        "SELECT occurred_at, subject FROM audit_events WHERE action = ? ORDER BY sequence",
        [audit.ERASE],
    ).fetchall()
    return [
        erased_at
        for erased_at, subject in erasures
        if not set(fingerprints).isdisjoint(subject.partition(":")[2].split(","))
    ]
