"""Where words of a contact were told again: none of it outlives the contact."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.store.core.database import Connection, Database
from data.store.core.log_lines import blot_addresses
from data.store.core.mentioning import as_marks, find_places, list_mentioning
from data.store.core.retold import cut_retold
from data.store.core.statements import insert
from data.store.mail.contact_erasing import delete_rows
from data.store.mail.contact_scope import find_scope

NOW = datetime(2026, 3, 4, tzinfo=UTC)
MARA, BEN = "mara@heron.example", "ben@otter.example"


@pytest.fixture
def state() -> Iterator[Connection]:
    """An empty state of an organization."""
    database = Database.in_memory("organization")
    yield database.connection
    database.close()


def test_what_a_model_was_told_in_a_turn_goes_with_its_moves(state: Connection) -> None:
    """And what would have been said without it; other turns stay."""
    for turn, address in (("first", MARA), ("second", BEN)):
        move = {"turn_id": turn, "ordinal": 1, "kind": "act", "name": "this_case", "state": "done"}
        result = {"given": "null", "result": f'{{"text": "{address}"}}', "began_at": NOW}
        insert(state, "turn_moves", [move | result])
        shadow = {"turn_id": turn, "intent": "urgent", "would_say": "Smoke", "said_at": NOW}
        insert(state, "chat_shadows", [shadow])
        asked = {"call_id": turn, "turn": turn, "asked_at": NOW, "messages": "Smoke"}
        insert(state, "model_messages", [asked])
    cut_retold(state, (), [MARA])
    assert state.execute("SELECT turn_id FROM chat_shadows").fetchall() == [("second",)]
    assert state.execute("SELECT turn FROM model_messages").fetchall() == [("second",)]


def test_an_erased_contact_gets_no_blind_copy_of_a_letter_to_another(state: Connection) -> None:
    """The others that a person chose still do."""
    case = {
        "id": "case", "state": "in_review", "contact_id": "ben", "contact_email": BEN,
        "thread_id": "thread", "message_ids": [], "subject": "Looms", "received_at": NOW,
        "created_at": NOW, "due_at": NOW, "changed_at": NOW, "bcc": ["Mara@Heron.example", BEN],
    }  # fmt: skip
    insert(state, "cases", [case])
    delete_rows(state, find_scope(state, [MARA]), keep_learned=False)
    assert state.execute("SELECT bcc FROM cases").fetchall() == [([BEN],)]


MENTIONING = (
    ("office@x.example", "Write to office@x.example.", True),
    ("office@x.example", "OFFICE@X.Example", True),
    ("office@x.example", "<office@x.example>, mailto:office@x.example", True),
    ("office@x.example", "-office@x.example or _office@x.example_", True),
    ("office@x.example", '{"text": "To:\\noffice@x.example"}', True),
    ("office@x.example", r'{"text": "{\"to\": \"A\\noffice@x.example\"}"}', True),
    ("office@x.example", "联系office@x.example谢谢", True),
    ("office@x.example", "contact/office@x.example?subject=a", True),
    ("office@x.example", "backoffice@x.example", False),
    ("office@x.example", "back-office@x.example", False),
    ("office@x.example", "the.office@x.example", False),
    ("office@x.example", "office@x.example.com", False),
    ("office@x.example", "office@x.example-shop.com", False),
    ("neil@x.example", "o'neil@x.example", False),
    ("o'neil@x.example", "It is 'o'neil@x.example'.", True),
    ("jörg@bücher.example", "Jo\u0308rg@Bücher.example", True),
    ("0abc", "case:0abc", True),
    ("0abc", '"turn": "0abc.3"', True),
    ("0abc", "0abcd and x0abc", False),
    ("case-1", "case-12", False),
)


@pytest.mark.parametrize(("mark", "text", "mentioned"), MENTIONING)
def test_a_mark_is_found_as_a_whole(
    state: Connection, mark: str, text: str, *, mentioned: bool
) -> None:
    """Whatever stands around it, and never as a part of another address or id; in files too."""
    assert (text in list_mentioning(state, [text], as_marks([mark]))) is mentioned
    if "@" in mark and text.isascii():
        assert bool(list(find_places(text.lower(), mark))) is mentioned


def test_logs_lose_one_address_and_no_longer_one(tmp_path: Path) -> None:
    """In whatever case it was written, as many letters as it had."""
    log = tmp_path / "engine.jsonl"
    log.write_text("Office@x.example wrote to backoffice@x.example, <office@x.example>.")
    assert blot_addresses(tmp_path, ["office@x.example"]) == 2
    cut = "x" * len("office@x.example")
    assert log.read_text() == f"{cut} wrote to backoffice@x.example, <{cut}>."


def test_nothing_of_somebody_with_a_longer_address_goes(state: Connection) -> None:
    """Of two mailboxes of one house only what names the one is cut."""
    for number, address in enumerate(("office@heron.example", "backoffice@heron.example")):
        told = {"id": str(number), "kind": "back", "subject_id": "x", "created_at": NOW}
        insert(state, "notifications", [told | {"sentence": f"{address} wrote again"}])
    delete_rows(state, find_scope(state, ["office@heron.example"]), keep_learned=False)
    assert state.execute("SELECT id FROM notifications").fetchall() == [("1",)]
