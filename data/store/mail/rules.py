"""Handling rules of an organization, each with its compiled matcher."""

from datetime import datetime
from typing import NamedTuple

from data.records.mail.rules import Matcher, RuleState
from data.store.core.database import Connection
from data.store.core.statements import Fields, columns, first, insert, one_record, records, update


class RuleRow(NamedTuple):
    """A handling rule."""

    id: str
    version: int
    """0 until it is confirmed."""
    state: str
    sentence: str
    matcher: str
    """As JSON."""
    created_by: str
    created_at: datetime
    confirmed_by: str
    confirmed_at: datetime | None
    retired_by: str
    retired_at: datetime | None


class NamedContactRow(NamedTuple):
    """Who is known by name or company."""

    name: str
    company: str
    email: str


class TriedCaseRow(NamedTuple):
    """What a rule looks at in a case."""

    id: str
    contact_email: str
    subject: str
    preview: str
    received_at: datetime
    seen: str
    """The classification as JSON."""
    attachments: int


def add(cursor: Connection, rule: Fields) -> None:
    """Insert one rule."""
    insert(cursor, "handling_rules", [rule])


def read_row(cursor: Connection, rule_id: str) -> RuleRow:
    """Return one rule's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return one_record(
        cursor,
        RuleRow,
        "SELECT * FROM handling_rules WHERE id = ?",
        rule_id,
        f"there is no rule {rule_id!r}",
    )


def list_rows(cursor: Connection) -> list[RuleRow]:
    """Return every rule, retired ones too, newest first."""
    statement = "SELECT * FROM handling_rules ORDER BY created_at DESC, id DESC"
    return records(cursor, RuleRow, statement)


class CountingRule(NamedTuple):
    """A rule that counts, for the stage that asks which rule matches a message."""

    name: str
    """Its sentence and version, as people are told which rule it was."""
    matcher: Matcher


def list_counting(cursor: Connection) -> list[CountingRule]:
    """Return the confirmed rules in the order of their confirmation."""
    statement = "SELECT * FROM handling_rules WHERE state = 'confirmed' ORDER BY version, id"
    return [
        CountingRule(
            f"{row.sentence!r}, version {row.version}", Matcher.model_validate_json(row.matcher)
        )
        for row in records(cursor, RuleRow, statement)
    ]


def read_next_version(cursor: Connection) -> int:
    """Return the version that the next change of the rules gets."""
    row = first(cursor, "SELECT coalesce(max(version), 0) + 1 FROM handling_rules")
    return int(row[0]) if row else 1


def change_state(
    cursor: Connection, rule_id: str, state: RuleState, user: str, version: int, now: datetime
) -> None:
    """Confirm or retire a rule."""
    verb = "confirmed" if state is RuleState.CONFIRMED else "retired"
    fields = {"state": str(state), "version": version, f"{verb}_by": user, f"{verb}_at": now}
    update(cursor, "handling_rules", [{"id": rule_id, **fields}])


def list_contacts(cursor: Connection) -> list[NamedContactRow]:
    """Return who is known by name or company."""
    names = columns(NamedContactRow)
    statement = f"SELECT {names} FROM contacts WHERE name <> '' OR company <> ''"
    return records(cursor, NamedContactRow, statement)


def list_recent_cases(cursor: Connection, limit: int) -> list[TriedCaseRow]:
    """Return the newest cases with what a rule looks at."""
    return records(
        cursor,
        TriedCaseRow,
        "SELECT c.id, c.contact_email, c.subject, c.preview, c.received_at, s.output AS seen, "
        "(SELECT coalesce(sum(m.attachments), 0) FROM messages m "
        "WHERE m.case_id = c.id) AS attachments FROM cases c JOIN steps s ON s.item_id = c.id "
        "AND s.stage = 'classify' AND s.status = 'done' AND NOT s.superseded "
        "ORDER BY c.received_at DESC, c.id LIMIT ?",
        [limit],
    )
