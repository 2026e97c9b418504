"""Statements are read once, and run as if they were read each time."""

import threading
from pathlib import Path

import duckdb
import pytest

from data.store.core.connecting import _LONGEST, _MOST, _PARSED, Connection, connect


@pytest.fixture
def connection(tmp_path: Path) -> Connection:
    """Give a file with a table of two sheep."""
    opened = connect(str(tmp_path / "sheep.duckdb"), config={"threads": 1})
    opened.execute("CREATE TABLE sheep (name VARCHAR, legs INTEGER)")
    opened.execute("INSERT INTO sheep VALUES (?, ?), (?, ?)", ["Dot", 4, "Tripod", 3])
    return opened


def test_a_text_is_parsed_once_for_all_connections(connection: Connection, tmp_path: Path) -> None:
    """A statement belongs to no file: another one with such a table is asked by the same."""
    text = "SELECT name FROM sheep WHERE legs = ?"
    assert connection.execute(text, [3]).fetchall() == [("Tripod",)]
    parsed = _PARSED[text]
    with connect(str(tmp_path / "other.duckdb")) as other:
        other.execute("CREATE TABLE sheep (name VARCHAR, legs INTEGER)")
        assert other.execute(text, [3]).fetchall() == []
    with connection.cursor() as cursor:
        assert cursor.execute(text, [4]).fetchall() == [("Dot",)]
    assert _PARSED[text] is parsed is not None


def test_a_table_that_has_changed_is_read_as_it_is_now(connection: Connection) -> None:
    """What is kept is the text, not the plan: a column more is a column more."""
    text = "SELECT * FROM sheep WHERE name = $name"
    assert connection.execute(text, {"name": "Dot"}).fetchall() == [("Dot", 4)]
    connection.execute("ALTER TABLE sheep ADD COLUMN colour VARCHAR DEFAULT 'grey'")
    assert connection.execute(text, {"name": "Dot"}).fetchall() == [("Dot", 4, "grey")]
    connection.execute("DROP TABLE sheep")
    with pytest.raises(duckdb.CatalogException):
        connection.execute(text, {"name": "Dot"})


def test_values_of_one_call_are_not_those_of_the_next(connection: Connection) -> None:
    """Each call has its own, in whatever type; a missing one is refused."""
    text = "UPDATE sheep SET legs = ? WHERE name = ?"
    assert connection.execute(text, [5, "Dot"]).fetchall() == [(1,)]
    assert connection.execute(text, [None, "Tripod"]).fetchall() == [(1,)]
    assert connection.execute(text, [6, "Nobody"]).fetchall() == [(0,)]
    with pytest.raises(duckdb.InvalidInputException):
        connection.execute(text, [7])
    listed = connection.execute("SELECT legs FROM sheep ORDER BY name").fetchall()
    assert listed == [(5,), (None,)]


def test_scripts_and_what_is_no_sql_go_to_duckdb_as_they_are(connection: Connection) -> None:
    """Several statements run in their order; nonsense is refused by its own exception."""
    script = "INSERT INTO sheep VALUES ('Mop', 4); DELETE FROM sheep WHERE name <> 'Mop'"
    connection.execute(script)
    assert _PARSED[script] is None
    long_text = "SELECT name FROM sheep -- " + "and so on, " * (_LONGEST // 10)
    assert connection.execute(long_text).fetchall() == [("Mop",)]
    assert long_text not in _PARSED
    with pytest.raises(duckdb.ParserException):
        connection.execute("SELECTED name FORM sheep")


def test_no_more_than_so_many_are_kept(connection: Connection) -> None:
    """Texts that never come again cannot fill the memory."""
    for number in range(_MOST + 10):
        assert connection.execute(f"SELECT {number}").fetchall() == [(number,)]
    assert len(_PARSED) <= _MOST


def test_threads_ask_the_same_statement_at_once(connection: Connection) -> None:
    """Each gets the answer to its own values."""
    wrong: list[object] = []

    def ask(name: str, legs: int) -> None:
        with connection.cursor() as cursor:
            for _ in range(300):
                answer = cursor.execute(
                    "SELECT legs, ? FROM sheep WHERE name = ?", [legs, name]
                ).fetchall()
                if answer != [(legs, legs)]:
                    wrong.append(answer)

    threads = [threading.Thread(target=ask, args=each) for each in (("Dot", 4), ("Tripod", 3)) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
