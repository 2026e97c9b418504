"""Rows held on one contact, table by table: the same list is counted, exported and deleted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import first, records, rows
from data.store.mail.contact_scope import ContactScope, bind_scope


@dataclass(frozen=True)
class Held:
    """The rows of one table that belong to a contact."""

    name: str
    """What they are called in an export and a count."""
    table: str
    where: str
    """Condition on the table; `{messages}` stands for `IN` the ids of the scope's messages."""


HELD = (
    Held("contacts", "contacts", "lower(email) {addresses}"),
    Held("accounts", "accounts", "lower(email) {addresses}"),
    Held("messages", "messages", "id {messages}"),
    Held("cases", "cases", "id {cases}"),
    Held("branches", "branches", "case_id {cases}"),
    Held("actions", "actions", "branch_id {branches}"),
    Held("drafts", "drafts", "case_id {cases}"),
    Held("reviews", "reviews", "case_id {cases}"),
    Held("approvals", "approvals", "subject_id {cases}"),
    Held(
        "notes",
        "notes",
        "case_id {cases} OR thread_id {threads} OR (case_id = '' AND thread_id {shared})",
    ),
    Held("follow_ups", "follow_ups", "case_id {cases}"),
    Held("snoozes", "snoozes", "case_id {cases}"),
    Held("service_targets", "service_targets", "case_id {cases}"),
    Held("service_warnings", "service_warnings", "case_id {cases}"),
    Held("planted_faults", "planted_faults", "case_id {cases}"),
    Held("deliveries", "deliveries", "id {deliveries}"),
    Held("attached_files", "attached_files", "case_id {cases}"),
    Held("delivery_files", "delivery_files", "delivery_id {deliveries}"),
    Held("promises", "promises", "case_id {cases} OR lower(contact_email) {addresses}"),
    Held("tickets", "tickets", "id {tickets}"),
    Held("ticket_notes", "ticket_notes", "ticket_id {tickets}"),
    Held("ticket_pushes", "ticket_pushes", "ticket_id {tickets}"),
    Held("owner_questions", "owner_questions", "id {questions}"),
    Held("learned_entries", "learned_entries", "id {learned}"),
    Held("threads", "threads", "id {threads}"),
    Held("shared_threads", "threads", "id {shared}"),
    Held("thread_tags", "thread_tags", "thread_id {threads}"),
    Held("thread_changes", "thread_changes", "thread_id {threads} OR other_id {threads}"),
    Held(
        "thread_summaries",
        "thread_summaries",
        "lower(contact_email) {addresses} OR thread_id {threads} OR thread_id {shared}",
    ),
    Held("history", "history", "lower(contact_email) {addresses}"),
    Held("journal", "steps", "item_id {messages} OR item_id {cases} OR item_id {branches}"),
    Held("events", "events", "item_id {items}"),
    Held("letterheads", "letterheads", "item_id {messages}"),
    Held("named_ids", "named_ids", "item_id {messages}"),
    Held(
        "own_message_ids",
        "own_message_ids",
        "thread_id {threads} OR message_id IN (SELECT message_id FROM deliveries "
        "WHERE id {deliveries})",
    ),
    Held("mail_to_index", "mail_to_index", "item_id {messages}"),
    Held("forwards", "forwards", "id {forwards}"),
    Held("guard_decisions", "guard_decisions", "message_id {messages}"),
    Held("security_flags", "security_flags", "message_id {messages}"),
    Held("spam_lessons", "spam_lessons", "message_id {messages}"),
    Held("filter_lessons", "filter_lessons", "message_id {messages}"),
    Held("allowances", "allowances", "lower(sender) {addresses}"),
    Held("blocks", "blocks", "lower(pattern) {addresses}"),
    Held("examples", "examples", "case_id {cases}"),
    Held("waits", "waits", "case_id {cases}"),
    Held(
        "notifications",
        "notifications",
        "subject_id {items} OR (kind = 'mention' AND subject_id {shared})",
    ),
    Held("caps", "caps", "scope = 'sender' AND lower(subject) {addresses}"),
    Held(
        "model_messages",
        "model_messages",
        "item_id {messages} OR item_id {cases} OR item_id {branches} OR lower(sender) {addresses}",
    ),
    Held(
        "model_calls",
        "model_calls",
        "item_id {messages} OR item_id {cases} OR item_id {branches} OR lower(sender) {addresses}",
    ),
)
"""In the order of an export; docs/operate.md says what each holds."""


