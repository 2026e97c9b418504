"""Tables of the organization's files, as dlt has loaded them into a schema of its own.

The kinds of rows here are the tables: `connectors/sources/tables.py` makes dlt's hints of them.
"""

import json
import logging
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple, NewType, TypeVar

from duckdb import BinderException, CatalogException

from data.errors import ManifestError
from data.manifest_files import content_hash
from data.policy_files import load_policy, merge_policy
from data.policy_text import KEPT_HERE
from data.records.core.accounts import Account
from data.records.core.knowledge import (
    Contact,
    HistoryEntry,
    KnowledgeEntry,
    KnowledgeKind,
    SavedReply,
)
from data.records.core.organization import Policy
from data.store.core import policies
from data.store.core.database import Connection

log = logging.getLogger("postern.policy")

DATASET = "sync"
"""Schema of the organization's database that holds these tables."""

JsonText = NewType("JsonText", str)
"""What is JSON, still as text."""
LineT = TypeVar("LineT", bound=NamedTuple)
"""A kind of row of a loaded table: its columns, and the file that it came from."""


class StoredHash(NamedTuple):
    """What is known of a row that is loaded."""

    id: str
    file: str
    row_hash: str


class LoadedKnowledge(NamedTuple):
    """An entry of the organization's knowledge."""

    id: str
    title: str
    kind: str
    language: str
    tags: JsonText | None
    significance: float
    valid_from: date | None
    valid_until: date | None
    public: bool
    trusted: bool
    supersedes: JsonText | None
    belongs_to: JsonText | None
    contradicts: JsonText | None
    half_life_days: int | None
    checked_on: date | None
    body: str
    file: str


class LoadedReply(NamedTuple):
    """A saved reply."""

    id: str
    title: str
    language: str
    intent: str
    categories: JsonText | None
    body: str
    file: str


class LoadedContact(NamedTuple):
    """Somebody who writes to the organization."""

    id: str
    email: str
    name: str
    company: str
    language: str
    since: date | None
    plan_or_account: str
    notes: str
    file: str


class LoadedAccount(NamedTuple):
    """An account of a contact, as the organization's own system tells it."""

    id: str
    email: str
    account: str
    plan: str
    status: str
    renewal: date | None
    balance: str
    orders: str
    file: str


class LoadedHistory(NamedTuple):
    """An earlier message."""

    id: str
    contact: str
    outbound: bool
    sent_at: datetime
    subject: str
    text: str
    message_id: str
    in_reply_to: str
    file: str


class LoadedPolicy(NamedTuple):
    """The policy, merged over the default."""

    id: str
    policy: JsonText
    file: str


KINDS: dict[str, type[NamedTuple]] = {
    "knowledge": LoadedKnowledge,
    "saved_replies": LoadedReply,
    "contacts": LoadedContact,
    "accounts": LoadedAccount,
    "history": LoadedHistory,
    "policies": LoadedPolicy,
}
"""The tables, each with what a row of it is."""


def read_fingerprints(connection: Connection, table: str) -> dict[str, StoredHash]:
    """Return file and hash of every loaded row by id; empty before the first load."""
    return {row.id: row for row in _read_table(connection, StoredHash, table)}


def read_loaded_versions(connection: Connection) -> dict[str, str]:
    """Return a content hash of every table, 12 hexadecimal digits.

    Whoever carries the rows on (an index, another table) keeps the hash of what it has taken, and
    so notices after a crash that it has not taken the newest.
    """
    hashes: dict[str, str] = {}
    for table in KINDS:
        stored = read_fingerprints(connection, table)
        hashes[table] = content_hash(sorted((key, row.row_hash) for key, row in stored.items()))
    return hashes


def read_knowledge(connection: Connection) -> list[KnowledgeEntry]:
    """Return all knowledge entries by id; `source` is the file, relative to the folder."""
    return [
        KnowledgeEntry(
            id=row.id,
            title=row.title,
            kind=KnowledgeKind(row.kind),
            language=row.language,
            tags=_as_list(row.tags),
            significance=row.significance,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            public=row.public,
            trusted=row.trusted,
            supersedes=_as_list(row.supersedes),
            belongs_to=_as_list(row.belongs_to),
            contradicts=_as_list(row.contradicts),
            half_life_days=row.half_life_days,
            checked_on=row.checked_on,
            body=row.body,
            source=row.file,
        )
        for row in _read_table(connection, LoadedKnowledge, "knowledge")
    ]


