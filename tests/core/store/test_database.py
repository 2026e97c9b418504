"""The store: transactions, batches, one owner, and what is left of a broken log."""

import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest

import data
from data.errors import NotFoundError, StoreBusyError, StoreError
from data.ids import new_id, time_of
from data.store.core.connecting import connect
from data.store.core.database import Connection, Database
from data.store.core.migrations import migrate
from data.store.core.statements import (
    columns,
    first,
    insert,
    one_record,
    records,
    rows,
    table_page,
    update,
)
from flows.core.house import utc_now

Writing = Callable[[], Coroutine[None, None, object]]


def notes(cursor: Connection) -> list[str]:
    """Return the notes of all notifications, in order of their ids."""
    found = rows(cursor, "SELECT sentence FROM notifications ORDER BY id")
    return [row["sentence"] for row in found]


def note(number: int) -> dict[str, object]:
    """Return one row for `notifications`."""
    return {
        "id": f"{number:04}",
        "kind": "test",
        "subject_id": "x",
        "sentence": f"note {number}",
        "created_at": utc_now(),
        "seen_at": None,
    }


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """An empty organization's state."""
    return Database(tmp_path / "state.duckdb", "organization")


@pytest.mark.parametrize("count", [1, 7, 8, 300])
async def test_batches_of_any_size_come_back_as_they_went_in(
    database: Database, count: int
) -> None:
    """Few rows and many take different ways in, with the same result."""
    await database.write(insert, "notifications", [note(n) for n in range(count)])
    changed = [{"id": f"{n:04}", "sentence": f"changed {n}"} for n in range(0, count, 2)]
    await database.write(update, "notifications", changed)
    found = await database.read(notes)
    assert found == [f"{'note' if n % 2 else 'changed'} {n}" for n in range(count)]
    database.close()


async def test_an_exception_rolls_everything_back(database: Database) -> None:
    """Of a transaction that raises nothing is left, and the next one works."""

    def fail(cursor: Connection) -> None:
        insert(cursor, "notifications", [note(1)])
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await database.write(fail)
    assert await database.read(notes) == []
    await database.write(insert, "notifications", [note(2)])
    assert await database.read(notes) == ["note 2"]
    database.close()


async def test_a_disk_without_room_is_said_and_leaves_the_state_as_it_was(tmp_path: Path) -> None:
    """No file may grow beyond what it has: the reason is in the error, and work goes on later."""
    database = Database(tmp_path / "state.duckdb", "organization")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    many = [note(number) | {"sentence": os.urandom(500).hex()} for number in range(2_000)]
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        with pytest.raises(StoreError, match="see that its disk has room"):
            await database.write(insert, "notifications", many)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert await database.read(notes) == []
    await database.write(insert, "notifications", [note(1)])
    assert await database.read(notes) == ["note 1"]
    database.close()


