"""Where the first poll of a folder begins."""

from datetime import UTC, datetime

import pytest

from connectors.sources.mailboxes.position import first_cutoff
from data.records.mail.mailboxes import MailboxAccount


@pytest.mark.parametrize(
    ("since", "cutoff"),
    [
        (2, "2026-03-02"),
        ("2026-01-31", "2026-01-31"),
        ("all", ""),
        (1_000_000, ""),
        (10**12, ""),
    ],
)
def test_the_backlog_begins_on_a_day(since: int | str, cutoff: str) -> None:
    """More days than there have been are all of them."""
    account = MailboxAccount.model_validate(
        {"name": "inbox", "host": "h", "user": "u", "password_env": "P", "since": since}
    )
    assert first_cutoff(account, datetime(2026, 3, 4, 5, 6, tzinfo=UTC)) == cutoff
