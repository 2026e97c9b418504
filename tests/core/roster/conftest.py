"""A small organization's folder, and a database opened as the engine opens it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.store.core.connecting import Connection, connect
from tests.copies import empty_state

NASTY = "It's \"so\": 5 % \\ E'\\n' {x} 😀 e\u0301 \u2028 $1 ?;-- DROP TABLE knowledge"
ENTRY = (
    '---\nid: {id}\ntitle: "{title}"\nkind: policy\ntags: [Heu, "a, b"]\nvalid_from: 2026-01-05\n'
)
REPLY = "---\nid: thanks\ntitle: Thanks\ncategories: [sales]\n---\nHello {name}\n"
HEADER = "email,name,company,language,since,plan_or_account,notes\n"
LINE = (
    '{"contact": "Ada@Example.org", "direction": "outbound", "at": "2026-03-01T09:30:00+02:00",'
    ' "subject": "Hay", "text": "Dear Ada", "message_id": "<1@x>", "in_reply_to": null}\n'
)


def entry(folder: Path, name: str, body: str, title: str = "Hay") -> Path:
    """Write one knowledge entry."""
    path = folder / "knowledge" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    text = ENTRY.format(id=name, title=title) + f"---\n\n{body}\n"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a few files of every kind."""
    root = tmp_path / "barn"
    (root / "saved_replies").mkdir(parents=True)
    entry(root, "hay", NASTY)
    entry(root, "straw", "Straw is dry.")
    (root / "saved_replies" / "thanks.md").write_text(REPLY)
    contact = 'Ada@Example.org,Ada,"Barn, Inc",en,2024-02-29,Gold,"Likes ""hay"""\n'
    (root / "accounts.csv").write_text("email,plan\nada@example.org,Gold\n")
    (root / "contacts.csv").write_text(HEADER + contact)
    (root / "history.jsonl").write_text(LINE)
    (root / "policy.yaml").write_text("version: 3\nundo_seconds: 7\n")
    return root


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """Open a database as the engine does: no access to files, settings locked."""
    with connect(str(empty_state(tmp_path / "state.duckdb"))) as opened:
        opened.execute("SET TimeZone = 'UTC'")
        opened.execute("SET enable_external_access = false")
        opened.execute("SET lock_configuration = true")
        yield opened


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Give the folder for dlt's working files."""
    return tmp_path / "work"
