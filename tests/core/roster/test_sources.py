"""An organization's files, loaded through dlt into DuckDB and read back."""

import os
from datetime import UTC, date, datetime
from pathlib import Path

from connectors.sources import LoadReport, load_sources
from data.policy_files import load_policy
from data.records.core.knowledge import KnowledgeKind
from data.store.core.connecting import Connection
from data.store.core.loaded import (
    read_contacts,
    read_history,
    read_knowledge,
    read_loaded_versions,
    read_policy,
    read_saved_replies,
)
from tests.core.roster.conftest import NASTY, entry


def counts(report: LoadReport) -> dict[str, int]:
    """Return the tables that changed."""
    return {table: count for table, count in report.tables.items() if count}


def test_everything_arrives_as_it_was_written(
    connection: Connection, folder: Path, work: Path
) -> None:
    """One load brings every kind of file into its table and back as records."""
    report = load_sources(connection, folder, work)
    assert report.errors == ()
    assert report.tables == {
        "knowledge": 2,
        "saved_replies": 1,
        "contacts": 1,
        "accounts": 1,
        "history": 1,
        "policies": 1,
    }
    hay = read_knowledge(connection)[0]
    assert (hay.id, hay.body, hay.source) == ("hay", NASTY, "knowledge/hay.md")
    assert (hay.kind, hay.tags) == (KnowledgeKind.POLICY, ("Heu", "a, b"))
    assert (hay.valid_from, hay.valid_until) == (date(2026, 1, 5), None)
    assert read_saved_replies(connection)[0].categories == ("sales",)
    ada = read_contacts(connection)[0]
    assert (ada.id, ada.email, ada.company) == ("ada@example.org", "ada@example.org", "Barn, Inc")
    assert ada.notes == 'Gold. Likes "hay"'
    assert ada.first_seen_at == datetime(2024, 2, 29, tzinfo=UTC)
    letter = read_history(connection)[0]
    assert letter.at == datetime(2026, 3, 1, 7, 30, tzinfo=UTC)
    assert (letter.contact, letter.outbound, letter.message_id) == (
        "ada@example.org",
        True,
        "<1@x>",
    )
    policy = read_policy(connection)
    assert policy == load_policy(folder / "policy.yaml")
    assert policy.undo_seconds == 7


def test_a_second_load_writes_nothing(connection: Connection, folder: Path, work: Path) -> None:
    """Unchanged files load nothing: no row, and no load of dlt's."""
    load_sources(connection, folder, work)
    loads = connection.execute("SELECT count(*) FROM sync._dlt_loads").fetchone()
    for path in folder.rglob("*.md"):
        os.utime(path, (1, 1))
    report = load_sources(connection, folder, work)
    assert (report.changed, report.errors) == (False, ())
    assert connection.execute("SELECT count(*) FROM sync._dlt_loads").fetchone() == loads


def test_a_changed_file_changes_its_row_alone(
    connection: Connection, folder: Path, work: Path
) -> None:
    """One edited entry is one row, and its neighbours stay."""
    load_sources(connection, folder, work)
    entry(folder, "straw", "Straw is wet.")
    report = load_sources(connection, folder, work)
    assert counts(report) == {"knowledge": 1}
    assert [found.body for found in read_knowledge(connection)] == [NASTY, "Straw is wet."]


def test_a_removed_file_disappears(connection: Connection, folder: Path, work: Path) -> None:
    """What no file holds any more is gone, in every table; a renamed file keeps its row."""
    load_sources(connection, folder, work)
    (folder / "knowledge" / "hay.md").unlink()
    (folder / "knowledge" / "straw.md").rename(folder / "knowledge" / "stalks.md")
    (folder / "history.jsonl").unlink()
    (folder / "policy.yaml").unlink()
    report = load_sources(connection, folder, work)
    assert (report.removed["knowledge"], report.removed["history"]) == (1, 1)
    assert counts(report) == {"knowledge": 1}
    assert [found.source for found in read_knowledge(connection)] == ["knowledge/stalks.md"]
    assert read_history(connection) == []
    assert read_policy(connection) == load_policy()


def test_an_entry_can_come_back(connection: Connection, folder: Path, work: Path) -> None:
    """A removed entry that is written again is loaded again."""
    load_sources(connection, folder, work)
    (folder / "knowledge" / "hay.md").unlink()
    load_sources(connection, folder, work)
    entry(folder, "hay", "Hay again.")
    load_sources(connection, folder, work)
    assert [found.body for found in read_knowledge(connection)] == ["Hay again.", "Straw is dry."]


def test_a_broken_file_is_named_and_keeps_its_row(
    connection: Connection, folder: Path, work: Path
) -> None:
    """The error names the file, the others load, and what was known before stays."""
    load_sources(connection, folder, work)
    (folder / "knowledge" / "hay.md").write_text("---\nid: hay\ntitel: Hay\n---\nx\n")
    (folder / "policy.yaml").write_text("mode: lively\n")
    entry(folder, "oats", "Oats are new.")
    report = load_sources(connection, folder, work)
    assert counts(report) == {"knowledge": 1}
    assert not any(report.removed.values())
    assert len(report.errors) == 2
    assert "'knowledge/hay.md': key 'titel' is not known; write 'title'" in report.errors[0]
    assert report.errors[1].startswith("'policy.yaml': key 'mode'")
    assert [found.id for found in read_knowledge(connection)] == ["hay", "oats", "straw"]
    assert read_knowledge(connection)[0].body == NASTY
    assert read_policy(connection).undo_seconds == 7


def test_nothing_is_read_before_the_first_load(connection: Connection) -> None:
    """An empty database gives empty lists and the default policy."""
    assert read_knowledge(connection) == []
    assert read_contacts(connection) == []
    assert read_saved_replies(connection) == []
    assert read_history(connection) == []
    assert read_policy(connection) == load_policy()


def test_an_empty_folder_loads_nothing(connection: Connection, tmp_path: Path, work: Path) -> None:
    """An organization need not have any file."""
    report = load_sources(connection, tmp_path / "nothing", work)
    assert (report.changed, report.errors) == (False, ())


def test_versions_follow_the_rows(connection: Connection, folder: Path, work: Path) -> None:
    """A table's version moves with its rows alone, and comes back with them."""
    empty = read_loaded_versions(connection)
    load_sources(connection, folder, work)
    full = read_loaded_versions(connection)
    assert all(full[table] != empty[table] for table in full)
    entry(folder, "straw", "Straw is wet.")
    load_sources(connection, folder, work)
    changed = read_loaded_versions(connection)
    assert [table for table in full if changed[table] != full[table]] == ["knowledge"]
    entry(folder, "straw", "Straw is dry.")
    load_sources(connection, folder, work)
    assert read_loaded_versions(connection) == full