async def test_a_cancelled_caller_does_not_break_its_transaction(database: Database) -> None:
    """What was handed to the writer is finished though nobody waits for it any more."""
    task = asyncio.create_task(database.write(insert, "notifications", [note(1)]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await database.write(insert, "notifications", [note(2)])
    assert await database.read(notes) == ["note 1", "note 2"]
    database.close()


async def test_what_is_written_upon_a_look_is_upon_what_is_so(database: Database) -> None:
    """Of many that read a count and write the next number, each writes a number of its own."""

    def count(cursor: Connection) -> int:
        return len(notes(cursor))

    def add(cursor: Connection, counted: int) -> int:
        insert(cursor, "notifications", [note(counted)])
        return counted

    written = await asyncio.gather(*(database.write_upon(count, add) for _ in range(30)))
    assert sorted(written) == list(range(30))
    assert await database.read(notes) == [f"note {number}" for number in range(30)]
    database.close()


async def test_a_look_is_beside_the_writer_unless_something_was_written(
    database: Database,
) -> None:
    """It is looked again within the transaction only after another one, of any kind."""
    looked_in: list[str] = []
    loop = asyncio.get_running_loop()

    def look(cursor: Connection) -> int:
        looked_in.append(threading.current_thread().name.split("-")[0])
        return len(notes(cursor))

    async def written_upon(
        meanwhile: Callable[[], Coroutine[None, None, object]] | None = None,
    ) -> list[str]:
        looked_in.clear()

        def look_slowly(cursor: Connection) -> int:
            seen = look(cursor)
            if meanwhile is not None and len(looked_in) == 1:
                asyncio.run_coroutine_threadsafe(meanwhile(), loop).result()
            return seen

        await database.write_upon(look_slowly, lambda _, seen: seen)
        return list(looked_in)

    assert await written_upon() == ["read"]
    assert await written_upon(lambda: database.write(insert, "notifications", [note(1)])) == [
        "read",
        "write",
    ]
    assert await written_upon(lambda: database.exclusively(notes)) == ["read", "write"]
    assert await written_upon() == ["read"]
    database.close()


async def test_what_is_read_once_is_read_again_when_something_was_written(
    database: Database,
) -> None:
    """It is read as often as the state is another one, and what fails is not kept."""
    looks: list[str] = []

    def read_one(cursor: Connection, which: str) -> tuple[str, ...]:
        looks.append(which)
        if which not in (sentences := notes(cursor)):
            raise NotFoundError(which)
        return tuple(sentences)

    await database.write(insert, "notifications", [note(1)])
    for _ in range(3):
        assert await database.read_once(read_one, "note 1") == ("note 1",)
    for _ in range(2):
        with pytest.raises(NotFoundError):
            await database.read_once(read_one, "note 2")
    assert looks == ["note 1", "note 2", "note 2"]

    async def write_meanwhile() -> None:
        await database.write(insert, "notifications", [note(2)])
        assert await database.read_once(read_one, "note 1") == ("note 1", "note 2")

    await asyncio.gather(
        *(database.read_once(read_one, "note 1") for _ in range(9)), write_meanwhile()
    )
    assert await database.read_once(read_one, "note 2") == ("note 1", "note 2")
    await database.exclusively(lambda own: own.execute("DELETE FROM notifications"))
    with pytest.raises(NotFoundError):
        await database.read_once(read_one, "note 1")


def test_a_second_process_is_told_who_holds_the_file(tmp_path: Path) -> None:
    """The state has one owner; the sentence says what to do."""
    path = tmp_path / "state.duckdb"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import duckdb; held = duckdb.connect({str(path)!r}); print(1); input()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreBusyError, match="another process"):
            Database(path, "organization")
        holder.kill()


async def test_times_are_utc_whoever_asks(database: Database) -> None:
    """The machine's time zone is no matter, neither to the writer nor to a cursor beside it."""

    def zone(cursor: Connection) -> object:
        return first(cursor, "SELECT current_setting('TimeZone')")

    assert await database.write(zone) == ("UTC",)
    assert await database.read(zone) == ("UTC",)


async def test_sql_reaches_no_file_and_no_network(database: Database, tmp_path: Path) -> None:
    """External access is off, and cannot be switched on again."""
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for statement in (
        f"FROM read_csv('{tmp_path}/secret.csv')",
        "SET enable_external_access = true",
        f"ATTACH '{tmp_path}/other.duckdb'",
        "INSTALL httpfs",
    ):
        with pytest.raises(duckdb.Error):
            await database.read(rows, statement)
    database.close()


def test_an_unreadable_log_is_set_aside_and_the_checkpoint_opened(tmp_path: Path) -> None:
    """A write-ahead log that cannot be replayed does not keep the state closed."""
    path = tmp_path / "state.duckdb"
    Database(path, "organization").close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        connection.execute("INSERT INTO webhook_ids VALUES ('lost', now())")
    log = path.with_name("state.duckdb.wal")
    damaged = bytearray(log.read_bytes())
    damaged[20:28] = bytes(byte ^ 0xFF for byte in damaged[20:28])
    log.write_bytes(damaged)
    database = Database(path, "organization")
    assert first(database.connection, "SELECT count(*) FROM webhook_ids") == (0,)
    assert list(tmp_path.glob("*.unreadable"))
    database.close()


def test_a_log_stays_where_it_is_not_what_keeps_a_state_closed(tmp_path: Path) -> None:
    """What was committed last is in it alone, and the file may be readable again."""
    path, log = tmp_path / "state.duckdb", tmp_path / "state.duckdb.wal"
    Database(path, "organization").close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        connection.execute("INSERT INTO webhook_ids VALUES ('kept', now())")
    whole = path.read_bytes()
    path.write_bytes(b"no state of ours")
    with pytest.raises(StoreError, match="cannot be opened"):
        Database(path, "organization")
    assert log.exists()
    path.write_bytes(whole)
    database = Database(path, "organization")
    assert first(database.connection, "SELECT count(*) FROM webhook_ids") == (1,)
    database.close()


def test_a_state_that_cannot_be_brought_on_is_told_as_one_that_cannot_be_read(
    tmp_path: Path,
) -> None:
    """Whoever opens several goes on with the others."""
    path = tmp_path / "state.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE schema_version AS SELECT 1 AS version")
    with pytest.raises(StoreError, match="cannot be read"):
        Database(path, "organization")


def shape(connection: Connection) -> list[list[tuple[object, ...]]]:
    """Return what tables, columns, indexes and constraints there are."""
    return [
        sorted(connection.execute(f"SELECT {fields} FROM {table}()").fetchall(), key=repr)  # noqa: S608
        for table, fields in (
            ("duckdb_columns", "table_name, column_name, column_index, data_type, column_default"),
            ("duckdb_indexes", "table_name, index_name, sql"),
            ("duckdb_constraints", "table_name, constraint_text"),
        )
    ]


