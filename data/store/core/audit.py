"""The audit log of what people did, a chain: each event's hash covers the one before it."""

import hashlib
import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import pyarrow as pa

from data.records.core.audit_views import AuditChoices, AuditFilter, AuditView
from data.store.core.database import Connection
from data.store.core.statements import Fields, RowPage, first, insert, records, rows, validate_page

COLUMNS = "sequence, occurred_at, actor, action, subject, detail, previous_hash, hash"
ERASE = "erase-contact"
SEAL = "end-turn"
"""The action of what vouches for the rows of a turn that an agent has ended."""
REDACTED = "; without words: "
"""In the detail of an event of that action, before the sequences of the events that lost theirs."""


class Event(NamedTuple):
    """What is written to the log of one act."""

    actor: str
    action: str
    subject: str
    detail: str


class _Link(NamedTuple):
    """One event of the log as it is kept."""

    sequence: int
    occurred_at: datetime
    actor: str
    action: str
    subject: str
    detail: str
    previous_hash: str
    hash: str
    redacted_by: int | None
    """The event that took its words away."""

    @property
    def event(self) -> Event:
        """What was done."""
        return Event(self.actor, self.action, self.subject, self.detail)


def append(
    cursor: Connection, *, actor: str, action: str, subject: str, detail: str, now: datetime
) -> int:
    """Write one event in the transaction of the action itself; return its sequence."""
    return append_many(cursor, [Event(actor, action, subject, detail)], now)


def append_many(cursor: Connection, events: Sequence[Event], now: datetime) -> int:
    """Write events, each behind the one before it; return the sequence of the last."""
    first_sequence, previous = _read_chain_end(cursor) if events else (1, "")
    chained: list[Fields] = []
    for sequence, event in enumerate(events, first_sequence):
        digest = _hash_event(sequence, now, event, previous)
        links = {"sequence": sequence, "occurred_at": now, "previous_hash": previous}
        chained.append({**links, **event._asdict(), "hash": digest})
        previous = digest
    insert(cursor, "audit_events", chained)
    return first_sequence + len(chained) - 1


class _ChainEnd(NamedTuple):
    """Where the chain of events goes on."""

    next_sequence: int
    previous_hash: str
    """That of the last event; empty where there is none."""


def _read_chain_end(cursor: Connection) -> _ChainEnd:
    """Return the sequence of the next event, and the hash of the last one.

    In two statements: the newest sequence is known without reading, and the row is found by it. In
    one, all events would be read.
    """
    newest = first(cursor, "SELECT max(sequence) FROM audit_events")
    if newest is None or newest[0] is None:
        return _ChainEnd(1, "")
    last = first(cursor, "SELECT hash FROM audit_events WHERE sequence = ?", newest)
    return _ChainEnd(int(newest[0]) + 1, str(last[0]) if last else "")


def list_page(
    cursor: Connection,
    *,
    limit: int,
    offset: int,
    only: AuditFilter | None = None,
    zone: str = "UTC",
) -> RowPage[AuditView]:
    """Return one page of the events, newest first, and how many there are in all.

    `only` narrows them; its days are days in `zone`. What only vouches for other rows is listed
    where it is asked for, by its action or by who did it.
    """
    only = only or AuditFilter()
    where, values = _build_condition(only, zone)
    if not only.action and not only.actor:
        where = f"{where} AND" if where else " WHERE"
        where, values = f"{where} action <> ?", [*values, SEAL]
    return validate_page(
        cursor,
        AuditView,
        'SELECT sequence, occurred_at AS "at", actor, action, subject, detail FROM audit_events'
        + where,
        order="sequence DESC",
        parameters=values,
        limit=limit,
        offset=offset,
    )


def list_choices(cursor: Connection) -> AuditChoices:
    """Return who and what the log has events of, by name."""
    return AuditChoices(
        actors=_list_values(cursor, "actor"), actions=_list_values(cursor, "action")
    )


def _list_values(cursor: Connection, column: str) -> tuple[str, ...]:
    """Return each value of a column of the log once, in order."""
    statement = f"SELECT DISTINCT {column} FROM audit_events ORDER BY {column}"
    return tuple(value for (value,) in cursor.execute(statement).fetchall())


