"""Who owes something, by balances as organizations write them."""

import pytest

from data.store.core.database import Database
from data.store.core.statements import insert
from data.store.mail import customers


@pytest.mark.parametrize(
    ("balance", "owes"),
    [
        ("1,240.00 EUR", True),
        ("EUR 35.50", True),
        ("20.00 EUR (due 2026-12-01)", True),
        ("-20.00 EUR", False),
        ("− 20", False),
        ("€ -3", False),
        ("- € 20", False),
        ("(20.00)", False),
        ("20.00-", False),
        ("0.00 EUR", False),
        ("paid", False),
        ("", False),
    ],
)
def test_a_credit_is_no_debt(balance: str, owes: bool) -> None:
    """Whatever minus it is written with, and wherever that stands."""
    database = Database.in_memory("organization")
    row = {"id": "a", "email": "ana@otter.example", "balance": balance}
    insert(database.connection, "accounts", [row])
    assert customers.list_owing(database.connection) == (["ana@otter.example"] if owes else [])
    database.close()
