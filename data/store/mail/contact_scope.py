"""The scope of one contact: the ids of everything that belongs to it, found from addresses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from data.store.core.database import Connection

ROUNDS = 8
"""Times that duplicates of duplicates and merges of merges are followed, at most."""


@dataclass(frozen=True, kw_only=True)
class ContactScope:
    """The ids of what is held on one contact, by kind; the names are those that SQL refers to."""

    addresses: tuple[str, ...]
    contacts: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    """Conversations that hold nothing of anybody else."""
    shared: tuple[str, ...] = ()
    """Conversations that others are part of too."""
    deliveries: tuple[str, ...] = ()
    tickets: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    forwards: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    items: tuple[str, ...] = field(default=(), repr=False)
    """All of the above ids: what events, notifications and audit events may name."""

    def parameters_of(self, condition: str) -> dict[str, list[str]]:
        """Return the parameters that a condition names, e.g. `$messages`."""
        return {name: list(ids) for name, ids in vars(self).items() if f"${name}::" in condition}


def list_plus_forms(cursor: Connection, addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses, lower-cased, with the plus forms of them that mail has come from.

    `ada+news@quill.example` is the mailbox of `ada@quill.example` (RFC 5233); asked for a form with
    a plus, that form alone is meant.
    """
    plain_addresses = list(dict.fromkeys(address.strip().lower() for address in addresses))
    all_addresses = set(plain_addresses)
    for address in plain_addresses:
        local, _, domain = address.rpartition("@")
        if not local or "+" in local:
            continue
        rows = cursor.execute(
            "SELECT DISTINCT address FROM ("
            "SELECT lower(email) AS address FROM contacts UNION SELECT lower(sender_email) "
            "FROM messages UNION SELECT lower(mail_from) FROM messages "
            "UNION SELECT lower(contact_email) FROM history) "
            "WHERE starts_with(address, ?) AND ends_with(address, ?)",
            [f"{local}+", f"@{domain}"],
        ).fetchall()
        all_addresses |= {str(row[0]) for row in rows}
    return (*plain_addresses, *sorted(all_addresses - set(plain_addresses)))


def find_scope(cursor: Connection, addresses: Sequence[str]) -> ContactScope:
    """Return everything that belongs to whoever has these addresses (lower-cased)."""
    contact_scope = ContactScope(addresses=tuple(addresses))
    contacts = _list_ids(
        cursor, "SELECT id FROM contacts WHERE lower(email) {addresses}", contact_scope
    )
    contact_scope = ContactScope(addresses=contact_scope.addresses, contacts=contacts)
    messages = _list_ids(cursor, _MESSAGES, contact_scope)
    for _ in range(ROUNDS):  # a duplicate was never read: it has no sender of its own
        more = _list_ids(
            cursor,
            "SELECT id FROM messages WHERE duplicate_of {messages} OR id {messages}",
            ContactScope(addresses=contact_scope.addresses, messages=messages),
        )
        if len(more) == len(messages):
            break
        messages = more
    contact_scope = ContactScope(
        addresses=contact_scope.addresses, contacts=contacts, messages=messages
    )
    cases = _list_ids(cursor, _CASES, contact_scope)
    touched = _list_conversations(cursor, contact_scope, cases)
    contact_scope = ContactScope(
        addresses=contact_scope.addresses, contacts=contacts, messages=messages, cases=cases
    )
    alone = _list_unshared(cursor, contact_scope, touched)
    ids_by_kind = {
        name: _list_ids(cursor, statement, contact_scope) for name, statement in _OF_CASES.items()
    }
    questions = ContactScope(
        addresses=contact_scope.addresses, cases=cases, questions=ids_by_kind["questions"]
    )
    ids_by_kind["learned"] = _list_ids(cursor, _LEARNED, questions)
    items = (contacts, messages, cases, alone, *ids_by_kind.values())
    return ContactScope(
        addresses=contact_scope.addresses,
        contacts=contacts,
        messages=messages,
        cases=cases,
        threads=alone,
        shared=tuple(sorted(set(touched) - set(alone))),
        items=tuple(sorted({item_ref for ids in items for item_ref in ids})),
        **ids_by_kind,
    )