def read_saved_replies(connection: Connection) -> list[SavedReply]:
    """Return all saved replies by id."""
    return [
        SavedReply(
            id=row.id,
            title=row.title,
            language=row.language,
            intent=row.intent,
            categories=_as_list(row.categories),
            body=row.body,
        )
        for row in _read_table(connection, LoadedReply, "saved_replies")
    ]


def read_contacts(connection: Connection) -> list[Contact]:
    """Return all contacts by address; `plan_or_account` is the first sentence of the notes.

    `first_seen_at` is the start of the day `since`, UTC.
    """
    return [
        Contact(
            id=row.id,
            email=row.email,
            name=row.name,
            company=row.company,
            language=row.language,
            plan=row.plan_or_account,
            notes=". ".join(part for part in (row.plan_or_account, row.notes) if part),
            first_seen_at=datetime.combine(row.since, time(), tzinfo=UTC) if row.since else None,
        )
        for row in _read_table(connection, LoadedContact, "contacts")
    ]


def read_accounts(connection: Connection) -> list[Account]:
    """Return all account records by id."""
    return [
        Account(
            id=row.id,
            email=row.email,
            account=row.account,
            plan=row.plan,
            status=row.status,
            renewal=row.renewal,
            balance=row.balance,
            orders=row.orders,
        )
        for row in _read_table(connection, LoadedAccount, "accounts")
    ]


def read_history(connection: Connection) -> list[HistoryEntry]:
    """Return all earlier messages, oldest first; `ref` is the row's id, `at` is UTC."""
    entries = [
        HistoryEntry(
            ref=row.id,
            contact=row.contact,
            outbound=row.outbound,
            at=row.sent_at.astimezone(UTC),
            subject=row.subject,
            text=row.text,
            message_id=row.message_id,
            in_reply_to=row.in_reply_to,
        )
        for row in _read_table(connection, LoadedHistory, "history")
    ]
    return sorted(entries, key=lambda entry: (entry.at, entry.ref))


def read_policy(connection: Connection) -> Policy:
    """Return the organization's policy, the built-in default when it has none.

    The newest wording counts, wherever it is kept. One that this release refuses counts as it did
    when it was written.
    """
    if (newest := policies.read_newest(connection)) is not None:
        try:
            return merge_policy((KEPT_HERE, newest.text))
        except ManifestError as error:
            log.warning("the policy counts as it was written, and has to be mended: %s", error)
            return Policy.model_validate_json(newest.policy)
    from_files = _read_table(connection, LoadedPolicy, "policies")
    return Policy.model_validate_json(from_files[0].policy) if from_files else load_policy()


def _read_table(connection: Connection, kind: type[LineT], table: str) -> list[LineT]:
    """Return the rows of a loaded table by id; none before the first load."""
    cursor = connection.cursor()  # leaves the caller's transaction and pending result alone
    try:
        try:
            return _fetch(cursor, kind, table, set(kind._fields))
        except BinderException:  # an older release has loaded it: newer columns come with a load
            return _fetch(cursor, kind, table, _list_columns(cursor, table))
    except CatalogException:  # nothing has been loaded into it yet
        return []
    finally:
        cursor.close()


def _fetch(cursor: Connection, kind: type[LineT], table: str, present: set[str]) -> list[LineT]:
    """Return the rows of a table by id; None for those of the columns that it does not have."""
    names = ", ".join(f'"{name}"' if name in present else "NULL" for name in kind._fields)
    statement = f'SELECT {names} FROM "{DATASET}"."{table}" ORDER BY id'
    values: list[tuple[Any, ...]] = cursor.execute(statement).fetchall()
    return list(map(kind._make, values))


def _list_columns(cursor: Connection, table: str) -> set[str]:
    names = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE schema_name = ? AND table_name = ?",
        [DATASET, table],
    ).fetchall()
    return {str(name) for (name,) in names}


def _as_list(text: JsonText | None) -> tuple[str, ...]:
    """Read a JSON column that holds a list of texts."""
    return tuple(json.loads(text)) if text else ()
