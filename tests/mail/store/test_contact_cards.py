"""Contacts by words of their names, as somebody asks for them."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from data.store.core.database import Database
from data.store.core.statements import insert
from data.store.mail import contact_cards


@pytest.fixture
def state() -> Iterator[Database]:
    """A state with one contact."""
    database = Database.in_memory("organization")
    seen_at = datetime(2026, 4, 5, tzinfo=UTC)
    row = {"id": "a", "email": "m@otter.example", "name": "Maeve O'Brien", "first_seen_at": seen_at}
    insert(database.connection, "contacts", [row])
    yield database
    database.close()


def test_a_name_with_an_apostrophe_is_like_itself_and_with_one_letter_wrong(
    state: Database,
) -> None:
    """The apostrophe parts words of a name, and so it does in what is asked."""
    for word in ("o'brien", "o'brian"):
        cards = contact_cards.list_alike(state.connection, [word], limit=5)
        assert [card.name for card in cards] == ["Maeve O'Brien"]
    assert contact_cards.list_alike(state.connection, ["o'bryant"], limit=5) == []
