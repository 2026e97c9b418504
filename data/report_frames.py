"""What a report is computed from: frames of what is stored, and how they belong together.

Times carry a time zone, any. `since` and `until` are moments; the second is no part of the range.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

import polars as pl

from data.records.core.organization import WorkingHours
from data.records.mail.deciding import ReviewAction
from data.working_time import seconds_between

_TIME = pl.Datetime("us", "UTC")
TIMES = {
    "messages": ("received_at",),
    "flags": ("stopped_at",),
    "cases": ("received_at", "changed_at"),
    "ends": ("ended_at",),
    "replies": ("sent_at",),
    "reviews": ("decided_at",),
    "unanswered": ("drafted_at",),
    "questions": ("asked_at",),
    "calls": ("started_at",),
    "resolved": (),
    "planted": ("ended_at",),
    "targets": ("due_at", "paused_at"),
}
"""The columns of times of each table of `data.store.mail.report_tables`."""
ENDED = ("approved", "sent", "archived")
"""States in which a case waits for nobody."""
STANDS = ("approved", "sent")
APPROVALS = (str(ReviewAction.APPROVE), str(ReviewAction.EDIT_AND_APPROVE))
JUDGES = (*APPROVALS, str(ReviewAction.REJECT), str(ReviewAction.ARCHIVE))


class Asked(NamedTuple):
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

    def begins(self, moments: pl.Series) -> pl.Series:
        """Return the first day of the period that each time of the range lies in."""
        periods = self.periods()
        place = periods.midnights.search_sorted(moments, side="right").cast(pl.Int64) - 1
        return periods.days.gather(place)


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


def cast_times(name: str, table: pl.DataFrame) -> pl.DataFrame:
    """Return a table of `data.store.mail.report_tables` with its times in UTC."""
    return table.with_columns(pl.col(column).cast(_TIME) for column in TIMES[name])


def join(tables: Mapping[str, pl.DataFrame], asked: Asked) -> Frames:
    """Return the frames of a report from the tables."""
    cases = _narrowed(_cases(tables), asked)
    reviews = tables["reviews"].sort("decided_at", maintain_order=True)
    standing = (
        reviews.filter(pl.col("action").is_in(APPROVALS))
        .unique("case_id", keep="last", maintain_order=True)
        .join(
            cases.filter(pl.col("state").is_in(STANDS)).select("case_id", "category"),
            on="case_id",
            how="inner",
        )
    )
    answers, resolutions = _answers(tables, cases, standing, asked)
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
    messages = tables["messages"].filter(asked.holds("received_at"))
    if asked.category:
        messages = messages.join(described, on="case_id", how="semi")
    planted = tables["planted"]
    if asked.category:
        planted = planted.join(described, on="case_id", how="semi")
    decided = asked.holds("decided_at")
    if asked.person:
        by_person = pl.col("reviewer") == asked.person
        decided, planted = decided & by_person, planted.filter(by_person)
    return Frames(
        messages=messages,
        cases=cases,
        answers=answers,
        resolutions=resolutions,
        approvals=standing.filter(decided),
        judged=judged.filter(decided),
        alone=alone.filter(decided),
        planted=planted,
    )


def _narrowed(cases: pl.DataFrame, asked: Asked) -> pl.DataFrame:
    return cases.filter(pl.col("category") == asked.category) if asked.category else cases


def _cases(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return every case with when its first message came, and since when it waits for nobody."""
    began = (
        tables["messages"].drop_nulls("case_id").group_by("case_id").agg(pl.min("received_at"))
    ).rename({"received_at": "first_at"})
    ended = tables["ends"].group_by("case_id").agg(pl.max("ended_at").alias("last_at"))
    over = pl.col("state").is_in(ENDED)
    return (
        tables["cases"]
        .join(began, on="case_id", how="left")
        .join(ended, on="case_id", how="left")
        .join(tables["targets"], on="case_id", how="left")
        .with_columns(
            pl.coalesce("first_at", "received_at").alias("began_at"),
            pl.when(over).then(pl.coalesce("last_at", "changed_at")).alias("ended_at"),
        )
        .select(
            "case_id", "thread_id", "category", "state", "began_at", "ended_at", *TIMES["targets"]
        )
    )


def _answers(
    tables: Mapping[str, pl.DataFrame], cases: pl.DataFrame, standing: pl.DataFrame, asked: Asked
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the replies of the range, and the conversations that one of them has settled."""
    approved_by = standing.select("case_id", pl.col("reviewer").alias("person"))
    replies = (
        tables["replies"]
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
        replies.join(tables["resolved"], on="thread_id", how="semi")
        .group_by("thread_id")
        .agg(pl.min("began_at"), pl.max("sent_at"), pl.col("person").sort_by("sent_at").last())
    )
    of_range, settled_replies = (
        frame.filter(asked.holds("sent_at")) for frame in (replies, resolved)
    )
    of_range = of_range.join(first, on="thread_id", how="left")
    if asked.person:
        of_range, settled_replies = (
            frame.filter(pl.col("person") == asked.person) for frame in (of_range, settled_replies)
        )
    waited = seconds_between(of_range, "began_at", "sent_at", asked.hours)
    took = seconds_between(settled_replies, "began_at", "sent_at", asked.hours)
    return (
        of_range.with_columns(
            pl.when(pl.col("sent_at") == pl.col("first_at"))
            .then(waited.alias("seconds"))
            .alias("seconds")
        ),
        settled_replies.with_columns(took.alias("seconds")),
    )
