"""Decisions of people on single messages, and the blocks and allowances that follow."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.records.core.screening import SecurityFlags
from data.store.core.database import Connection
from data.store.core.statements import columns, first, insert, records
from data.store.mail.messages import MessageRow


class DecisionRow(NamedTuple):
    """What a person decided on a message, and what was made with it."""

    id: str
    message_id: str
    action: str
    status: str
    """The message's before."""
    mode: str
    lesson: bool | None
    """What had been learned from the message before."""
    blocked: str
    scope: str
    allowances: list[str]
    decided_by: str
    decided_at: datetime
    undone_at: datetime | None
    case_id: str | None


class StandingRow(NamedTuple):
    """A decision that was not taken back."""

    message_id: str
    action: str
    status: str
    decided_by: str
    decided_at: datetime


class BlockRow(NamedTuple):
    """A sender or a domain whose mail is quarantined."""

    pattern: str
    scope: str
    created_by: str
    created_at: datetime


class AllowanceRow(NamedTuple):
    """A rule that does not count for a sender."""

    id: str
    rule: str
    sender: str
    message_id: str | None
    created_by: str
    created_at: datetime


def note(
    cursor: Connection,
    row: MessageRow,
    action: str,
    user: str,
    now: datetime,
    *,
    lesson: bool | None = None,
    blocked: str = "",
    scope: str = "",
    allowances: Sequence[str] = (),
    case_id: str = "",
) -> None:
    """Keep a decision with all that was made with it, so that undo takes back exactly that.

    Args:
        cursor: an open transaction.
        row: the message as it was before the decision.
        action: what was decided.
        user: who decided.
        now: when.
        lesson: what had been learned from the message before.
        blocked: the pattern that this decision blocks, be it blocked already or not.
        scope: of that pattern.
        allowances: ids of the allowances that it asked for, made by it or by another decision.
        case_id: the case of the message, when the decision closes it.

    """
    record = {
        "id": new_id(now),
        "message_id": row.id,
        "action": action,
        "status": row.status,
        "mode": row.mode,
        "lesson": lesson,
        "blocked": blocked,
        "scope": scope,
        "allowances": list(allowances),
        "case_id": case_id,
        "decided_by": user,
        "decided_at": now,
        "undone_at": None,
    }
    insert(cursor, "guard_decisions", [record])


def find_last(cursor: Connection, message_id: str) -> DecisionRow | None:
    """Return the newest decision on a message that was not undone, or None."""
    decision_rows = records(
        cursor,
        DecisionRow,
        "SELECT * FROM guard_decisions "
        "WHERE message_id = ? AND undone_at IS NULL ORDER BY decided_at DESC, id DESC LIMIT 1",
        [message_id],
    )
    return decision_rows[0] if decision_rows else None


def list_standing(cursor: Connection, ids: Sequence[str]) -> list[StandingRow]:
    """Return the decisions on these messages that were not taken back, newest first."""
    return records(
        cursor,
        StandingRow,
        f"SELECT {columns(StandingRow)} FROM guard_decisions "
        "WHERE message_id IN ? AND undone_at IS NULL ORDER BY decided_at DESC, id DESC",
        [list(ids)],
    )


def mark_undone(cursor: Connection, decision_id: str, now: datetime) -> None:
    """Mark a decision as taken back."""
    cursor.execute("UPDATE guard_decisions SET undone_at = ? WHERE id = ?", [now, decision_id])


def block(cursor: Connection, pattern: str, scope: str, user: str, now: datetime) -> bool:
    """Block a sender or domain; return False when it is blocked already."""
    if first(cursor, "SELECT 1 FROM blocks WHERE pattern = ? AND scope = ?", [pattern, scope]):
        return False
    cursor.execute(
        "INSERT INTO blocks (pattern, scope, created_at, created_by) VALUES (?, ?, ?, ?)",
        [pattern, scope, now, user],
    )
    return True


class BlockedNames(NamedTuple):
    """Who is blocked."""

    senders: frozenset[str]
    """Addresses."""
    domains: frozenset[str]


def list_blocked(cursor: Connection) -> BlockedNames:
    """Return the blocked addresses and the blocked domains."""
    block_rows = cursor.execute("SELECT pattern, scope FROM blocks").fetchall()
    senders = frozenset(str(pattern) for pattern, scope in block_rows if scope == "sender")
    domains = frozenset(str(pattern) for pattern, scope in block_rows if scope == "domain")
    return BlockedNames(senders, domains)


