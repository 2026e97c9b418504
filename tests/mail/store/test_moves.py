"""Guarded moves: only along the edges, one winner, an event for each."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.states import DELIVERY_EDGES, EDGES, DeliveryState, sources_of
from data.store.core.database import Connection, Database
from data.store.core.statements import first, insert, rows
from data.store.mail.moves import move
from tests.copies import empty_state

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def delivery(state: DeliveryState) -> dict[str, object]:
    """Return a row of the outbox in that state."""
    return {
        "id": "d1",
        "case_id": "c1",
        "state": state,
        "mail_from": "a@b.example",
        "rcpt_to": ["c@d.example"],
        "message_id": "<m@b.example>",
        "subject": "s",
        "body": "b",
        "sha256": "0",
        "due_at": NOW,
        "approval_id": "a1",
        "created_at": NOW,
    }


@pytest.mark.parametrize("source", list(DeliveryState))
def test_only_legal_edges_can_be_walked(tmp_path: Path, source: DeliveryState) -> None:
    """From every state exactly the targets of the table are reached, each with an event."""
    database = Database(empty_state(tmp_path / "state.duckdb"), "organization")
    cursor = database.connection
    for target in DeliveryState:
        cursor.execute("DELETE FROM deliveries")
        insert(cursor, "deliveries", [delivery(source)])
        moved = move(cursor, ["d1", "other"], target, actor="test", now=NOW, note="why")
        assert moved == (["d1"] if target in DELIVERY_EDGES[source] else [])
        assert first(cursor, "SELECT state FROM deliveries") == (target if moved else source,)
    events = rows(cursor, "SELECT DISTINCT actor, note, item_kind FROM events")
    assert events in ([], [{"actor": "test", "note": "why", "item_kind": "delivery"}])
    database.close()


def test_of_many_movers_one_wins(tmp_path: Path) -> None:
    """The second move to the same state finds nothing to move."""
    database = Database(empty_state(tmp_path / "state.duckdb"), "organization")

    def twice(cursor: Connection) -> tuple[list[str], list[str]]:
        insert(cursor, "deliveries", [delivery(DeliveryState.QUEUED)])
        return (
            move(cursor, ["d1"], DeliveryState.SENDING, actor="a", now=NOW),
            move(cursor, ["d1"], DeliveryState.SENDING, actor="b", now=NOW),
        )

    assert twice(database.connection) == (["d1"], [])
    database.close()


@pytest.mark.parametrize("kind", list(EDGES))
def test_every_state_is_in_the_table_and_can_be_reached(kind: type) -> None:
    """No state is forgotten: each has a row, and all but the first are some edge's target."""
    edges = EDGES[kind]
    assert set(edges) == set(kind)  # type: ignore[call-overload]
    targets = {target for found in edges.values() for target in found}
    first_state = next(iter(kind))  # type: ignore[call-overload]
    assert set(edges) - targets <= {first_state}


@given(st.sampled_from(list(DeliveryState)))
@settings(max_examples=20)
def test_sources_are_the_edges_read_backwards(target: DeliveryState) -> None:
    """`sources_of` and the table say the same."""
    expected = {str(s) for s, targets in DELIVERY_EDGES.items() if target in targets}
    assert set(sources_of(target)) == expected
