"""A report's figures, computed by Polars from the frames of `data.report_frames`."""

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
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
from data.report_frames import APPROVALS, ENGINE, ReportScope, join, literal

SHARES = (("5", 0.05), ("20", 0.2), ("50", 0.5), ("100", 1.0))
_AGES = (("1", 1), ("3", 3), ("7", 7), ("30", 30), ("more", math.inf))
_DECIDED = (
    "case_id",
    "category",
    "reviewer",
    "action",
    "edit_distance",
    "looked_seconds",
    "letter_words",
)
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
_RECEIVED = (
    pl.len().alias("received"),
    pl.sum("stopped"),
    (pl.col("stopped") & (pl.col("status") == "rejected")).sum().alias("confirmed"),
    (pl.col("stopped") & pl.col("released")).sum().alias("released"),
)
_ANSWERED = (
    pl.len().alias("answered"),
    pl.sum("automatic").alias("by_itself"),
    pl.col("due_at").count().alias("targets"),
    (pl.col("sent_at") <= pl.col("due_at")).sum().alias("in_time"),
)
_LOOKED = (
    pl.len().alias("timed"),
    pl.median("looked_seconds").alias("seconds"),
    (_UNCHANGED & (pl.col("looked_seconds") * WORDS_A_SECOND < pl.col("letter_words")))
    .sum()
    .alias("unread"),
)
_PLANTED = tuple(
    (pl.col("outcome") == str(outcome)).sum().alias(name)
    for name, outcome in (("seen", FaultOutcome.SEEN), ("missed", FaultOutcome.MISSED))
)


def report(
    tables: Mapping[str, pl.DataFrame],
    asked: ReportScope,
    only_person: str | None = None,
    examples: Mapping[int, Sequence[str]] | None = None,
) -> Report:
    """Return the report of a range.

    Args:
        tables: what is stored, as frames of what `data.store.mail.report_tables` gives, by name.
        asked: the range, and what it is narrowed to.
        only_person: the only person whose figures are listed; None for everybody.
        examples: open questions by case.

    """
    counted = _count(tables, asked, examples or {})
    zone = ZoneInfo(asked.timezone)
    received, answered, costs = (
        counted[name].row(0, named=True) for name in ("messages", "answers", "spent")
    )
    return Report(
        since=asked.since.astimezone(zone).date(),
        until=(asked.until - timedelta(microseconds=1)).astimezone(zone).date(),
        timezone=asked.timezone,
        by=asked.by,
        category=asked.category,
        person=asked.person,
        working_hours=asked.hours,
        received=received["received"],
        answered=answered["answered"],
        by_itself=answered["by_itself"],
        first_answer=_durations(answered),
        resolution=_durations(counted["resolutions"].row(0, named=True)),
        judged=_decisions(counted["decisions"].row(0, named=True)),
        edits=_edits(counted["edits"]),
        reasons=_counts(counted["reasons"]),
        would_send=counted["alone"].item(0, "decided"),
        alone=_decisions(counted["alone"].row(0, named=True)),
        service=ServiceFigures(
            kept=answered["in_time"],
            missed=answered["targets"] - answered["in_time"],
            broken=counted["backlog"].item(0, "broken"),
        ),
        vigilance=VigilanceFigures(
            **counted["looked"].row(0, named=True), **counted["planted"].row(0, named=True)
        ),
        backlog=_backlog(counted["backlog"]),
        stopped=StoppedFigures(
            stopped=received["stopped"],
            confirmed=received["confirmed"],
            released=received["released"],
            by_kind=_counts(counted["attacks"]),
        ),
        cost=costs["cost"],
        unpriced=costs["unpriced"],
        periods=_periods(counted),
        categories=_categories(counted),
        people=_people(counted, only_person),
        deciders=tuple(
            name for name in counted["deciders"]["reviewer"] if only_person in (None, name)
        ),
        topics=_topics(counted, examples or {}),
        agents=tuple(CostFigures(**row) for row in counted["agents"].iter_rows(named=True)),
        models=tuple(CostFigures(**row) for row in counted["models"].iter_rows(named=True)),
        costs=tuple(DayCost(**row) for row in counted["costs"].iter_rows(named=True)),
    )


