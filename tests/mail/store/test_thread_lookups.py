"""What the store knows of conversations: older mail migrated, chains of merges, look-ups."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files

import duckdb
import pytest

from data.errors import NotFoundError
from data.store.core.database import Connection
from data.store.core.migrations import migrate
from data.store.core.statements import insert, rows
from data.store.mail import letterheads, thread_changes, threads

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
READING = """{"mail": {"to": [{"email": "Jon@bittern.example"}], "cc": [], "reply_to": [],
"references": ["<r1@p>", "<r2@p>"], "in_reply_to": "<r2@p>"}}"""


Row = dict[str, object]


def script(cursor: Connection, number: str) -> None:
    """Run one migration of an organization's state."""
    folder = files("data").joinpath("sql", "organization")
    (path,) = [one for one in folder.iterdir() if one.name.startswith(number)]
    cursor.execute(path.read_text(encoding="utf-8"))


def thread(cursor: Connection, id: str, **more: object) -> None:
    """Put a conversation into the state."""
    row: dict[str, object] = {
        "id": id,
        "subject": "S",
        "normalized_subject": "s",
        "contact_id": "c",
    }
    row |= {"contact_email": "mara@heron.example", "participants": [], "last_message_at": NOW}
    insert(cursor, "threads", [row | more])


@pytest.fixture
def cursor() -> Iterator[Connection]:
    """A state of the first version with one message, brought to the newest."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        script(connection, "0001")
        thread(connection, "t1")
        message: Row = {
            "id": "m1",
            "status": "threaded",
            "mode": "agent",
            "channel": "smtp",
        }
        message |= {"mail_from": "", "rcpt_to": [], "received_at": NOW, "envelope": ""}
        message |= {"content_key": "", "raw_sha256": "", "size_bytes": 1, "due_at": NOW}
        message |= {"message_id": "<1@p>", "sender_email": "mara@heron.example", "thread_id": "t1"}
        insert(connection, "messages", [message])
        step: Row = {
            "item_id": "m1",
            "stage": "parse",
            "attempt": 1,
            "status": "done",
        }
        step |= {"milliseconds": 0.0, "output": READING, "started_at": NOW}
        insert(connection, "steps", [step])
        connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        connection.execute("INSERT INTO schema_version VALUES (1)")
        migrate(connection, "organization")
        yield connection


def test_older_mail_gets_its_letterhead(cursor: Connection) -> None:
    """After the migration an answer to it, and the parent of it, are found."""
    (head,) = letterheads.list_holders(cursor, ["<1@p>"])
    assert (head.item_id, head.sender, head.thread_id) == (
        "m1",
        "mara@heron.example",
        "t1",
    )
    assert head.people == ["jon@bittern.example"]
    assert {row.named for row in letterheads.list_namers(cursor, ["<r1@p>", "<r2@p>"])} == {
        "<r1@p>",
        "<r2@p>",
    }


def test_our_own_mail_and_mail_from_before_have_holders(cursor: Connection) -> None:
    """We are nobody's sender; whom we wrote to is told, and what a contact wrote is his."""
    own = {"message_id": "<o@us>", "thread_id": "t1", "created_at": NOW}
    insert(cursor, "own_message_ids", [own])
    for ref, outbound in (("h1", True), ("h2", False)):
        entry = {"ref": ref, "contact_email": "Mara@heron.example", "outbound": outbound}
        entry |= {"occurred_at": NOW, "subject": "", "body": "", "message_id": f"<{ref}>"}
        insert(cursor, "history", [entry | {"thread_id": "t1"}])
    found = {
        row.item_id: row for row in letterheads.list_holders(cursor, ["<o@us>", "<h1>", "<h2>"])
    }
    assert (found["ours:<o@us>"].sender, found["ours:<o@us>"].people) == ("", [])
    assert (found["history:h1"].sender, found["history:h1"].people) == (
        "",
        ["mara@heron.example"],
    )
    assert found["history:h2"].sender == "mara@heron.example"


def test_a_chain_of_merges_leads_to_what_is_there_now(cursor: Connection) -> None:
    """However often it was merged, a conversation is found under each of its names."""
    for id in ("t2", "t3"):
        thread(cursor, id)
    for source, target in (("t1", "t2"), ("t2", "t3")):
        thread_changes.merge(cursor, source, target, kind="merge", actor="ida", note="", now=NOW)
    assert threads.find_current(cursor, ["t1", "t2", "t3", "new"]) == {
        "t1": "t3",
        "t2": "t3",
        "t3": "t3",
        "new": "new",
    }
    assert threads.find_current(cursor, []) == {}
    (row,) = rows(cursor, "SELECT thread_id FROM messages")
    assert row["thread_id"] == "t3"
    found, total = threads.list_page(cursor, status=None, limit=9, offset=0)
    assert ([line.id for line in found], total) == (["t3"], 1)


def test_an_unknown_change_is_told(cursor: Connection) -> None:
    """An id that nobody gave is not found."""
    with pytest.raises(NotFoundError, match="no change 'x'"):
        thread_changes.read_row(cursor, "x")