def list_held(
    cursor: Connection, scope: ContactScope
) -> Iterator[tuple[Held, list[dict[str, object]]]]:
    """Give the rows of each table that has any, with every column by its name: for an export."""
    for table in list_holders(cursor):
        condition = bind_scope(table.where)
        table_rows = rows(
            cursor, f"SELECT * FROM {table.table} WHERE {condition}", scope.parameters_of(condition)
        )
        if table_rows:
            yield table, table_rows


def count_rows(cursor: Connection, scope: ContactScope) -> dict[str, int]:
    """Return how many rows of each table there are; only of tables that have any."""
    count_by_table = {}
    for table in list_holders(cursor):
        condition = bind_scope(table.where)
        number = first(
            cursor,
            f"SELECT count(*) FROM {table.table} WHERE {condition}",
            scope.parameters_of(condition),
        )
        if number and number[0]:
            count_by_table[table.name] = int(number[0])
    return count_by_table


class ContentRow(NamedTuple):
    """A file of the archive."""

    filename: str
    """Its name in an export."""
    sha256: str


def list_contents(cursor: Connection, scope: ContactScope) -> dict[str, list[ContentRow]]:
    """Return the archived raw messages, the replies, and the files of our own that are a contact's.

    They are under `mail`, `replies` and `attached`.
    """
    messages, deliveries = bind_scope("id {messages}"), bind_scope("id {deliveries}")
    cases = bind_scope("case_id {cases}")
    return {
        "mail": records(
            cursor,
            ContentRow,
            "SELECT id || '.eml' AS filename, raw_sha256 AS sha256 FROM messages "
            f"WHERE {messages} ORDER BY id",
            scope.parameters_of(messages),
        ),
        "replies": records(
            cursor,
            ContentRow,
            "SELECT id || '.eml' AS filename, sha256 FROM deliveries "
            f"WHERE {deliveries} ORDER BY id",
            scope.parameters_of(deliveries),
        ),
        "attached": records(
            cursor,
            ContentRow,
            "SELECT id || '-' || filename AS filename, sha256 FROM attached_files "
            f"WHERE {cases} ORDER BY attached_files.id",
            scope.parameters_of(cases),
        ),
    }


def list_own_contents(cursor: Connection, scope: ContactScope) -> list[str]:
    """Return the hashes of the archived files that nothing but the contact's data names."""
    ready = bind_scope(
        "SELECT DISTINCT hash FROM (SELECT raw_sha256 AS hash FROM messages WHERE id {messages} "
        "UNION ALL SELECT sha256 FROM deliveries WHERE id {deliveries} "
        "UNION ALL SELECT sha256 FROM attached_files WHERE case_id {cases} "
        "UNION ALL SELECT sha256 FROM delivery_files WHERE delivery_id {deliveries}"
        ") WHERE hash NOT IN ("
        "SELECT raw_sha256 FROM messages WHERE id NOT {messages} "
        "UNION ALL SELECT sha256 FROM deliveries WHERE id NOT {deliveries} "
        "UNION ALL SELECT sha256 FROM attached_files WHERE case_id NOT {cases} "
        "UNION ALL SELECT sha256 FROM delivery_files WHERE delivery_id NOT {deliveries}"
        ") ORDER BY hash"
    )
    return [str(row[0]) for row in cursor.execute(ready, scope.parameters_of(ready)).fetchall()]


LOADED = {
    "accounts": "lower(email) {addresses}",
    "contacts": "lower(email) {addresses}",
    "history": "lower(contact) {addresses}",
}
"""Tables that the organization's files are loaded into, in dlt's schemas `sync` and the like."""


def list_holders(cursor: Connection) -> list[Held]:
    """Return what may hold something: the tables above, and those of loaded files."""
    table_rows = cursor.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE starts_with(schema_name, 'sync')"
        " AND table_name IN (SELECT unnest(?)) ORDER BY ALL",
        [list(LOADED)],
    ).fetchall()
    loaded = [
        Held(f"{schema}_{table}", f'"{schema}"."{table}"', LOADED[table])
        for schema, table in table_rows
    ]
    return [*HELD, *loaded]
