"""Caps that somebody has set for an organization: one row for each scope, subject, unit, period."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.errors import NotFoundError
from data.records.core.caps import Cap, CapKey, SetCap
from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.statements import records

_ONE = "scope = ? AND subject = ? AND unit = ? AND period = ?"


class _CapRow(NamedTuple):
    """One cap that was set."""

    scope: str
    subject: str
    unit: str
    period: str
    limit: float | None
    set_by: str
    set_at: datetime


def list_caps(cursor: Connection) -> tuple[SetCap, ...]:
    """Return the caps that were set, in a fixed order."""
    set_caps = records(
        cursor,
        _CapRow,
        'SELECT scope, subject, unit, period, "limit", set_by, set_at FROM caps '
        "ORDER BY scope, subject, unit, period",
    )
    return tuple(
        SetCap(
            cap=Cap.model_validate({name: getattr(row, name) for name in Cap.model_fields}),
            set_by=row.set_by,
            set_at=row.set_at,
        )
        for row in set_caps
    )


def put_cap(cursor: Connection, cap: Cap, *, actor: str, now: datetime) -> SetCap:
    """Keep a cap in the place of one for the same, with its event in the audit log."""
    cursor.execute(f"DELETE FROM caps WHERE {_ONE}", list(cap.key))
    cursor.execute(
        'INSERT INTO caps (scope, subject, unit, period, "limit", set_by, set_at) '
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [*cap.key, cap.limit, actor, now],
    )
    _note_change(cursor, "set-cap", cap, cap.sentence, actor, now)
    return SetCap(cap=cap, set_by=actor, set_at=now)


def remove(cursor: Connection, key: CapKey, *, actor: str, now: datetime) -> None:
    """Take a cap away, so that what the settings say holds again.

    Raises:
        NotFoundError: none was set for that.

    """
    set_caps: Sequence[SetCap] = [cap for cap in list_caps(cursor) if cap.cap.key == key.key]
    if not set_caps:
        raise NotFoundError(
            f"no cap of {key.unit.value} ({key.period.value}) was set for {key.scope.value!r}"
            f"{f' {key.subject!r}' if key.subject else ''}; `postern caps list` shows what is set"
        )
    cursor.execute(f"DELETE FROM caps WHERE {_ONE}", list(key.key))
    _note_change(cursor, "remove-cap", key, set_caps[0].cap.sentence, actor, now)


def _note_change(
    cursor: Connection, action: str, key: CapKey, detail: str, actor: str, now: datetime
) -> None:
    subject = f"caps:{key.scope.value}" + (f":{key.subject}" if key.subject else "")
    audit.append(cursor, actor=actor, action=action, subject=subject, detail=detail, now=now)
