"""One contact's rows are deleted, and what others' rows hold of them is cut out."""

from datetime import datetime
from typing import NamedTuple

import orjson

from data.store.core import audit, histories
from data.store.core.database import Connection
from data.store.core.mentioning import as_marks, build_mention_condition
from data.store.core.retold import cut_retold, cut_spilled
from data.store.core.statements import Fields, records, update
from data.store.mail import learning, thread_changes
from data.store.mail.contact_data import list_holders
from data.store.mail.contact_scope import ContactScope, bind_scope

UNTOUCHED = frozenset({"shared_threads", "model_calls"})
"""What is counted and exported, and only cut when the contact is erased."""


def delete_rows(cursor: Connection, scope: ContactScope, *, keep_learned: bool) -> list[str]:
    """Delete everything of the scope; nothing of anybody else's is deleted with it.

    Of conversations with others their own mail stays, without the subject that the contact gave
    them; of the briefings of others' cases, and of what was summed up, the contact's pieces go.
    What models have cost stays, without whom it was for; what they were asked goes wherever it
    may hold the contact's words: in shared conversations, and where an address is named.

    Returns the hashes of files in the archive that agents had remembered of the contact.
    """
    for message in scope.messages:
        learning.unlearn(cursor, message)
    if keep_learned:
        _run_statement(
            cursor,
            "UPDATE learned_entries SET case_id = '', question_id = '', source = 'learned', "
            "before = '' WHERE trusted AND id {learned}",
            scope,
        )
    _cut_briefings(cursor, scope)
    for statement in _CUT:
        _run_statement(cursor, statement, scope)
    for table in list_holders(cursor):
        if table.name in UNTOUCHED:
            continue
        kept_condition = (
            " AND NOT (trusted AND case_id = '')" if table.name == "learned_entries" else ""
        )
        _run_statement(
            cursor, f"DELETE FROM {table.table} WHERE ({table.where}){kept_condition}", scope
        )
    addresses = as_marks((), scope.addresses)
    for table_name, text in (("notifications", "sentence"), ("model_messages", "messages")):
        cursor.execute(
            f"DELETE FROM {table_name} WHERE {build_mention_condition(text)}", [addresses]
        )
    histories.forget_prompts(cursor)
    ids = (*scope.cases, *scope.messages)
    spilled = cut_spilled(cursor, ids, scope.addresses)
    cut_retold(cursor, ids, scope.addresses)
    _retell_conversations(cursor, scope)
    return spilled


_CUT = (
    "UPDATE model_calls SET sender = NULL, item_id = NULL WHERE item_id {messages} "
    "OR item_id {cases} OR item_id {branches} OR lower(sender) {addresses}",
    "DELETE FROM model_messages WHERE item_id IN (SELECT id FROM cases WHERE thread_id {shared})",
    "DELETE FROM model_messages WHERE EXISTS (SELECT 1 FROM learned_entries l "
    "WHERE l.id {learned} AND contains(model_messages.messages, l.id))",
    "UPDATE messages SET same_id_as = NULL WHERE same_id_as {messages}",
    "UPDATE threads SET linked_to = NULL WHERE linked_to {threads}",
    "UPDATE cases SET cc = NULL WHERE EXISTS "
    "(SELECT 1 FROM (SELECT unnest(cc) AS copied) WHERE lower(copied) {addresses})",
    "UPDATE cases SET bcc = list_filter(bcc, lambda one: "
    "NOT list_contains($addresses::VARCHAR[], lower(one))) WHERE EXISTS "
    "(SELECT 1 FROM (SELECT unnest(bcc) AS copied) WHERE lower(copied) {addresses})",
    "DELETE FROM thread_links WHERE thread_id {threads} OR other_id {threads}",
    "UPDATE threads SET merged_into = NULL WHERE merged_into {threads}",
    "UPDATE allowances SET message_id = NULL WHERE message_id {messages}",
    "UPDATE knowledge_usage SET last_case_id = '' WHERE last_case_id {cases}",
)