def latest_unanswered(
    tables: Mapping[str, pl.DataFrame], category: str, most: int = 50
) -> list[int]:
    """Return the cases whose drafts left questions open, the newest first."""
    described = tables["cases"].select("case_id", "category")
    unanswered = tables["unanswered"].join(described, on="case_id", how="inner")
    if category:
        unanswered = unanswered.filter(pl.col("category") == category)
    return unanswered.sort("drafted_at", descending=True)["case_id"].head(most).to_list()


def _count(
    tables: Mapping[str, pl.DataFrame], asked: ReportScope, examples: Mapping[int, Sequence[str]]
) -> dict[str, pl.DataFrame]:
    """Return all that is counted for a report, by name, from one plan of Polars."""
    frames = join(tables, asked)
    messages, cases, answers, resolutions, approvals, judged, alone, planted = (
        frame.lazy() for frame in frames
    )
    # The calls of models summed by period, agent and model: a few rows of many.
    calls = (
        tables["calls"]
        .lazy()
        .group_by(asked.begins("started_at"), "agent", "model")
        .agg(pl.sum("calls", "tokens", "cost", "unpriced"))
        .collect(engine=ENGINE)
        .lazy()
    )
    decisions = pl.concat([approvals.select(_DECIDED), judged.select(_DECIDED)])
    plans = {
        "messages": messages.select(_RECEIVED),
        "answers": answers.select(*_ANSWERED, *_SPREAD),
        "resolutions": resolutions.select(_SPREAD),
        "decisions": decisions.select(_JUDGED),
        "alone": alone.select(pl.len().alias("decided"), *_JUDGED),
        "edits": approvals.filter(~_UNCHANGED).select(
            pl.col("edit_distance").median().alias("median"),
            pl.col("edit_distance").quantile(0.9, "linear").alias("p90"),
            *_up_to(pl.col("edit_distance"), SHARES),
        ),
        "looked": decisions.drop_nulls("looked_seconds").select(_LOOKED),
        "planted": planted.select(_PLANTED),
        "reasons": _ranked(judged.filter(_REJECTED), "reason"),
        "attacks": _ranked(tables["flags"].lazy(), "kind"),
        "deciders": tables["reviews"]
        .lazy()
        .filter(asked.holds("decided_at"))
        .select(pl.col("reviewer").unique().sort()),
        **_plan_waiting(cases, asked),
        **_plan_periods(messages, answers, calls, asked),
        "answers of categories": _by(answers, "category", [pl.len().alias("answered"), *_SPREAD]),
        "answers of people": _by(
            answers.filter(pl.col("person") != ""), "person", [pl.len().alias("answered"), *_SPREAD]
        ),
        "decisions of categories": _by(decisions, "category", _JUDGED),
        "decisions of people": _by(decisions, "reviewer", _JUDGED),
        "alone of categories": _by(alone, "category", _JUDGED),
        **_plan_topics(tables, cases, examples),
        "spent": calls.select(pl.sum("cost", "unpriced")),
        "agents": _plan_costs(calls, "agent"),
        "models": _plan_costs(calls, "model"),
        "costs": calls.group_by("begins", "agent").agg(pl.sum("cost")).sort("begins", "agent"),
    }
    return dict(zip(plans, pl.collect_all(plans.values(), engine=ENGINE), strict=True))


def _by(frame: pl.LazyFrame, key: str, aggregates: Sequence[pl.Expr]) -> pl.LazyFrame:
    """Plan the aggregates of each group by its name; what has none is left out."""
    return frame.drop_nulls(key).group_by(key).agg(*aggregates)


