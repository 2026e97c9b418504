"""What Prefect's database holds of a contact goes, while its server has it open."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.errors import StoreError
from data.store.core.log_lines import blot_addresses
from data.store.core.run_records import forget

SHAPE = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE artifact (id TEXT PRIMARY KEY, data JSON);
    CREATE TABLE artifact_collection (id TEXT PRIMARY KEY, data JSON);
    CREATE TABLE log (id TEXT PRIMARY KEY, message TEXT);
    CREATE TABLE events (id TEXT PRIMARY KEY, payload JSON);
"""
INSERTS = (
    "INSERT INTO artifact VALUES (?, ?)",
    "INSERT INTO artifact_collection VALUES (?, ?)",
    "INSERT INTO log VALUES (?, ?)",
    "INSERT INTO events VALUES (?, ?)",
)
MARA, BO = '[{"from": "Mara@heron.example"}]', '[{"from": "bo@wren.example"}]'


def test_tables_that_name_the_contact_go_and_others_stay(tmp_path: Path) -> None:
    """Not a byte is left in file and log though another connection is open."""
    path = tmp_path / "prefect.db"
    with closing(sqlite3.connect(path)) as server:
        server.executescript(SHAPE)
        for insert in INSERTS:
            rows = [("1", MARA), ("2", BO), ("3", '[{"message": "01abc", "subject": "Looms"}]')]
            server.executemany(insert, rows)
        server.commit()
        server.execute("UPDATE artifact_collection SET data = data || ' ' WHERE id = '1'")
        server.commit()
        assert forget(path, ["mara@heron.example", "01abc"]) == 8
        assert server.execute("SELECT id FROM artifact").fetchall() == [("2",)]
        assert server.execute("SELECT payload FROM events ORDER BY id").fetchall() == [
            ("{}",), (BO,), ("{}",),
        ]  # fmt: skip
        held = [one.read_bytes().lower() for one in tmp_path.iterdir()]
        assert not any(b"mara@heron" in one or b"looms" in one for one in held)
        assert any(b"bo@wren" in one for one in held)


def test_a_missing_or_damaged_database_is_told(tmp_path: Path) -> None:
    """Without a file there is nothing to do; what is no database is named."""
    assert forget(tmp_path / "prefect.db", ["x@y.example"]) == 0
    (tmp_path / "prefect.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="cannot be cleaned"):
        forget(tmp_path / "prefect.db", ["x@y.example"])


def test_addresses_in_logs_become_unreadable_and_the_writer_goes_on(tmp_path: Path) -> None:
    """Every spelling by case goes, sizes stay, other lines stay, and what is appended is kept."""
    path = tmp_path / "receiver.jsonl"
    with path.open("a", encoding="utf-8") as writer:
        writer.write('{"mail_from": "Mara@Heron.example"}\n{"mail_from": "bo@wren.example"}\n')
        writer.flush()
        size = path.stat().st_size
        assert blot_addresses(tmp_path, ["mara@heron.example"]) == 1
        assert path.stat().st_size == size
        writer.write("later\n")
    assert path.read_text() == (
        '{"mail_from": "xxxxxxxxxxxxxxxxxx"}\n{"mail_from": "bo@wren.example"}\nlater\n'
    )