def read_whole(cursor: Connection, only: AuditFilter, zone: str) -> pa.Table:
    """Return the events with every column, oldest first, those that `only` leaves."""
    where, values = _build_condition(only, zone)
    statement = f"SELECT {COLUMNS}, redacted_by FROM audit_events{where} ORDER BY sequence"
    return cursor.sql(statement, params=values).to_arrow_table()


def _build_condition(only: AuditFilter, zone: str) -> tuple[str, list[object]]:
    """Return the condition of a filter, with its values."""
    day = "CAST(timezone(?, occurred_at) AS DATE)"
    conditions: list[tuple[str, list[object]]] = []
    if only.actor:
        conditions.append(("actor = ?", [only.actor]))
    if only.action:
        conditions.append(("action = ?", [only.action]))
    if only.words:
        holds_words = "contains(lower(subject || ' ' || detail), lower(?))"
        conditions.append((holds_words, [only.words]))
    if only.since:
        conditions.append((f"{day} >= ?", [zone, only.since]))
    if only.until:
        conditions.append((f"{day} <= ?", [zone, only.until]))
    if not conditions:
        return "", []
    joined = " AND ".join(condition for condition, _ in conditions)
    return f" WHERE {joined}", [value for _, values in conditions for value in values]


def list_events(cursor: Connection, sequences: Collection[int]) -> list[dict[str, object]]:
    """Return these events with every column by its name, in order, as an export has them."""
    return rows(
        cursor,
        "SELECT * FROM audit_events WHERE sequence IN (SELECT unnest(?::BIGINT[])) "
        "ORDER BY sequence",
        [list(sequences)],
    )


def find_break(cursor: Connection) -> int | None:
    """Return the sequence of the first event that does not fit the chain, or None."""
    previous, expected = "", 1
    chain = records(cursor, _Link, "SELECT * FROM audit_events ORDER BY sequence")
    without_words = {
        (link.sequence, sequence)
        for link in chain
        if link.action == ERASE
        for sequence in numbers(link.detail.rpartition(REDACTED)[2])
    }
    for link in chain:
        digest = _hash_event(link.sequence, link.occurred_at, link.event, previous)
        if (link.redacted_by, link.sequence) in without_words:
            digest = link.hash  # its words went with a contact's data; the chain vouches for that
        if link.sequence != expected or link.hash != digest:
            return link.sequence
        previous, expected = digest, expected + 1
    return None


def redact(cursor: Connection, sequences: Collection[int], by: int) -> None:
    """Take the words of these events away; the event `by` names them in its detail.

    Actor, action and time stay, and the kind of what an event was about. The hash stays too, so
    that the chain still holds; `broken_at` believes it only where the event of an erasure says so.
    """
    cursor.execute(
        "UPDATE audit_events SET subject = split_part(subject, ':', 1) || ':erased', detail = '', "
        "redacted_by = ? WHERE sequence IN (SELECT unnest(?::BIGINT[]))",
        [by, sorted(sequences)],
    )


def shorten_numbers(sequences: Collection[int]) -> str:
    """Return numbers in short: `1-3, 7`."""
    spans_made: list[list[int]] = []
    for number in sorted(sequences):
        if spans_made and number == spans_made[-1][1] + 1:
            spans_made[-1][1] = number
        else:
            spans_made.append([number, number])
    return ", ".join(str(one) if one == last else f"{one}-{last}" for one, last in spans_made)


def numbers(text: str) -> set[int]:
    """Return the numbers that `shorten_numbers` has written; none for any other text."""
    numbers_covered: set[int] = set()
    for span in text.split(", "):
        begin, _, last = span.partition("-")
        if begin.isdecimal() and (last or begin).isdecimal():
            numbers_covered |= set(range(int(begin), int(last or begin) + 1))
    return numbers_covered


def _hash_event(sequence: int, at: datetime, event: Event, previous: str) -> str:
    content = [sequence, int(at.timestamp() * 1_000_000), *event]
    canonical = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256((previous + canonical).encode()).hexdigest()