def _rows_of(frame: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the rows of what `_by` has planned, by the name of each group."""
    return {row.pop(frame.columns[0]): row for row in frame.iter_rows(named=True)}


def _ranked(frame: pl.LazyFrame, column: str) -> pl.LazyFrame:
    counts = frame.drop_nulls(column).group_by(column).agg(pl.len().alias("value"))
    return counts.sort("value", column, descending=[True, False])


def _counts(ranked: pl.DataFrame) -> tuple[Count, ...]:
    return tuple(Count(name=name, value=value) for name, value in ranked.iter_rows())


def _up_to(value: pl.Expr, steps: Sequence[tuple[str, float]]) -> list[pl.Expr]:
    """Plan how many values lie up to each step."""
    return [(value <= most).sum().alias(f"up to {name}") for name, most in steps]


def _by_most(figures: Mapping[str, Any], steps: Sequence[tuple[str, float]]) -> tuple[Count, ...]:
    """Return how many values lie up to each step, and above the one before it."""
    up_to = [int(figures[f"up to {name}"]) for name, _ in steps]
    return tuple(
        Count(name=name, value=number - below)
        for (name, _), number, below in zip(steps, up_to, [0, *up_to], strict=False)
    )


def _plan_waiting(cases: pl.LazyFrame, asked: ReportScope) -> dict[str, pl.LazyFrame]:
    """Plan what waits: at the end of the range and of each period, and by category.

    Failed cases are work for an administrator, and nobody waits for them here.
    """
    moment = literal(min(asked.now, asked.until))
    waits = cases.filter(pl.col("state") != "failed")
    backlog = waits.filter(
        (pl.col("began_at") < moment)
        & (pl.col("ended_at").is_null() | (pl.col("ended_at") >= moment))
    )
    days = (moment - pl.col("began_at")).dt.total_seconds() / 86400
    # Whoever put the case off until they answer did so in time: since then it waits for them.
    in_time = (pl.col("paused_at") <= pl.col("due_at")).fill_null(value=False)
    moments = (
        pl.lit(asked.periods().midnights).shift(-1, fill_value=moment).clip(upper_bound=moment)
    )
    begun, ended = (
        moments_of.sort().search_sorted(moments, side="left").cast(pl.Int64)
        for moments_of in (pl.col("began_at"), pl.col("ended_at").drop_nulls())
    )
    came, open_now = asked.holds("began_at"), pl.col("ended_at").is_null()
    return {
        "backlog": backlog.select(
            pl.len().alias("waiting"),
            pl.min("began_at").alias("oldest_at"),
            ((pl.col("due_at") < moment) & ~in_time).sum().alias("broken"),
            *_up_to(days, _AGES),
        ),
        "waiting at ends": waits.select((begun - ended).alias("waiting")),
        "cases of categories": _by(
            cases.select(
                "category",
                came.alias("received"),
                (open_now & (pl.col("state") != "failed")).alias("waiting"),
            ),
            "category",
            [pl.sum("received", "waiting")],
        ),
    }


def _backlog(frame: pl.DataFrame) -> Backlog:
    figures = frame.row(0, named=True)
    return Backlog(
        waiting=figures["waiting"],
        by_age=_by_most(figures, _AGES) if figures["waiting"] else (),
        oldest_at=figures["oldest_at"],
    )


def _edits(frame: pl.DataFrame) -> Edits:
    figures = frame.row(0, named=True)
    counts = _by_most(figures, SHARES)
    return Edits(
        median=figures["median"],
        p90=figures["p90"],
        by_share=counts if any(count.value for count in counts) else (),
    )


def _plan_periods(
    messages: pl.LazyFrame, answers: pl.LazyFrame, calls: pl.LazyFrame, asked: ReportScope
) -> dict[str, pl.LazyFrame]:
    """Plan what fell into each day or week, without what waited at its end."""
    days = asked.periods().days.to_frame().lazy()
    parts = (
        messages.group_by(asked.begins("received_at")).agg(
            pl.len().alias("received"), pl.sum("stopped")
        ),
        answers.group_by(asked.begins("sent_at")).agg(
            pl.len().alias("answered"),
            pl.sum("automatic").alias("by_itself"),
            pl.median("seconds").alias("first_answer"),
        ),
        calls.group_by("begins").agg(pl.sum("cost")),
    )
    for part in parts:
        days = days.join(part, on="begins", how="left", maintain_order="left")
    sums = pl.col("received", "stopped", "answered", "by_itself", "cost")
    return {"periods": days.with_columns(sums.fill_null(0))}


def _periods(counted: Mapping[str, pl.DataFrame]) -> tuple[PeriodFigures, ...]:
    periods = counted["periods"].iter_rows(named=True)
    return tuple(
        PeriodFigures(**row, waiting=waiting)
        for row, waiting in zip(periods, counted["waiting at ends"]["waiting"], strict=True)
    )


def _durations(figures: Mapping[str, Any]) -> DurationFigures:
    return DurationFigures(**{name: figures[name] for name in DurationFigures.model_fields})


def _decisions(figures: Mapping[str, Any]) -> DecisionFigures:
    return DecisionFigures(**{name: figures[name] for name in DecisionFigures.model_fields})


def _categories(counted: Mapping[str, pl.DataFrame]) -> tuple[CategoryFigures, ...]:
    cases, answered, judged, alone = (
        _rows_of(counted[f"{what} of categories"])
        for what in ("cases", "answers", "decisions", "alone")
    )
    at_work = {name for name, row in cases.items() if row["received"] or row["waiting"]}
    category_figures = [
        CategoryFigures(
            category=name,
            received=cases.get(name, {}).get("received", 0),
            waiting=cases.get(name, {}).get("waiting", 0),
            answered=answered.get(name, {}).pop("answered", 0),
            first_answer=DurationFigures.model_validate(answered.get(name, {})),
            judged=DecisionFigures.model_validate(judged.get(name, {})),
            alone=DecisionFigures.model_validate(alone.get(name, {})),
        )
        for name in {*at_work, *answered, *judged, *alone}
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
    counted: Mapping[str, pl.DataFrame], only_person: str | None
) -> tuple[PersonFigures, ...]:
    answered, judged = (_rows_of(counted[f"{what} of people"]) for what in ("answers", "decisions"))
    people_figures = [
        PersonFigures(
            person=name,
            answered=answered.get(name, {}).pop("answered", 0),
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


def _plan_topics(
    tables: Mapping[str, pl.DataFrame],
    cases: pl.LazyFrame,
    examples: Mapping[int, Sequence[str]],
) -> dict[str, pl.LazyFrame]:
    """Plan what was left open, by category, and the cases of the examples, the newest first."""
    described = cases.select("case_id", "category")
    newest = tables["unanswered"].sort("drafted_at", descending=True).lazy()
    left = newest.join(described, on="case_id", how="inner", maintain_order="left")
    asked_of = tables["questions"].lazy().join(described, on="case_id", how="inner")
    totals = [pl.sum("unanswered").alias("questions"), pl.len().alias("cases")]
    of_examples = left.filter(pl.col("case_id").is_in(list(examples))).drop_nulls("category")
    return {
        "topics": _by(left, "category", totals),
        "owners": _by(asked_of, "category", [pl.len().alias("owners")]),
        "examples": of_examples.select("case_id", "category"),
    }


def _topics(
    counted: Mapping[str, pl.DataFrame], examples: Mapping[int, Sequence[str]]
) -> tuple[TopicFigures, ...]:
    totals, owners = _rows_of(counted["topics"]), _rows_of(counted["owners"])
    shown: dict[str, dict[str, None]] = {}
    for case, category in counted["examples"].iter_rows():
        shown.setdefault(category, {}).update(dict.fromkeys(examples[case]))
    topics = [
        TopicFigures(
            category=name,
            examples=tuple(shown.get(name, ()))[:8],
            **totals.get(name, {}),
            **owners.get(name, {}),
        )
        for name in {*totals, *owners}
    ]
    return tuple(
        sorted(topics, key=lambda topic: (-topic.questions, -topic.owners, topic.category))
    )


def _plan_costs(calls: pl.LazyFrame, by: str) -> pl.LazyFrame:
    return (
        calls.group_by(pl.col(by).alias("name"))
        .agg(pl.sum("calls", "tokens", "cost"))
        .sort("cost", "calls", "name", descending=[True, True, False])
    )
