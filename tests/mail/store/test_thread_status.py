"""Where a conversation is, with whom, and what it refers to."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from data.store.core.database import Connection, Database
from data.store.core.statements import first, insert
from data.store.mail import threads
from data.store.mail.thread_status import settle_threads, settle_threads_of_cases

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ADDRESS = "mara@heron.example"


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """Give the state of an organization."""
    database = Database.in_memory("organization")
    yield database
    database.close()


@pytest.fixture
def cursor(database: Database) -> Connection:
    """Give an empty state."""
    for statement in ("DELETE FROM threads", "DELETE FROM cases", "DELETE FROM messages"):
        database.connection.execute(statement)
    return database.connection


def thread(cursor: Connection, id: str = "t") -> None:
    """Put a conversation into the state."""
    row: dict[str, object] = {"id": id, "subject": "S", "normalized_subject": "s"}
    row |= {"contact_id": "c", "contact_email": ADDRESS, "participants": []}
    insert(cursor, "threads", [row | {"last_message_at": NOW}])


def case(cursor: Connection, id: str, state: str, assignee: str | None = None) -> None:
    """Put a case of the conversation `t` into the state, older than those before it."""
    count = first(cursor, "SELECT count(*) FROM cases")
    created_at = NOW - timedelta(hours=count[0] if count else 0)
    row: dict[str, object] = {"id": id, "state": state, "contact_id": "c", "contact_email": ADDRESS}
    row |= {"thread_id": "t", "message_ids": ["m"], "subject": "S", "burst_reason": "quiet"}
    row |= {"received_at": NOW, "created_at": created_at, "due_at": NOW, "changed_at": NOW}
    row |= {"contact_name": "", "preview": "", "verdict": "clean", "assignee": assignee}
    insert(cursor, "cases", [row])


def message(cursor: Connection, id: str, status: str) -> None:
    """Put a message of the conversation `t` into the state."""
    row: dict[str, object] = {"id": id, "status": status, "thread_id": "t", "channel": "smtp"}
    row |= {"envelope": "{}", "raw_sha256": "0", "received_at": NOW, "due_at": NOW}
    row |= {
        "mail_from": ADDRESS,
        "rcpt_to": [],
        "size_bytes": 1,
        "mode": "agent",
        "content_key": id,
    }
    insert(cursor, "messages", [row])


def read_status(cursor: Connection, id: str = "t") -> tuple[object, ...] | None:
    """Return status and assignee of a conversation."""
    return first(cursor, "SELECT status, assignee FROM threads WHERE id = ?", [id])


@pytest.mark.parametrize(
    ("cases", "messages", "status"),
    [
        ([], [], "open"),
        ([], ["stored"], "archived"),
        ([], ["stored", "archived", "rejected"], "archived"),
        ([], ["stored", "quarantined"], "open"),
        ([], ["stored", "threaded"], "open"),
        (["in_review", "running", "sent"], ["draft_ready"], "pending_review"),
        (["failed"], ["failed"], "pending_review"),
        (["escalated", "archived"], ["escalated"], "pending_review"),
        (["running", "sent"], ["processing"], "open"),
        (["approved", "archived"], ["approved"], "open"),
        (["sent", "archived"], ["sent"], "resolved"),
        (["sent"], ["sent", "received"], "open"),
        (["archived"], ["archived"], "archived"),
        (["superseded"], ["draft_ready"], "open"),
        (["superseded", "sent"], ["sent"], "resolved"),
    ],
)
def test_the_status_follows_from_cases_and_messages(
    cursor: Connection, cases: Sequence[str], messages: Sequence[str], status: str
) -> None:
    """What waits for a person comes first, then what is in work, then how it ended."""
    thread(cursor)
    for number, state in enumerate(cases):
        case(cursor, f"c{number}", state)
    for number, state in enumerate(messages):
        message(cursor, f"m{number}", state)
    settle_threads(cursor, ["t"])
    assert read_status(cursor) == (status, None)


def test_a_conversation_is_with_whom_its_newest_waiting_case_is(cursor: Connection) -> None:
    """A newer case that is done does not count before an older one that waits."""
    thread(cursor)
    case(cursor, "c1", "sent", "pim@heron.example")
    case(cursor, "c2", "in_review", "ida@heron.example")
    case(cursor, "c3", "in_review", "jon@heron.example")
    settle_threads_of_cases(cursor, ["c1"])
    assert read_status(cursor) == ("pending_review", "ida@heron.example")
    cursor.execute("UPDATE cases SET assignee = NULL WHERE id = 'c2'")
    settle_threads_of_cases(cursor, ["c2"])
    assert read_status(cursor) == ("pending_review", None)


def test_many_are_settled_together_and_others_left(cursor: Connection) -> None:
    """Each by its own cases; a conversation that nobody named stays as it is."""
    for id in ("t", "t2", "t3"):
        thread(cursor, id)
    case(cursor, "c1", "in_review", "ida@heron.example")
    cursor.execute("UPDATE threads SET status = 'resolved'")
    settle_threads(cursor, ["t", "t2"])
    expected = [("pending_review", "ida@heron.example"), ("open", None), ("resolved", None)]
    assert [read_status(cursor, id) for id in ("t", "t2", "t3")] == expected


def test_what_a_batch_refers_to_is_linked_once(cursor: Connection) -> None:
    """Of many pairs at once, each is noted once whichever way; what refers to itself is not."""
    names = [f"t{number}" for number in range(12)]
    for name in names:
        thread(cursor, name)
    pairs = list(itertools.pairwise(names))
    for _ in range(2):
        threads.add_links(cursor, [*pairs, *(pair[::-1] for pair in pairs), *pairs, ("t3", "t3")])
    assert cursor.execute("FROM thread_links ORDER BY ALL").fetchall() == sorted(pairs)
    linked = cursor.execute("SELECT id, linked_to FROM threads WHERE id <> 't11'").fetchall()
    assert dict(linked) == dict(pairs)
