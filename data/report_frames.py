"""Frames of what is stored, from which a report is computed, and how they belong together.

Times are in UTC, as `data.store` gives them. `since` and `until` are moments; the second is no part
of the range. A collect costs a tenth of a millisecond before it counts anything, so what belongs
together is planned lazily and collected at once.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

import polars as pl

from data.records.core.organization import WorkingHours
from data.records.mail.deciding import ReviewAction
from data.working_time import seconds_between

_TIME = pl.Datetime("us", "UTC")
ENGINE: Literal["in-memory"] = "in-memory"
"""Polars would choose its streaming engine, which takes twice as long for frames this small."""
ENDED = ("approved", "sent", "archived")
"""States in which a case waits for nobody."""
STANDS = ("approved", "sent")
APPROVALS = (str(ReviewAction.APPROVE), str(ReviewAction.EDIT_AND_APPROVE))
JUDGES = (*APPROVALS, str(ReviewAction.REJECT), str(ReviewAction.ARCHIVE))


class ReportScope(NamedTuple):
    """What a report is wanted of."""

    since: datetime
    until: datetime
    now: datetime
    timezone: str
    """IANA name; days are days there."""
    by: str = "day"
    """`day` or `week`."""
    category: str = ""
    person: str = ""
    hours: WorkingHours | None = None
    """When somebody works, as `data.working_time.worked_hours` gives it; None: always."""

    def holds(self, column: str) -> pl.Expr:
        """Return whether a time lies in the range."""
        return (pl.col(column) >= literal(self.since)) & (pl.col(column) < literal(self.until))

    def periods(self) -> "Periods":
        """Return the days or weeks of the range."""
        return _periods_between(self.since, self.until, self.timezone, weekly=self.by == "week")

    def begins(self, column: str) -> pl.Expr:
        """Return the first day of the period that each time of the range lies in, as `begins`."""
        periods = self.periods()
        after = pl.lit(periods.midnights).search_sorted(pl.col(column), side="right")
        return pl.lit(periods.days).gather(after.cast(pl.Int64) - 1).alias("begins")


class Periods(NamedTuple):
    """The days or weeks of a range, one value each."""

    days: pl.Series
    """The first day of each, by the name `begins`."""
    midnights: pl.Series
    """The moment at which each begins."""


@lru_cache(maxsize=8)
def _periods_between(since: datetime, until: datetime, timezone: str, *, weekly: bool) -> Periods:
    """Return the periods of a range; what a report counts asks for them again and again."""
    zone = ZoneInfo(timezone)
    first = since.astimezone(zone).date()
    last = (until - timedelta(microseconds=1)).astimezone(zone).date()
    if weekly:
        first -= timedelta(days=first.weekday())
    step = timedelta(days=7 if weekly else 1)
    days = [first + step * number for number in range((last - first) // step + 1)]
    midnights = [datetime.combine(day, time(tzinfo=zone)).astimezone(UTC) for day in days]
    return Periods(pl.Series("begins", days, dtype=pl.Date()), pl.Series(midnights, dtype=_TIME))


@lru_cache(maxsize=64)
def literal(moment: datetime) -> pl.Expr:
    """Return a moment as Polars compares with it, made once: that takes longer than comparing."""
    return pl.lit(moment, dtype=_TIME)


class Frames(NamedTuple):
    """What happened, ready to be counted; narrowed to the category and the person asked for."""

    messages: pl.DataFrame
    """Of the range: `received_at`, `stopped`, `status`, `released`, `case_id`."""
    cases: pl.DataFrame
    """All: `began_at`, `ended_at` (null while it waits), `due_at` and `paused_at` (null while its
    time runs) besides what is stored."""
    answers: pl.DataFrame
    """Replies of the range: `category`, `person`, `automatic`, `sent_at`, `due_at` (null without a
    target), and `seconds` for first answers."""
    resolutions: pl.DataFrame
    """Conversations that were settled in the range: `seconds`."""
    approvals: pl.DataFrame
    """The last approval of each case that stands, of the range."""
    judged: pl.DataFrame
    """Rejections and closings of the range."""
    alone: pl.DataFrame
    """First decisions of the range on drafts that would have been sent alone."""
    planted: pl.DataFrame
    """Planted faults that ended in the range: `outcome`."""


def join(tables: Mapping[str, pl.DataFrame], asked: ReportScope) -> Frames:
    """Return the frames of a report from the tables."""
    stored = {name: table.lazy() for name, table in tables.items()}
    collected_cases = _cases(stored, asked).collect(engine=ENGINE)
    cases, reviews = (
        collected_cases.lazy(),
        stored["reviews"].sort("decided_at", maintain_order=True),
    )
    standing = (
        reviews.filter(pl.col("action").is_in(APPROVALS))
        .unique("case_id", keep="last", maintain_order=True)
        .join(
            cases.filter(pl.col("state").is_in(STANDS)).select("case_id", "category"),
            on="case_id",
            how="inner",
        )
    )
    described = cases.select("case_id", "category")
    alone = (
        reviews.filter(pl.col("would_auto_send") & pl.col("action").is_in(JUDGES))
        .unique("case_id", keep="first", maintain_order=True)
        .join(described, on="case_id", how="inner")
    )
    against = [str(ReviewAction.REJECT), str(ReviewAction.ARCHIVE)]
    judged = reviews.filter(pl.col("action").is_in(against)).join(
        described, on="case_id", how="inner"
    )
    messages = stored["messages"].filter(asked.holds("received_at"))
    planted = stored["planted"]
    if asked.category:
        messages, planted = (
            frame.join(described, on="case_id", how="semi") for frame in (messages, planted)
        )
    decided = asked.holds("decided_at")
    if asked.person:
        by_person = pl.col("reviewer") == asked.person
        decided, planted = decided & by_person, planted.filter(by_person)
    collected = pl.collect_all(
        [
            messages,
            *_answers(stored, cases, standing, asked),
            *(frame.filter(decided) for frame in (standing, judged, alone)),
            planted,
        ],
        engine=ENGINE,
    )
    in_range, answers, resolutions, approvals, against_drafts, alone_first, faults = collected
    return Frames(
        messages=in_range,
        cases=collected_cases,
        answers=_add_seconds(answers, asked.hours, pl.col("sent_at") == pl.col("first_at")),
        resolutions=_add_seconds(resolutions, asked.hours),
        approvals=approvals,
        judged=against_drafts,
        alone=alone_first,
        planted=faults,
    )


def _cases(stored: Mapping[str, pl.LazyFrame], asked: ReportScope) -> pl.LazyFrame:
    """Return every case with when its first message came, and since when it waits for nobody."""
    began = (
        stored["messages"]
        .drop_nulls("case_id")
        .group_by("case_id")
        .agg(pl.min("received_at").alias("first_at"))
    )
    ended = stored["ends"].group_by("case_id").agg(pl.max("ended_at").alias("last_at"))
    over = pl.col("state").is_in(ENDED)
    cases = stored["cases"]
    if asked.category:
        cases = cases.filter(pl.col("category") == asked.category)
    return (
        cases.join(began, on="case_id", how="left")
        .join(ended, on="case_id", how="left")
        .join(stored["targets"], on="case_id", how="left")
        .select(
            "case_id",
            "thread_id",
            "category",
            "state",
            "due_at",
            "paused_at",
            pl.coalesce("first_at", "received_at").alias("began_at"),
            pl.when(over).then(pl.coalesce("last_at", "changed_at")).alias("ended_at"),
        )
    )


def _answers(
    stored: Mapping[str, pl.LazyFrame],
    cases: pl.LazyFrame,
    standing: pl.LazyFrame,
    asked: ReportScope,
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return the replies of the range, and the conversations that one of them has settled."""
    approved_by = standing.select("case_id", pl.col("reviewer").alias("person"))
    replies = (
        stored["replies"]
        .join(
            cases.select("case_id", "thread_id", "category", "began_at", "due_at"),
            on="case_id",
            how="inner",
        )
        .join(approved_by, on="case_id", how="left")
        .with_columns(
            pl.when(pl.col("automatic")).then(pl.lit("")).otherwise("person").alias("person")
        )
    )
    first = replies.group_by("thread_id").agg(pl.min("sent_at").alias("first_at"))
    resolved = (
        replies.join(stored["resolved"], on="thread_id", how="semi")
        .group_by("thread_id")
        .agg(pl.min("began_at"), pl.max("sent_at"), pl.col("person").sort_by("sent_at").last())
    )
    holds = asked.holds("sent_at")
    if asked.person:
        holds &= pl.col("person") == asked.person
    return replies.filter(holds).join(first, on="thread_id", how="left"), resolved.filter(holds)


def _add_seconds(
    frame: pl.DataFrame, hours: WorkingHours | None, where: pl.Expr | None = None
) -> pl.DataFrame:
    """Return the replies with the `seconds` that each took, null where `where` does not hold."""
    took = pl.lit(seconds_between(frame, "began_at", "sent_at", hours))
    return frame.with_columns(
        (took if where is None else pl.when(where).then(took)).alias("seconds")
    )
