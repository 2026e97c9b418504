"""The numbers of the overview, held against plain Python."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median
from zoneinfo import ZoneInfo

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import figures
from data.records.core.screening import Verdict
from data.records.core.understanding import Category
from data.records.mail.overview_views import Count
from data.states import MessageStatus

NOW = datetime(2026, 3, 29, 14, 25, 36, tzinfo=UTC)
TIMES = st.integers(0, 172_800_000_000).map(
    lambda micros: datetime(2026, 3, 28, tzinfo=UTC) + timedelta(microseconds=micros)
)
MESSAGE = st.tuples(st.sampled_from(MessageStatus), st.none() | st.sampled_from(Verdict), TIMES)
REVIEW = st.tuples(
    st.sampled_from(["c1", "c2", "c3", "c4"]),
    st.sampled_from(["approve", "edit_and_approve", "reject", "archive"]),
    st.sampled_from([0.0, 0.25]),
    TIMES,
)


def messages(rows: list[tuple[str, str | None, datetime]]) -> pl.DataFrame:
    """Make the frame of messages."""
    plain = [(str(s), None if v is None else str(v), at) for s, v, at in rows]
    return pl.DataFrame(plain, schema=figures.MESSAGES, orient="row")


def sent(times: list[datetime | None]) -> pl.DataFrame:
    """Make the frame of deliveries."""
    return pl.DataFrame({"sent_at": times}, schema=figures.DELIVERIES)


def pairs(counts: tuple[Count, ...]) -> list[tuple[str, int]]:
    """Return names and values."""
    return [(count.name, count.value) for count in counts]


def naive(values: list[str | None]) -> list[tuple[str, int]]:
    """Count in plain Python, the most frequent first."""
    counted = Counter(str(value) for value in values if value is not None)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


@given(st.lists(MESSAGE, max_size=30))
def test_counts_are_those_of_plain_python(rows: list[tuple[str, str | None, datetime]]) -> None:
    """Status and verdict, in order of frequency; what is not known is not counted."""
    frame = messages(rows)
    assert pairs(figures.by_status(frame)) == naive([row[0] for row in rows])
    assert pairs(figures.by_verdict(frame)) == naive([row[1] for row in rows])


@given(st.lists(st.none() | st.sampled_from(Category), max_size=30))
def test_categories_are_those_of_plain_python(categories: list[Category | None]) -> None:
    """Cases by category."""
    rows = [(None if c is None else str(c), NOW, None) for c in categories]
    frame = pl.DataFrame(rows, schema=figures.CASES, orient="row")
    assert pairs(figures.by_category(frame)) == naive(list(categories))


@given(st.lists(MESSAGE, max_size=30), st.lists(st.none() | TIMES, max_size=30), TIMES)
def test_hours_are_those_of_plain_python(
    rows: list[tuple[str, str | None, datetime]], replies: list[datetime | None], now: datetime
) -> None:
    """Each hour holds what lies in it, and there are always 24."""
    found = figures.by_hour(messages(rows), sent(replies), now)
    assert len(found) == 24
    for hour in found:
        end = hour.hour + timedelta(hours=1)
        inside = [row for row in rows if hour.hour <= row[2] < end]
        assert hour.received == len(inside)
        assert hour.quarantined == sum(row[1] == Verdict.QUARANTINE for row in inside)
        assert hour.replied == sum(at is not None and hour.hour <= at < end for at in replies)
    assert found[-1].hour <= now < found[-1].hour + timedelta(hours=1)


def test_hours_follow_each_other_through_a_change_of_clocks() -> None:
    """The hours are UTC, so the night that skips an hour skips none."""
    berlin = NOW.astimezone(ZoneInfo("Europe/Berlin"))
    found = figures.by_hour(messages([]), sent([]), berlin)
    steps = {after.hour - before.hour for before, after in pairwise(found)}
    assert steps == {timedelta(hours=1)}
    assert found[-1].hour == datetime(2026, 3, 29, 14, tzinfo=UTC)
    assert {(hour.received, hour.quarantined, hour.replied) for hour in found} == {(0, 0, 0)}


def test_times_in_another_zone_are_counted_in_utc() -> None:
    """A frame whose times carry another zone or unit gives the same hours."""
    at = [datetime(2026, 3, 29, 13, 59, 59, tzinfo=UTC)]
    zone = pl.col("received_at").dt.convert_time_zone("Asia/Kathmandu").dt.cast_time_unit("ns")
    frame = messages([("stored", None, at[0])]).with_columns(zone)
    found = figures.by_hour(frame, sent([]), NOW)
    assert [hour.received for hour in found[-3:]] == [0, 1, 0]


@given(st.lists(REVIEW, max_size=20, unique_by=lambda row: row[3]))
def test_unchanged_share_is_that_of_plain_python(
    rows: list[tuple[str, str, float, datetime]],
) -> None:
    """The last approval of each case counts."""
    last: dict[str, bool] = {}
    for case, action, distance, _ in sorted(rows, key=lambda row: row[3]):
        if action in ("approve", "edit_and_approve"):
            last[case] = action == "approve" and distance == 0
    frame = pl.DataFrame(rows, schema=figures.REVIEWS, orient="row")
    expected = sum(last.values()) / len(last) if last else None
    assert figures.approved_unchanged(frame) == expected


@given(st.lists(st.tuples(TIMES, st.none() | TIMES), max_size=20))
def test_median_wait_is_that_of_plain_python(
    rows: list[tuple[datetime, datetime | None]],
) -> None:
    """Cases without a draft do not count; a clock set back counts as no wait."""
    waits = [max(0.0, (end - start).total_seconds()) for start, end in rows if end is not None]
    frame = pl.DataFrame([("sales", *row) for row in rows], schema=figures.CASES, orient="row")
    found = figures.median_seconds_to_draft(frame)
    if waits:
        assert found == pytest.approx(median(waits), abs=1e-5)
    else:
        assert found is None


def test_frames_come_straight_from_duckdb() -> None:
    """What DuckDB hands over by Arrow is taken as it is, empty results too."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(
            "CREATE TABLE m AS SELECT 'sent' AS status, NULL::VARCHAR AS verdict, "
            "TIMESTAMPTZ '2026-03-29 14:00:00+00' AS received_at"
        )
        full = pl.DataFrame(connection.sql("FROM m").to_arrow_table())
        empty = pl.DataFrame(connection.sql("FROM m LIMIT 0").to_arrow_table())
    assert figures.by_hour(full, sent([]), NOW)[-1].received == 1
    assert figures.by_hour(empty, sent([]), NOW)[-1].received == 0
    assert (figures.by_verdict(full), figures.by_status(empty)) == ((), ())
