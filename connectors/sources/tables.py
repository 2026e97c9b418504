"""The tables that the sources fill: names, columns, and what a row is known by.

Column types are dlt's names for them; the same table drives dlt's hints and the reading back.
"""

from typing import Any, Literal, TypeAlias

from data.manifest_files import content_hash

DATASET = "sync"
"""Schema of the organization's database that holds these tables."""

ColumnType = Literal["text", "json", "date", "timestamp", "double", "bigint", "bool"]
Row: TypeAlias = dict[str, Any]
"""One row by column name, as dlt takes it; always with `id`, `file`, `row_hash` and `removed`."""

TABLES: dict[str, dict[str, ColumnType]] = {
    "knowledge": {
        "id": "text",
        "title": "text",
        "kind": "text",
        "language": "text",
        "tags": "json",
        "significance": "double",
        "valid_from": "date",
        "valid_until": "date",
        "public": "bool",
        "trusted": "bool",
        "supersedes": "json",
        "belongs_to": "json",
        "contradicts": "json",
        "half_life_days": "bigint",
        "checked_on": "date",
        "body": "text",
    },
    "saved_replies": {
        "id": "text",
        "title": "text",
        "language": "text",
        "intent": "text",
        "categories": "json",
        "body": "text",
    },
    "contacts": {
        "id": "text",
        "email": "text",
        "name": "text",
        "company": "text",
        "language": "text",
        "since": "date",
        "plan_or_account": "text",
        "notes": "text",
    },
    "accounts": {
        "id": "text",
        "email": "text",
        "account": "text",
        "plan": "text",
        "status": "text",
        "renewal": "date",
        "balance": "text",
        "orders": "text",
    },
    "history": {
        "id": "text",
        "contact": "text",
        "outbound": "bool",
        "sent_at": "timestamp",
        "subject": "text",
        "text": "text",
        "message_id": "text",
        "in_reply_to": "text",
    },
    "policies": {
        "id": "text",
        "policy": "json",
    },
}

BOOKKEEPING: dict[str, ColumnType] = {"file": "text", "row_hash": "text", "removed": "bool"}
"""Where a row came from, its fingerprint, and dlt's hard-delete mark (never true in a table)."""


def add_fingerprint(values: Row, file: str) -> Row:
    """Complete a row with the file it came from and the hash of what it says."""
    shown = {key: str(value) for key, value in values.items()}
    return {**values, "file": file, "row_hash": content_hash(shown), "removed": False}


def tombstone(table: str, row_id: str) -> Row:
    """Return the row that makes dlt remove the stored one."""
    row: Row = dict.fromkeys(TABLES[table])
    return {**row, "id": row_id, "file": "", "row_hash": "", "removed": True}
