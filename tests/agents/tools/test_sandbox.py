"""Queries of agents: what is permitted works, and nothing else is reached."""

# ruff: noqa: S608  # the queries are the test's own
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from data.store.core import sandbox
from data.store.core.database import Connection, Database
from data.store.core.sandbox import QueryError
from data.store.core.statements import insert
from data.store.mail.published_views import (
    DIMENSIONS,
    build_views,
    count_rows,
    measure_answer_times,
)
from tests.copies import empty_state

VIEWS = build_views("UTC")
SECRET = "nobody-may-read-this"
HOSTILE = (
    "SELECT * FROM learned_entries",
    "SELECT * FROM main.contacts",
    "SELECT * FROM memory.main.contacts",
    "SELECT * FROM state.main.contacts",
    "SELECT * FROM temp.contacts",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM pg_catalog.pg_tables",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_parquet('s3://a/b')",
    "SELECT * FROM read_json_auto('http://127.0.0.1/')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM 'state.duckdb'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('contacts')",
    "SELECT * FROM range(100000000000)",
    "SELECT * FROM generate_series(1, 10)",
    "SELECT getenv('HOME')",
    "SELECT current_setting('secret_directory')",
    "SELECT repeat('x', 100000000000)",
    "SELECT array_agg(x) FROM (SELECT range(1000000000) AS x)",
    "SELECT nextval('s')",
    "SELECT pg_sleep(100)",
    "SELECT main.count(*) FROM mails",
    "SELECT email FROM contacts UNION ALL SELECT hash FROM audit_events",
    "SELECT (SELECT max(hash) FROM audit_events) FROM contacts",
    "SELECT * FROM contacts WHERE EXISTS (SELECT 1 FROM user_tokens)",
    "SELECT * FROM (WITH users AS (SELECT 1) SELECT * FROM users), users",
    "WITH a AS (SELECT * FROM chat_messages) SELECT * FROM a",
    "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT * FROM a",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE contacts",
    "DROP TABLE contacts",
    "DELETE FROM contacts",
    "UPDATE contacts SET name = ''",
    "INSERT INTO contacts VALUES (1)",
    "CREATE TABLE x AS SELECT 1",
    "COPY contacts TO '/tmp/out.csv'",
    "EXPORT DATABASE '/tmp/out'",
    "ATTACH '/tmp/x.duckdb'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SET enable_external_access = true",
    "CALL duckdb_functions()",
    "SHOW ALL TABLES",
    "DESCRIBE contacts",
    "SUMMARIZE contacts",
    "PIVOT contacts ON name",
    "SELECT 1) ; DROP TABLE contacts; --",
    "SELECT * FROM given",
    "FROM contacts SELECT unnest([1, 2])",
    f"SELECT length(replace(replace('{'a' * 99}', 'a', '{'a' * 99}'), 'a', '{'a' * 99}'))",
    "SELECT replace(name, lower('A'), 'b') FROM contacts",
    f"SELECT {' + '.join('1' * 900)}",
    "",
)
PLAIN = (
    "SELECT count(*) FROM contacts",
    "FROM contacts",
    "SELECT company, count(*) AS n FROM contacts GROUP BY ALL ORDER BY n DESC LIMIT 3",
    "WITH a AS (SELECT company FROM contacts), b AS (SELECT * FROM a) SELECT count(*) FROM b",
    "SELECT date_trunc('day', received_at), avg(size_bytes) FROM mails GROUP BY 1",
    "SELECT rank() OVER (ORDER BY name), upper(name) || '!' FROM contacts WHERE name LIKE '%a%'",
    "SELECT c.name, count(k.id) FROM contacts c JOIN cases k ON k.contact = c.email GROUP BY 1",
    "SELECT CASE WHEN blocked THEN 1 ELSE 0 END FROM contacts -- a remark",
    "SELECT replace(replace(name, 'Dr.', ''), 'é', 'e') FROM contacts",
)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Connection]:
    """An organization with one contact, and a table beside that no view shows."""
    database = Database(empty_state(tmp_path / "state.duckdb"), "organization")
    now = datetime(2026, 12, 2, tzinfo=UTC)
    contact = {"id": "c", "email": "ana@a.example", "name": "Ana", "company": "A",
               "notes": SECRET, "first_seen_at": now}  # fmt: skip
    insert(database.connection, "contacts", [contact])
    yield database.connection
    database.close()


@pytest.mark.parametrize("statement", HOSTILE)
def test_what_is_not_a_query_over_published_views_is_refused(
    state: Connection, statement: str
) -> None:
    """By the parser, before anything runs; and nothing has changed."""
    with pytest.raises(QueryError) as refusal:
        sandbox.query_views(state, VIEWS, statement)
    assert SECRET not in str(refusal.value)
    assert state.execute("SELECT name FROM contacts").fetchall() == [("Ana",)]


@pytest.mark.parametrize("statement", PLAIN)
def test_plain_questions_are_answered(state: Connection, statement: str) -> None:
    """Counting, grouping, joining, windows and WITH are there."""
    assert sandbox.query_views(state, VIEWS, statement).columns


