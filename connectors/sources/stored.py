"""What is loaded, read back as records."""

import json
import logging
from datetime import UTC, datetime, time
from typing import Any

from connectors.sources.changes import StoredHash
from connectors.sources.tables import DATASET, TABLES
from data.errors import ManifestError
from data.manifest_files import content_hash
from data.policy_files import load_policy, merge_policy
from data.policy_text import KEPT_HERE
from data.records.core.accounts import Account
from data.records.core.knowledge import Contact, HistoryEntry, KnowledgeEntry, SavedReply
from data.records.core.organization import Policy
from data.store.core import loaded, policies
from data.store.core.database import Connection

log = logging.getLogger("postern.policy")


def fingerprints(connection: Connection, table: str) -> dict[str, StoredHash]:
    """Return file and hash of every loaded row by id; empty before the first load."""
    rows = loaded.rows_of(connection, DATASET, table, ("id", "file", "row_hash"))
    return {row["id"]: StoredHash(file=row["file"], row_hash=row["row_hash"]) for row in rows}


def loaded_versions(connection: Connection) -> dict[str, str]:
    """Return a content hash of every table, 12 hexadecimal digits.

    Whoever carries the rows on (an index, another table) keeps the hash of what it has taken, and
    so notices after a crash that it has not taken the newest.
    """
    hashes: dict[str, str] = {}
    for table in TABLES:
        stored = fingerprints(connection, table)
        hashes[table] = content_hash(sorted((key, row.row_hash) for key, row in stored.items()))
    return hashes


def read_knowledge(connection: Connection) -> list[KnowledgeEntry]:
    """Return all knowledge entries by id; `source` is the file, relative to the folder."""
    return [
        KnowledgeEntry(
            **{
                **_without(row, "file"),
                "tags": _list(row["tags"]),
                "supersedes": _list(row["supersedes"]),
                "belongs_to": _list(row["belongs_to"]),
                "contradicts": _list(row["contradicts"]),
            },
            source=row["file"],
        )
        for row in _rows(connection, "knowledge")
    ]


def read_saved_replies(connection: Connection) -> list[SavedReply]:
    """Return all saved replies by id."""
    return [
        SavedReply(**{**_without(row, "file"), "categories": _list(row["categories"])})
        for row in _rows(connection, "saved_replies")
    ]


def read_contacts(connection: Connection) -> list[Contact]:
    """Return all contacts by address; `plan_or_account` is the first sentence of the notes.

    `first_seen_at` is the start of the day `since`, UTC.
    """
    return [
        Contact(
            id=row["id"],
            email=row["email"],
            name=row["name"],
            company=row["company"],
            language=row["language"],
            plan=row["plan_or_account"],
            notes=". ".join(part for part in (row["plan_or_account"], row["notes"]) if part),
            first_seen_at=(
                datetime.combine(row["since"], time(), tzinfo=UTC) if row["since"] else None
            ),
        )
        for row in _rows(connection, "contacts")
    ]


def read_accounts(connection: Connection) -> list[Account]:
    """Return all account records by id."""
    return [
        Account(**{**_without(row, "file"), "renewal": row["renewal"] or None})
        for row in _rows(connection, "accounts")
    ]


def read_history(connection: Connection) -> list[HistoryEntry]:
    """Return all earlier messages, oldest first; `ref` is the row's id, `at` is UTC."""
    entries = [
        HistoryEntry(
            ref=row["id"],
            contact=row["contact"],
            outbound=row["outbound"],
            at=row["sent_at"].astimezone(UTC),
            subject=row["subject"],
            text=row["text"],
            message_id=row["message_id"],
            in_reply_to=row["in_reply_to"],
        )
        for row in _rows(connection, "history")
    ]
    return sorted(entries, key=lambda entry: (entry.at, entry.ref))


def read_policy(connection: Connection) -> Policy:
    """Return the organization's policy, the built-in default when it has none.

    The newest wording counts, wherever it is kept. One that this release refuses counts as it did
    when it was written.
    """
    if (newest := policies.newest(connection)) is not None:
        try:
            return merge_policy((KEPT_HERE, newest.text))
        except ManifestError as error:
            log.warning("the policy counts as it was written, and has to be mended: %s", error)
            return Policy.model_validate_json(newest.policy)
    rows = _rows(connection, "policies")
    if not rows:
        return load_policy()
    return Policy.model_validate_json(rows[0]["policy"])


def _rows(connection: Connection, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table, each to be made a record by its reader."""
    return loaded.rows_of(connection, DATASET, table, (*TABLES[table], "file"))


def _without(row: dict[str, Any], column: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != column}


def _list(value: str | None) -> tuple[str, ...]:
    """Read a JSON column that holds a list of texts."""
    return tuple(json.loads(value)) if value else ()