@pytest.mark.parametrize("kind", ["control", "organization"])
def test_a_new_state_is_shaped_as_one_that_is_brought_on(kind: str) -> None:
    """All scripts in one transaction do what they do one by one."""
    first_script = Path(data.__file__).parent / "sql" / kind / "0001_start.sql"
    with connect(":memory:") as new, connect(":memory:") as old:
        newest = migrate(new, kind)
        old.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        old.execute(first_script.read_text())
        old.execute("INSERT INTO schema_version VALUES (1)")
        assert migrate(old, kind) == newest
        assert shape(new) == shape(old)
        versions = "SELECT version FROM schema_version ORDER BY version"
        assert new.execute(versions).fetchall() == old.execute(versions).fetchall()


def test_a_new_state_is_whole_after_a_power_cut(tmp_path: Path) -> None:
    """Before it is ever checkpointed its shape is in the log alone, and is read from there."""
    database = Database(tmp_path / "state.duckdb", "organization")
    for name in ("state.duckdb", "state.duckdb.wal"):
        shutil.copyfile(tmp_path / name, tmp_path / f"cut-{name}")
    left = Database(tmp_path / "cut-state.duckdb", "organization")
    assert shape(left.connection) == shape(database.connection)
    assert not list(tmp_path.glob("*.unreadable"))
    left.close()
    database.close()


def test_a_newer_state_is_refused(tmp_path: Path) -> None:
    """A file written by a newer Postern is not touched."""
    with duckdb.connect(str(tmp_path / "new.duckdb")) as connection:
        migrate(connection, "control")
        connection.execute("INSERT INTO schema_version VALUES (999)")
    with pytest.raises(StoreError, match="newer Postern"):
        Database(tmp_path / "new.duckdb", "control")


def test_ids_sort_by_time_and_do_not_repeat() -> None:
    """Ids made later sort later, also a thousand of one moment; each is like no other."""
    now = utc_now()
    made = [new_id(now) for _ in range(1000)]
    assert sorted(set(made)) == made
    assert {time_of(each) for each in made} == {time_of(new_id(now))}
    assert {len(each) for each in made} == {26}
    assert max(made)[:10] <= new_id(utc_now())[:10]


class Told(NamedTuple):
    """Two columns of a notification."""

    id: str
    sentence: str


async def test_rows_are_read_as_records_of_their_kind(database: Database) -> None:
    """A row bears the names of its kind's fields, whatever the statement's columns hold."""
    await database.write(insert, "notifications", [note(n) for n in range(3)])
    assert (columns(Told), columns(Told, "n")) == ("id, sentence", "n.id, n.sentence")
    ordered = "SELECT id, sentence FROM notifications ORDER BY id"
    read = await database.read(records, Told, ordered)
    assert read[0] == Told(id="0000", sentence="note 0")
    assert [row.sentence for row in read] == ["note 0", "note 1", "note 2"]
    joined = "SELECT n.id, n.sentence FROM notifications n WHERE n.id = ?"
    assert await database.read(one_record, Told, joined, "0002", "none") == read[2]
    with pytest.raises(NotFoundError, match="no such note"):
        await database.read(one_record, Told, joined, "9", "no such note")
    database.close()


async def test_a_statement_with_other_columns_gives_no_records(database: Database) -> None:
    """Columns in another order, more or fewer of them are refused: no value gets a wrong name."""
    for statement in (
        "SELECT sentence, id FROM notifications",
        "SELECT id FROM notifications",
        "SELECT id, sentence, kind FROM notifications",
        "SELECT id, kind AS word FROM notifications",
    ):
        with pytest.raises(StoreError, match="Told is"):
            await database.read(records, Told, statement)
    database.close()


async def test_a_page_holds_its_rows_in_order_and_counts_all(database: Database) -> None:
    """Which rows are on a page is found out apart from their columns; the order is the same."""
    await database.write(insert, "notifications", [note(n) for n in range(300)])
    page, total = await database.read(
        table_page, Told, "notifications", "kind = ? AND id >= ?",
        order="id DESC", parameters=["test", "0100"], limit=3, offset=195, select="id, sentence",
    )  # fmt: skip
    assert [row.id for row in page] == ["0104", "0103", "0102"]
    assert page[0] == Told(id="0104", sentence="note 104")
    assert total == 200
    database.close()


async def test_free_blocks_are_given_back_and_what_is_stored_stays(database: Database) -> None:
    """A file that is mostly free is written anew, with its rows and indexes; a full one is not."""

    def pad(cursor: Connection) -> None:
        cursor.execute("CREATE TABLE padding AS SELECT uuid()::VARCHAR AS x FROM range(1500000)")

    await database.write(pad)
    assert not await database.compact(0.5)  # and a checkpoint, so that what follows lies behind it
    await database.write(insert, "notifications", [note(n) for n in range(300)])
    assert not await database.compact(0.5)
    await database.write(lambda cursor: cursor.execute("DROP TABLE padding"))
    before = database.path.stat().st_size
    assert await database.compact(0.1)
    assert database.path.stat().st_size < before / 4
    assert len(await database.read(notes)) == 300
    indexes = await database.read(rows, "SELECT index_name FROM duckdb_indexes()")
    assert "steps_of_item" in {row["index_name"] for row in indexes}
    database.close()
