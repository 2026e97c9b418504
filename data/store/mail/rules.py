"""Handling rules of an organization, each with its compiled matcher."""

from datetime import datetime
from typing import Any

from data.records.mail.rules import Matcher, RuleState
from data.store.core.database import Connection, first, insert, only, rows, update


def add(cursor: Connection, rule: dict[str, Any]) -> None:
    """Insert one rule."""
    insert(cursor, "handling_rules", [rule])


def one(cursor: Connection, rule_id: str) -> dict[str, Any]:
    """Return one rule's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    return only(
        cursor,
        "SELECT * FROM handling_rules WHERE id = ?",
        rule_id,
        f"there is no rule {rule_id!r}",
    )


def lines(cursor: Connection) -> list[dict[str, Any]]:
    """Return every rule, retired ones too, newest first."""
    return rows(cursor, "SELECT * FROM handling_rules ORDER BY created_at DESC, id DESC")


def counting(cursor: Connection) -> list[tuple[str, Matcher]]:
    """Return the confirmed rules in the order of their confirmation: name to tell, and matcher."""
    found = rows(
        cursor, "SELECT * FROM handling_rules WHERE state = 'confirmed' ORDER BY version, id"
    )
    return [
        (
            f"{row['sentence']!r}, version {row['version']}",
            Matcher.model_validate_json(row["matcher"]),
        )
        for row in found
    ]


def next_version(cursor: Connection) -> int:
    """Return the version that the next change of the rules gets."""
    found = first(cursor, "SELECT coalesce(max(version), 0) + 1 FROM handling_rules")
    return int(found[0]) if found else 1


def turn(
    cursor: Connection, rule_id: str, state: RuleState, user: str, version: int, now: datetime
) -> None:
    """Confirm or retire a rule."""
    who = "confirmed" if state is RuleState.CONFIRMED else "retired"
    fields = {"state": str(state), "version": version, f"{who}_by": user, f"{who}_at": now}
    update(cursor, "handling_rules", [{"id": rule_id, **fields}])


def contacts(cursor: Connection) -> list[dict[str, Any]]:
    """Return who is known by name or company: name, company, email."""
    return rows(
        cursor, "SELECT name, company, email FROM contacts WHERE name <> '' OR company <> ''"
    )


def recent_cases(cursor: Connection, limit: int) -> list[dict[str, Any]]:
    """Return the newest cases with what a rule looks at.

    Columns: those of `cases`, `seen` (the classification as JSON), and `attachments`.
    """
    return rows(
        cursor,
        "SELECT c.*, s.output AS seen, (SELECT coalesce(sum(m.attachments), 0) FROM messages m "
        "WHERE m.case_id = c.id) AS attachments FROM cases c JOIN steps s ON s.item_id = c.id "
        "AND s.stage = 'classify' AND s.status = 'done' AND NOT s.superseded "
        "ORDER BY c.received_at DESC, c.id LIMIT ?",
        [limit],
    )
