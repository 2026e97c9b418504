"""A report's figures, computed by Polars from the frames of `data.report_frames`."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl

from data.records.mail.deciding import ReviewAction
from data.records.mail.overview_views import Count
from data.records.mail.report_views import (
    Backlog,
    CategoryFigures,
    CostFigures,
    DayCost,
    DecisionFigures,
    DurationFigures,
    Edits,
    PeriodFigures,
    PersonFigures,
    Report,
    ServiceFigures,
    StoppedFigures,
    TopicFigures,
    VigilanceFigures,
)
from data.records.mail.vigilance import WORDS_A_SECOND, FaultOutcome
from data.report_frames import APPROVALS, Asked, Frames, join, literal

SHARES = (("5", 0.05), ("20", 0.2), ("50", 0.5), ("100", 1.0))
AGES = (("1", 1), ("3", 3), ("7", 7), ("30", 30))
_UNCHANGED = (pl.col("action") == str(ReviewAction.APPROVE)) & (pl.col("edit_distance") == 0)
_REJECTED = pl.col("action") == str(ReviewAction.REJECT)
_CLOSED = pl.col("action") == str(ReviewAction.ARCHIVE)
_JUDGED = (
    _UNCHANGED.sum().alias("unchanged"),
    (pl.col("action").is_in(APPROVALS) & ~_UNCHANGED).sum().alias("edited"),
    _REJECTED.sum().alias("rejected"),
    _CLOSED.sum().alias("closed"),
)
_SPREAD = (
    pl.col("seconds").count().alias("count"),
    pl.col("seconds").median().alias("median"),
    pl.col("seconds").quantile(0.9, "linear").alias("p90"),
)


def report(
    tables: Mapping[str, pl.DataFrame],
    asked: Asked,
    only_person: str | None = None,
    examples: Mapping[int, Sequence[str]] | None = None,
) -> Report:
    """Return the report of a range.

    Args:
        tables: what is stored, as `data.report_frames.typed` gave it, by name.
        asked: the range, and what it is narrowed to.
        only_person: the only person whose figures are listed; None for everybody.
        examples: open questions by case.

    """
    frames = join(tables, asked)
    answers, approvals = frames.answers, frames.approvals
    decisions = _decisions(frames)
    calls = _calls(tables["calls"], asked)
    zone = ZoneInfo(asked.timezone)
    return Report(
        since=asked.since.astimezone(zone).date(),
        until=(asked.until - timedelta(microseconds=1)).astimezone(zone).date(),
        timezone=asked.timezone,
        by=asked.by,
        category=asked.category,
        person=asked.person,
        working_hours=asked.hours,
        received=frames.messages.height,
        answered=answers.height,
        by_itself=int(answers["automatic"].sum()),
        first_answer=_spread(answers),
        resolution=_spread(frames.resolutions),
        judged=_judged(decisions),
        edits=_edits(approvals),
        reasons=_counts(frames.judged.filter(_REJECTED), "reason"),
        would_send=frames.alone.height,
        alone=_judged(frames.alone),
        service=_service(frames, asked),
        vigilance=_vigilance(frames),
        backlog=_backlog(frames.cases, asked),
        stopped=_stopped(frames.messages, tables["flags"]),
        cost=float(calls["cost"].sum()),
        unpriced=int(calls["unpriced"].sum()),
        periods=_periods(frames, calls, asked),
        categories=_categories(frames, decisions, asked),
        people=_people(frames, decisions, only_person),
        deciders=_deciders(tables["reviews"], asked, only_person),
        topics=_topics(tables, frames.cases, examples or {}),
        agents=_costs(calls, "agent"),
        models=_costs(calls, "model"),
        costs=_day_costs(calls),
    )


def latest_unanswered(
    tables: Mapping[str, pl.DataFrame], category: str, most: int = 50
) -> list[int]:
    """Return the cases whose drafts left questions open, the newest first."""
    unanswered = tables["unanswered"].join(tables["cases"], on="case_id", how="inner")
    if category:
        unanswered = unanswered.filter(pl.col("category") == category)
    return unanswered.sort("drafted_at", descending=True)["case_id"].head(most).to_list()


def _calls(calls: pl.DataFrame, asked: Asked) -> pl.DataFrame:
    """Return the calls of models summed by period, agent and model: a few rows of many."""
    return calls.group_by(asked.begins(calls["started_at"]), "agent", "model").agg(
        pl.sum("calls", "tokens", "cost", "unpriced")
    )


def _decisions(frames: Frames) -> pl.DataFrame:
    columns = ("case_id", "category", "reviewer", "action", "edit_distance")
    return pl.concat([frames.approvals.select(columns), frames.judged.select(columns)])


def _spread(frame: pl.DataFrame) -> DurationFigures:
    return DurationFigures(**frame.select(_SPREAD).row(0, named=True))


def _judged(frame: pl.DataFrame) -> DecisionFigures:
    return DecisionFigures(**frame.select(_JUDGED).row(0, named=True))


def _by(frame: pl.DataFrame, key: str, aggregates: Sequence[pl.Expr]) -> dict[str, dict[str, int]]:
    """Return the aggregates of each group by its name; what has none is left out."""
    grouped = frame.drop_nulls(key).group_by(key).agg(*aggregates)
    return {row.pop(key): row for row in grouped.iter_rows(named=True)}


def _service(frames: Frames, asked: Asked) -> ServiceFigures:
    at = min(asked.now, asked.until)
    replies = frames.answers.drop_nulls("due_at")
    # Whoever put the case off until they answer did so in time: since then it waits for them.
    in_time = (pl.col("paused_at") <= pl.col("due_at")).fill_null(value=False)
    kept_targets = replies.filter(pl.col("sent_at") <= pl.col("due_at")).height
    return ServiceFigures(
        kept=kept_targets,
        missed=replies.height - kept_targets,
        broken=_waiting_at(frames.cases, at)
        .filter((pl.col("due_at") < literal(at)) & ~in_time)
        .height,
    )


def _vigilance(frames: Frames) -> VigilanceFigures:
    columns = ("looked_seconds", "letter_words", "action", "edit_distance")
    looked = pl.concat([frames.approvals.select(columns), frames.judged.select(columns)])
    timed = looked.drop_nulls("looked_seconds")
    too_fast = pl.col("looked_seconds") * WORDS_A_SECOND < pl.col("letter_words")
    outcomes = frames.planted["outcome"].to_list()
    return VigilanceFigures(
        timed=timed.height,
        seconds=_number(timed["looked_seconds"].median()),
        unread=timed.filter(_UNCHANGED & too_fast).height,
        seen=outcomes.count(str(FaultOutcome.SEEN)),
        missed=outcomes.count(str(FaultOutcome.MISSED)),
    )


def _counts(frame: pl.DataFrame, column: str) -> tuple[Count, ...]:
    counted = frame.drop_nulls(column).group_by(column).agg(pl.len().alias("value"))
    ordered = counted.sort("value", column, descending=[True, False])
    return tuple(Count(name=name, value=value) for name, value in ordered.iter_rows())


def _edits(approvals: pl.DataFrame) -> Edits:
    shares = approvals.filter(~_UNCHANGED)["edit_distance"]
    counts = _by_most(shares, SHARES)
    return Edits(
        median=_number(shares.median()),
        p90=shares.quantile(0.9, "linear"),
        by_share=counts if any(count.value for count in counts) else (),
    )


def _by_most(values: pl.Series, steps: Sequence[tuple[str, float]]) -> tuple[Count, ...]:
    """Return how many values lie up to each step, and above the one before it."""
    up_to = [int((values <= most).sum()) for _, most in steps]
    return tuple(
        Count(name=name, value=number - below)
        for (name, _), number, below in zip(steps, up_to, [0, *up_to], strict=False)
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _backlog(cases: pl.DataFrame, asked: Asked) -> Backlog:
    at = min(asked.now, asked.until)
    waits = _waiting_at(cases, at)
    days = waits.select((literal(at) - pl.col("began_at")).dt.total_seconds() / 86400).to_series()
    counts = _by_most(days, (*AGES, ("more", math.inf)))
    oldest = waits["began_at"].min()
    return Backlog(
        waiting=waits.height,
        by_age=counts if waits.height else (),
        oldest_at=oldest,
    )


def _waiting(cases: pl.DataFrame) -> pl.DataFrame:
    """Return the cases that somebody waits for; failed ones are work for an administrator."""
    return cases.filter(pl.col("state") != "failed")


def _waiting_at(cases: pl.DataFrame, at: datetime) -> pl.DataFrame:
    """Return the cases that had begun by then and that nobody had answered or closed."""
    return _waiting(cases).filter(
        (pl.col("began_at") < literal(at))
        & (pl.col("ended_at").is_null() | (pl.col("ended_at") >= literal(at)))
    )


def _stopped(messages: pl.DataFrame, flags: pl.DataFrame) -> StoppedFigures:
    stopped = messages.filter("stopped")
    return StoppedFigures(
        stopped=stopped.height,
        confirmed=stopped.filter(pl.col("status") == "rejected").height,
        released=stopped.filter("released").height,
        by_kind=_counts(flags, "kind"),
    )


def _periods(frames: Frames, calls: pl.DataFrame, asked: Asked) -> tuple[PeriodFigures, ...]:
    messages, answers = frames.messages, frames.answers
    days = asked.periods().days.to_frame()
    parts = (
        messages.group_by(asked.begins(messages["received_at"])).agg(
            pl.len().alias("received"), pl.sum("stopped")
        ),
        answers.group_by(asked.begins(answers["sent_at"])).agg(
            pl.len().alias("answered"),
            pl.sum("automatic").alias("by_itself"),
            pl.median("seconds").alias("first_answer"),
        ),
        calls.group_by("begins").agg(pl.sum("cost")),
    )
    for part in parts:
        days = days.join(part, on="begins", how="left", maintain_order="left")
    counted = days.with_columns(
        pl.col("received", "stopped", "answered", "by_itself", "cost").fill_null(0)
    ).with_columns(_waiting_at_ends(frames.cases, asked))
    return tuple(PeriodFigures(**row) for row in counted.iter_rows(named=True))


def _waiting_at_ends(cases: pl.DataFrame, asked: Asked) -> pl.Series:
    """Return how many cases waited at the end of each period: begun by then, less ended."""
    over = min(asked.now, asked.until)
    ends = [min(moment, over) for moment in [*asked.periods().midnights.to_list()[1:], over]]
    waits, moments = _waiting(cases), pl.Series(ends, dtype=cases.schema["began_at"])
    begun = waits["began_at"].sort().search_sorted(moments, side="left")
    ended = waits["ended_at"].drop_nulls().sort().search_sorted(moments, side="left")
    return (begun.cast(pl.Int64) - ended.cast(pl.Int64)).alias("waiting")


def _categories(
    frames: Frames, decisions: pl.DataFrame, asked: Asked
) -> tuple[CategoryFigures, ...]:
    received = _by(frames.cases.filter(asked.holds("began_at")), "category", [pl.len()])
    waiting = frames.cases.filter(pl.col("ended_at").is_null())
    waits = _by(_waiting(waiting), "category", [pl.len()])
    answered = _by(frames.answers, "category", [pl.len(), *_SPREAD])
    judged = _by(decisions, "category", _JUDGED)
    alone = _by(frames.alone, "category", _JUDGED)
    names = {*received, *answered, *judged, *alone, *waits}
    category_figures = [
        CategoryFigures(
            category=name,
            received=received.get(name, {}).get("len", 0),
            waiting=waits.get(name, {}).get("len", 0),
            answered=answered.get(name, {}).pop("len", 0),
            first_answer=DurationFigures.model_validate(answered.get(name, {})),
            judged=DecisionFigures.model_validate(judged.get(name, {})),
            alone=DecisionFigures.model_validate(alone.get(name, {})),
        )
        for name in names
    ]
    return tuple(
        sorted(
            category_figures,
            key=lambda category_figure: (
                -category_figure.received,
                -category_figure.answered,
                category_figure.category,
            ),
        )
    )


def _people(
    frames: Frames, decisions: pl.DataFrame, only_person: str | None
) -> tuple[PersonFigures, ...]:
    answered = _by(frames.answers.filter(pl.col("person") != ""), "person", [pl.len(), *_SPREAD])
    judged = _by(decisions, "reviewer", _JUDGED)
    people_figures = [
        PersonFigures(
            person=name,
            answered=answered.get(name, {}).pop("len", 0),
            first_answer=DurationFigures.model_validate(answered.get(name, {})),
            judged=DecisionFigures.model_validate(judged.get(name, {})),
        )
        for name in {*answered, *judged}
        if only_person in (None, name)
    ]
    return tuple(
        sorted(
            people_figures,
            key=lambda people_figure: (-people_figure.answered, people_figure.person),
        )
    )


def _deciders(reviews: pl.DataFrame, asked: Asked, only_person: str | None) -> tuple[str, ...]:
    names = reviews.filter(asked.holds("decided_at"))["reviewer"].unique().sort().to_list()
    return tuple(name for name in names if only_person in (None, name))


def _topics(
    tables: Mapping[str, pl.DataFrame],
    cases: pl.DataFrame,
    examples: Mapping[int, Sequence[str]],
) -> tuple[TopicFigures, ...]:
    described = cases.select("case_id", "category")
    newest = tables["unanswered"].sort("drafted_at", descending=True)
    left = newest.join(described, on="case_id", how="inner", maintain_order="left")
    asked_of = tables["questions"].join(described, on="case_id", how="inner")
    totals = [pl.sum("unanswered").alias("questions"), pl.len().alias("cases")]
    counted = _by(left, "category", totals)
    owners = _by(asked_of, "category", [pl.len().alias("owners")])
    shown: dict[str, dict[str, None]] = {}
    unanswered_left = left.filter(pl.col("case_id").is_in(list(examples))).drop_nulls("category")
    for case, category in unanswered_left.select("case_id", "category").iter_rows():
        shown.setdefault(category, {}).update(dict.fromkeys(examples[case]))
    topics = [
        TopicFigures(
            category=name,
            examples=tuple(shown.get(name, ()))[:8],
            **counted.get(name, {}),
            **owners.get(name, {}),
        )
        for name in {*counted, *owners}
    ]
    return tuple(
        sorted(topics, key=lambda topic: (-topic.questions, -topic.owners, topic.category))
    )


def _costs(calls: pl.DataFrame, by: str) -> tuple[CostFigures, ...]:
    summed = (
        calls.group_by(pl.col(by).alias("name"))
        .agg(pl.sum("calls", "tokens", "cost"))
        .sort("cost", "calls", "name", descending=[True, True, False])
    )
    return tuple(CostFigures(**row) for row in summed.iter_rows(named=True))


def _day_costs(calls: pl.DataFrame) -> tuple[DayCost, ...]:
    summed = calls.group_by("begins", "agent").agg(pl.sum("cost"))
    ordered = summed.sort("begins", "agent")
    return tuple(DayCost(**row) for row in ordered.iter_rows(named=True))