def is_blocked(cursor: Connection, pattern: str, scope: str) -> bool:
    """Whether a decision that was not taken back has blocked this sender or domain."""
    row = first(
        cursor,
        "SELECT 1 FROM guard_decisions WHERE blocked = ? AND scope = ? AND undone_at IS NULL",
        [pattern, scope],
    )
    return row is not None


def unblock(cursor: Connection, pattern: str, scope: str) -> bool:
    """Take back a block; return whether there was one."""
    unblocked = cursor.execute(
        "DELETE FROM blocks WHERE pattern = ? AND scope = ? RETURNING pattern", [pattern, scope]
    ).fetchall()
    return bool(unblocked)


def list_blocks(cursor: Connection) -> list[BlockRow]:
    """Return every block, newest first."""
    statement = f"SELECT {columns(BlockRow)} FROM blocks ORDER BY created_at DESC, pattern"
    return records(cursor, BlockRow, statement)


def find_allowance(cursor: Connection, rule: str, sender: str) -> AllowanceRow | None:
    """Return the allowance by which a rule does not count for a sender, or None."""
    statement = "SELECT * FROM allowances WHERE rule = ? AND sender = ?"
    return next(iter(records(cursor, AllowanceRow, statement, [rule, sender])), None)


def list_excused_markers(
    cursor: Connection, beginning: str, senders: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return what allowances named `beginning` and a marker excuse, by sender."""
    excused = cursor.execute(
        "SELECT sender, list(rule) FROM allowances "
        "WHERE starts_with(rule, ?) AND sender IN (SELECT unnest(?::VARCHAR[])) GROUP BY sender",
        [beginning, list(senders)],
    ).fetchall()
    return {
        str(sender): frozenset(name.removeprefix(beginning) for name in names)
        for sender, names in excused
    }


def allow(
    cursor: Connection, rule: str, sender: str, message_id: str | None, user: str, now: datetime
) -> str:
    """Let a rule not count for a sender for whom it does; return the new id."""
    identity = new_id(now)
    cursor.execute(
        "INSERT INTO allowances VALUES (?, ?, ?, ?, ?, ?)",
        [identity, rule, sender, message_id, user, now],
    )
    return identity


def disallow(cursor: Connection, ids: Sequence[str]) -> list[AllowanceRow]:
    """Take allowances back; return those that were there."""
    return records(
        cursor,
        AllowanceRow,
        "DELETE FROM allowances WHERE id IN (SELECT unnest(?)) RETURNING *",
        [list(ids)],
    )


def list_unclaimed(cursor: Connection, ids: Sequence[str]) -> list[str]:
    """Return those of the allowances that no decision which stands has asked for."""
    unclaimed_ids = cursor.execute(
        "SELECT unnest(?::VARCHAR[]) EXCEPT "
        "SELECT unnest(allowances) FROM guard_decisions WHERE undone_at IS NULL",
        [list(ids)],
    ).fetchall()
    return [str(row[0]) for row in unclaimed_ids]


def list_allowances(cursor: Connection) -> list[AllowanceRow]:
    """Return every allowance, newest first."""
    statement = "SELECT * FROM allowances ORDER BY created_at DESC, rule"
    return records(cursor, AllowanceRow, statement)


def keep_flags(cursor: Connection, flags: dict[str, SecurityFlags]) -> None:
    """Keep the record of each stopped message, in place of an older one."""
    cursor.execute(
        "DELETE FROM security_flags WHERE message_id IN (SELECT unnest(?))", [list(flags)]
    )
    records = [{"message_id": item} | found.model_dump() for item, found in flags.items()]
    insert(cursor, "security_flags", records)


class _FlagsRow(NamedTuple):
    """The record of one stopped message."""

    message_id: str
    injection_detected: bool
    injection_type: str | None
    confidence: float
    flagged_content: str | None
    scan_timestamp: datetime
    reason: str | None
    reason_content: str | None

    @property
    def flags(self) -> SecurityFlags:
        """The record as it is handed on."""
        fields = {name: getattr(self, name) for name in SecurityFlags.model_fields}
        return SecurityFlags.model_validate(fields)


def read_flags(cursor: Connection, ids: Sequence[str]) -> dict[str, SecurityFlags]:
    """Return the kept record of those of the messages that have one."""
    statement = "SELECT * FROM security_flags WHERE message_id IN ?"
    return {row.message_id: row.flags for row in records(cursor, _FlagsRow, statement, [list(ids)])}