def test_what_no_view_shows_is_in_no_row(state: Connection) -> None:
    """Notes on a contact are the organization's, and no figure."""
    shown = sandbox.query_views(state, VIEWS, "SELECT * FROM contacts")
    assert shown.rows[0][:2] == ("ana@a.example", "Ana")
    assert SECRET not in str(shown)


def test_a_query_that_takes_too_long_is_stopped(state: Connection) -> None:
    """It ends within its time, and says so."""
    numbers = "(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9))"
    joined = ", ".join(f"{numbers} t{n}(x{n})" for n in range(12))
    with pytest.raises(QueryError, match="longer than"):
        sandbox.query_views(state, VIEWS, f"SELECT sum(t0.x0) FROM {joined}", seconds=0.2)


def test_so_many_rows_are_given(state: Connection) -> None:
    """And it says that there are more."""
    numbers = "(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9))"
    given = sandbox.query_views(
        state, VIEWS, f"SELECT * FROM {numbers} a, {numbers} b, {numbers} c"
    )
    assert (len(given.rows), given.more) == (sandbox.ROWS, True)


@pytest.mark.parametrize("view", VIEWS)
def test_every_ready_count_is_a_query_that_runs(state: Connection, view: str) -> None:
    """Each view by each of its dimensions."""
    for column in DIMENSIONS[view].values():
        assert sandbox.query_views(
            state, VIEWS, f"SELECT {column}, count(*) FROM {view} GROUP BY 1"
        )


def test_a_day_is_one_of_the_organization(state: Connection) -> None:
    """What comes half an hour after midnight there is of the new day, wherever it is UTC."""
    came = datetime(2026, 3, 3, 23, 30, tzinfo=UTC)
    state.execute("UPDATE contacts SET first_seen_at = ?", [came])
    day = date(2026, 3, 4)
    for zone, number in (("Europe/Amsterdam", 1), ("UTC", 0)):
        assert count_rows(state, zone, "contacts", days=(day, day)).rows == ((number,),)


def test_the_answer_time_is_that_of_the_first_reply_that_left(state: Connection) -> None:
    """A second reply, a letter of ours, and what did not leave count for nothing."""
    came = datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert measure_answer_times(state, "UTC") == (0, None, None)
    state.execute(
        "INSERT INTO cases (id, state, contact_id, contact_email, thread_id, message_ids, "
        "subject, received_at, created_at, due_at, changed_at, again_of) "
        "SELECT id, 'sent', 'c', '', id, "
        "['m'], '', $1, $1, $1, $1, again FROM (VALUES ('a', NULL), ('b', NULL), ('c', NULL), "
        "('ours', 'a'), ('open', NULL)) AS v(id, again)",
        [came],
    )
    state.execute(
        "INSERT INTO deliveries (id, case_id, state, mail_from, rcpt_to, message_id, subject, "
        "body, sha256, due_at, approval_id, created_at, sent_at) "
        "SELECT case_id || hours, case_id, state, "
        "'', [], '', '', '', '', $1, '', $1, $1 + to_hours(hours) FROM (VALUES ('a', 'sent', 1), "
        "('a', 'sent', 9), ('b', 'sent', 2), ('c', 'sent', 24), ('ours', 'sent', 50), "
        "('open', 'failed', 3)) AS v(case_id, state, hours)",
        [came],
    )
    assert measure_answer_times(state, "UTC") == (3, 7200.0, 32400.0)
    assert measure_answer_times(state, "UTC", (date(2026, 3, 3), date(2026, 3, 3))) == (
        2,
        5400.0,
        5400.0,
    )


def test_today_is_a_day_of_the_organization(state: Connection) -> None:
    """A query and the views it asks mean the same day, wherever the machine stands."""
    state.execute("UPDATE contacts SET first_seen_at = now()")
    today = "SELECT count(*) FROM contacts WHERE day = today() AND day = current_date"
    of_time = "AND first_seen_at::DATE = day AND date_trunc('day', first_seen_at)::DATE = day"
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # never the same day
        assert sandbox.query_views(
            state, build_views(zone), f"{today} {of_time}", zone=zone
        ).rows == ((1,),)


def test_a_query_over_more_rows_than_it_may_look_at_is_refused(state: Connection) -> None:
    """What it would count is not told as if it were all; a ready count is of all."""
    state.execute(
        "INSERT INTO contacts (id, email, first_seen_at) "
        "SELECT 'c' || i, i || '@a.example', now() FROM range(?) r(i)",
        [sandbox.COPIED],
    )
    with pytest.raises(QueryError, match="more than 200,000 rows"):
        sandbox.query_views(state, VIEWS, "SELECT count(*) FROM contacts")
    assert count_rows(state, "UTC", "contacts").rows == ((sandbox.COPIED + 1,),)
    assert count_rows(state, "UTC", "contacts", "company", {"company": "a"}).rows == (("A", 1),)