_MESSAGES = (
    "SELECT id FROM messages WHERE contact_id {contacts} OR lower(sender_email) {addresses} "
    "OR (sender_email = '' AND lower(mail_from) {addresses})"
)
_CASES = (
    "SELECT id FROM cases WHERE contact_id {contacts} OR lower(contact_email) {addresses} "
    "UNION SELECT case_id FROM messages WHERE id {messages} AND case_id IS NOT NULL"
)
_OF_CASES: Mapping[str, str] = {
    "deliveries": "SELECT id FROM deliveries WHERE case_id {cases}",
    "tickets": "SELECT id FROM tickets WHERE case_id {cases} OR lower(contact_email) {addresses}",
    "questions": "SELECT id FROM owner_questions WHERE case_id {cases} "
    "OR lower(contact_email) {addresses}",
    "forwards": "SELECT id FROM forwards WHERE message_id {messages}",
    "branches": "SELECT id FROM branches WHERE case_id {cases}",
}
_LEARNED = "SELECT id FROM learned_entries WHERE case_id {cases} OR question_id {questions}"
_TOUCHED = (
    "SELECT thread_id FROM messages WHERE id {messages} AND thread_id IS NOT NULL "
    "UNION SELECT thread_id FROM cases WHERE id {cases} "
    "UNION SELECT thread_id FROM history WHERE lower(contact_email) {addresses} "
    "AND thread_id IS NOT NULL "
    "UNION SELECT id FROM threads WHERE lower(contact_email) {addresses} OR contact_id {contacts}"
)
_MERGED = (
    "SELECT id FROM threads WHERE id {threads} OR merged_into {threads} "
    "UNION SELECT merged_into FROM threads WHERE id {threads} AND merged_into IS NOT NULL"
)
_OTHERS = (
    "SELECT thread_id FROM messages WHERE thread_id {threads} AND id NOT {messages} "
    "UNION SELECT thread_id FROM cases WHERE thread_id {threads} AND id NOT {cases} "
    "UNION SELECT thread_id FROM history WHERE thread_id {threads} "
    "AND lower(contact_email) NOT {addresses}"
)


def _list_conversations(
    cursor: Connection, contact_scope: ContactScope, cases: tuple[str, ...]
) -> tuple[str, ...]:
    own_scope = ContactScope(
        addresses=contact_scope.addresses,
        contacts=contact_scope.contacts,
        messages=contact_scope.messages,
        cases=cases,
    )
    conversation_ids = _list_ids(cursor, _TOUCHED, own_scope)
    for _ in range(ROUNDS):
        more = _list_ids(cursor, _MERGED, ContactScope(addresses=(), threads=conversation_ids))
        if len(more) == len(conversation_ids):
            break
        conversation_ids = more
    return conversation_ids


def _list_unshared(
    cursor: Connection, contact_scope: ContactScope, touched: tuple[str, ...]
) -> tuple[str, ...]:
    """Return those of the conversations in which there is nothing of anybody else.

    One that became part of another stays as long as that one does: a merge can be taken back.
    """
    own_scope = ContactScope(
        addresses=contact_scope.addresses,
        messages=contact_scope.messages,
        cases=contact_scope.cases,
        threads=touched,
    )
    shared = set(_list_ids(cursor, _OTHERS, own_scope))
    unshared = set(touched) - shared
    if not unshared:
        return ()
    foreign = _list_ids(
        cursor,
        "SELECT id FROM threads WHERE id {threads} AND lower(contact_email) NOT {addresses}",
        ContactScope(addresses=contact_scope.addresses, threads=tuple(sorted(unshared))),
    )
    return tuple(sorted(unshared - set(foreign)))


def bind_scope(condition: str) -> str:
    """Return a condition with `{messages}` and the like as parameters: `IN (SELECT unnest(…))`."""
    for name in ContactScope.__dataclass_fields__:
        condition = condition.replace(f"{{{name}}}", f"IN (SELECT unnest(${name}::VARCHAR[]))")
    return condition


def _list_ids(cursor: Connection, statement: str, scope: ContactScope) -> tuple[str, ...]:
    ready = bind_scope(statement)
    rows = cursor.execute(ready, scope.parameters_of(ready)).fetchall()
    return tuple(sorted({str(row[0]) for row in rows}))