def _run_statement(cursor: Connection, statement: str, scope: ContactScope) -> None:
    ready = bind_scope(statement)
    cursor.execute(ready, scope.parameters_of(ready))


def _cut_briefings(cursor: Connection, scope: ContactScope) -> None:
    """Take the contact's pieces out of what other cases of shared conversations were told."""
    if not scope.shared:
        return
    ready = bind_scope(
        "SELECT s.rowid, s.output FROM steps s JOIN cases c ON c.id = s.item_id "
        "WHERE s.stage = 'context' AND s.output IS NOT NULL AND c.thread_id {shared} "
        "AND c.id NOT {cases}"
    )
    own = {f"message:{message}" for message in scope.messages}
    own |= {f"delivery:{delivery}" for delivery in scope.deliveries}
    for row_id, output in cursor.execute(ready, scope.parameters_of(ready)).fetchall():
        briefing = orjson.loads(output)
        kept_snippets = [
            snippet for snippet in briefing.get("snippets", ()) if snippet["ref"] not in own
        ]
        if len(kept_snippets) < len(briefing.get("snippets", ())):
            text = orjson.dumps({**briefing, "snippets": kept_snippets}).decode()
            cursor.execute("UPDATE steps SET output = ? WHERE rowid = ?", [text, row_id])


class _FirstLeft(NamedTuple):
    """A conversation with the first message that is left in it; None where none is."""

    id: str
    contact_email: str
    subject: str | None
    contact_id: str | None
    """The contact who sent that message, where there is one."""
    sender_email: str | None
    sender_name: str | None


def _retell_conversations(cursor: Connection, scope: ContactScope) -> None:
    """Tell shared conversations by the mail that is left in them."""
    thread_changes.recount_messages(cursor, scope.shared)
    ready = bind_scope(
        "SELECT t.id, t.contact_email, m.subject, c.id AS contact_id, m.sender_email, "
        "m.sender_name FROM threads t LEFT JOIN (SELECT * FROM messages QUALIFY row_number() "
        "OVER (PARTITION BY thread_id ORDER BY received_at, id) = 1) m ON m.thread_id = t.id "
        "LEFT JOIN contacts c ON c.email = m.sender_email WHERE t.id {shared}"
    )
    changed: list[Fields] = []
    for row in records(cursor, _FirstLeft, ready, scope.parameters_of(ready)):
        subject = row.subject or ""
        fields = {"id": row.id, "subject": subject, "normalized_subject": subject.lower()}
        if row.contact_email.lower() in scope.addresses:
            fields |= {
                "contact_id": row.contact_id or "",
                "contact_email": row.sender_email or "",
                "contact_name": row.sender_name or "",
            }
        changed.append(fields)
    for change in changed:
        update(cursor, "threads", [change])


def list_naming_events(cursor: Connection, scope: ContactScope) -> list[int]:
    """Return the sequences of the audit events that are about the contact or name them."""
    words = build_mention_condition("subject || ' ' || detail")
    listed = cursor.execute(
        f"SELECT sequence FROM audit_events WHERE {words} ORDER BY sequence",
        [as_marks(scope.items, scope.addresses)],
    ).fetchall()
    return [int(row[0]) for row in listed]


def note_erasure(
    cursor: Connection,
    scope: ContactScope,
    *,
    fingerprint: str,
    user: str,
    summary: str,
    now: datetime,
) -> None:
    """Append the event of the erasure, and take the words of the events about the contact away."""
    audit_named = list_naming_events(cursor, scope)
    words = f"{audit.REDACTED}{audit.shorten_numbers(audit_named)}" if audit_named else ""
    sequence = audit.append(
        cursor,
        actor=user,
        action=audit.ERASE,
        subject=f"contact:{fingerprint}",
        detail=summary + words,
        now=now,
    )
    audit.redact(cursor, audit_named, sequence)
