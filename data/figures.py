"""The numbers of the overview page, computed by Polars.

Pure functions: frames in, parts of `data.records.mail.views.Overview` out. Each frame has at least
the columns of its schema below; more do no harm. Times carry a time zone, any, and are counted in
UTC. From DuckDB: `polars.from_arrow(connection.arrow(statement))`.
"""

from datetime import UTC, datetime, timedelta

import polars as pl

from data.records.core.screening import Verdict
from data.records.mail.deciding import ReviewAction
from data.records.mail.overview_views import Count, HourCount

_TIME = pl.Datetime("us", "UTC")
_TEXT = pl.String()
_NUMBER = pl.Float64()

MESSAGES = pl.Schema({"status": _TEXT, "verdict": _TEXT, "received_at": _TIME})
"""One row per inbound message; `verdict` is null before the screen has run."""

CASES = pl.Schema({"category": _TEXT, "accepted_at": _TIME, "drafted_at": _TIME})
"""One row per case; `category` is null before it is understood, `accepted_at` is when the last
message of the burst was accepted, `drafted_at` when revision 0 was written, null without one."""

REVIEWS = pl.Schema(
    {"case_id": _TEXT, "action": _TEXT, "edit_distance": _NUMBER, "decided_at": _TIME}
)
"""One row per decision of a person (`data.records.mail.deciding.Review`)."""

DELIVERIES = pl.Schema({"sent_at": _TIME})
"""One row per outgoing message; `sent_at` is null until the next server has taken it."""

APPROVALS = (ReviewAction.APPROVE, ReviewAction.EDIT_AND_APPROVE)


def by_status(messages: pl.DataFrame) -> tuple[Count, ...]:
    """Count messages by status, the most frequent first."""
    return _counts(messages, "status")


def by_verdict(messages: pl.DataFrame) -> tuple[Count, ...]:
    """Count messages by the screen's verdict, the most frequent first; unscreened ones not."""
    return _counts(messages, "verdict")


def by_category(cases: pl.DataFrame) -> tuple[Count, ...]:
    """Count cases by category, the most frequent first; those not yet understood not."""
    return _counts(cases, "category")


def _counts(frame: pl.DataFrame, column: str) -> tuple[Count, ...]:
    counted = (
        frame.lazy()
        .select(pl.col(column).alias("name"))
        .drop_nulls()
        .group_by("name")
        .agg(pl.len().alias("value"))
        .sort("value", "name", descending=[True, False])
        .collect()
    )
    return tuple(Count(name=name, value=value) for name, value in counted.iter_rows())


def by_hour(
    messages: pl.DataFrame, deliveries: pl.DataFrame, now: datetime, hours: int = 24
) -> tuple[HourCount, ...]:
    """Count what came in and went out by hour, oldest first, empty hours included.

    The last hour is the one that `now` (aware) lies in, so it is not over; what is later than it
    (a clock that was set back) is left out. Quarantined is what the screen stopped, even if a
    person has released it since.
    """
    last = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    frame = pl.DataFrame(
        {"hour": [last - timedelta(hours=back) for back in reversed(range(hours))]},
        schema={"hour": _TIME},
    )
    stopped = messages.filter(pl.col("verdict") == str(Verdict.QUARANTINE))
    for name, events in (
        ("received", messages.select("received_at")),
        ("quarantined", stopped.select("received_at")),
        ("replied", deliveries.select("sent_at")),
    ):
        frame = frame.join(_per_hour(events, name), on="hour", how="left", maintain_order="left")
    return tuple(HourCount(**row) for row in frame.fill_null(0).iter_rows(named=True))


def _per_hour(events: pl.DataFrame, name: str) -> pl.DataFrame:
    """Count the times of a frame with one column by the hour they lie in, UTC."""
    hour = pl.first().dt.convert_time_zone("UTC").dt.cast_time_unit("us").dt.truncate("1h")
    hours = events.drop_nulls().select(hour.alias("hour"))
    return hours.group_by("hour").agg(pl.len().cast(pl.Int64).alias(name))


def approved_unchanged(reviews: pl.DataFrame) -> float | None:
    """Return the share of approved drafts that the person left as the machine wrote them.

    `reviews` are those of cases whose approval stands. A case that was approved several times
    (taken back in between) counts once, with its last approval. None when nothing was approved.
    """
    last = (
        reviews.filter(pl.col("action").is_in([str(action) for action in APPROVALS]))
        .sort("decided_at", maintain_order=True)
        .unique("case_id", keep="last", maintain_order=True)
    )
    if last.is_empty():
        return None
    unchanged = (pl.col("action") == str(ReviewAction.APPROVE)) & (pl.col("edit_distance") == 0)
    return last.filter(unchanged).height / last.height


def median_seconds_to_draft(cases: pl.DataFrame) -> float | None:
    """Return the median seconds from acceptance to the draft; None without any draft."""
    waited = (pl.col("drafted_at") - pl.col("accepted_at")).dt.total_microseconds()
    median = cases.select((waited.clip(lower_bound=0) / 1e6).median()).item()
    return None if median is None else float(median)
