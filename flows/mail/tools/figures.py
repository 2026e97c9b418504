"""Tools for figures: ready counts, and read-only SQL over published views (docs/agents.md)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from pydantic import Field, JsonValue

from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    OWN,
    Fact,
    Item,
    ToolResult,
    declare_lookup,
)
from data.store.core import sandbox
from data.store.core.sandbox import QueryError, QueryRows
from data.store.mail.published_views import (
    DIMENSIONS,
    NAMES,
    build_views,
    count_rows,
    measure_answer_times,
)
from flows.core.tools import Calling, Tool
from flows.mail.tools.durations import lasting
from flows.mail.tools.wording import say, say_period, word
from tasks.core.calendar.periods import Period, period_in, split_question

GROUP = "figures"
_SHOWN = 40


class WhatToCount(Record):
    """What is counted, by what, and what has to hold of it."""

    subject: str = Field(description=f"one of {', '.join(NAMES)}")
    by: str = Field(default="", description="`day`, `category`, … ; empty for one figure")
    where: dict[str, str] = Field(
        default_factory=dict, max_length=5, description='e.g. `{"category": "billing"}`'
    )
    when: str = Field(
        default="", max_length=100, description="e.g. `last week`; empty for all days"
    )
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


_OURS = frozenset({"category", "priority", "state", "sentiment", "verdict", "channel"})
"""What things are counted by whose values are words of ours, and no words of strangers."""


class WhichDaysCounted(Record):
    """The days that a figure is about."""

    when: str = Field(
        default="", max_length=100, description="e.g. `last week`; empty for all days"
    )
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


class Query(Record):
    """A query over the published views."""

    sql: str = Field(min_length=1, max_length=sandbox.LONGEST, description="one SELECT of DuckDB")


async def _count(calling: Calling, to_count: WhatToCount) -> ToolResult:
    dimensions = DIMENSIONS.get(to_count.subject, {})
    asked_by = {*to_count.where, *([to_count.by] if to_count.by else [])}
    today = calling.workspace.organization.day(calling.house.clock())
    period = period_in(to_count.when, to_count.language, today)
    unread = bool(split_question(to_count.when, to_count.language).words)
    if not asked_by <= dimensions.keys() or "day" in to_count.where or unread or not dimensions:
        return ToolResult(
            sentence=say(calling, "count_refused", known=_list_countable(calling)), refused=True
        )
    days = (period.first, period.last) if period is not None else None
    zone = calling.workspace.organization.timezone
    result = await calling.workspace.db.read(
        count_rows, zone, to_count.subject, to_count.by, to_count.where, days
    )
    subject = _subject_words(calling, to_count, period)
    if not to_count.by:
        key = "count_where" if to_count.where or period else "count_all"
        sentence = say(calling, key, subject=subject, count=result.rows[0][0])
        return ToolResult(sentence=sentence, total=1)
    if to_count.by in _OURS:
        figure_rows = tuple(
            (word(calling, str(row[0] or "")).replace("_", " "), *row[1:]) for row in result.rows
        )
        result = result._replace(rows=figure_rows)
    return _result_of_rows(
        result, say(calling, "count_by", subject=subject, by=word(calling, to_count.by))
    )


def _list_countable(calling: Calling) -> str:
    """Return what can be counted, each with what it can be counted by."""
    names = {
        subject: ", ".join(word(calling, name) for name in sorted(dimensions))
        for subject, dimensions in DIMENSIONS.items()
    }
    return "; ".join(f"{word(calling, subject)} ({listed})" for subject, listed in names.items())


def _subject_words(calling: Calling, to_count: WhatToCount, period: Period | None) -> str:
    """Return what is counted, with its conditions: *Cases (category billing, on …)*."""
    subject = word(calling, to_count.subject)
    conditions = [
        f"{word(calling, name)} {word(calling, value)}" for name, value in to_count.where.items()
    ]
    if period is not None:
        conditions.append(say_period(calling, period))
    within = f" ({', '.join(conditions)})" if conditions else ""
    return f"{subject[0].upper()}{subject[1:]}{within}"


async def _run_query(calling: Calling, query: Query) -> ToolResult:
    try:
        result = await _asked(calling, query.sql)
    except QueryError as error:
        return ToolResult(sentence=say(calling, "query_refused", why=error), refused=True)
    count = len(result.rows)
    key = "query_more" if result.more else "query_one" if count == 1 else "query_many"
    return _result_of_rows(result, say(calling, key, count=count))


async def _asked(calling: Calling, statement: str) -> QueryRows:
    zone = calling.workspace.organization.timezone
    views = build_views(zone)
    return await calling.workspace.db.read(sandbox.query_views, views, statement, zone=zone)


async def _answer_time(calling: Calling, which: WhichDaysCounted) -> ToolResult:
    organization = calling.workspace.organization
    today = organization.day(calling.house.clock())
    period = period_in(which.when, which.language, today)
    if which.when and period is None:
        return ToolResult(sentence=say(calling, "time_unread"), refused=True)
    days = (period.first, period.last) if period is not None else None
    times = await calling.workspace.db.read(measure_answer_times, organization.timezone, days)
    shown = f" ({say_period(calling, period)})" if period is not None else ""
    if times.half is None or times.mean is None:
        return ToolResult(sentence=say(calling, "answer_time_none", days=shown))
    half, mean = (
        word(calling, lasting(timedelta(seconds=seconds))) for seconds in (times.half, times.mean)
    )
    key = "answer_time_one" if times.number == 1 else "answer_time_many"
    sentence = say(calling, key, days=shown, number=times.number, half=half, mean=mean)
    return ToolResult(sentence=sentence, total=times.number)


def _result_of_rows(result: QueryRows, sentence: str) -> ToolResult:
    items = tuple(
        Item(
            title=_text(row[0]),
            facts=tuple(
                Fact(name=name if len(result.columns) != _PAIR else "", value=_text(value))
                for name, value in zip(result.columns[1:], row[1:], strict=True)
            ),
        )
        for row in result.rows[:_SHOWN]
    )
    return ToolResult(items=items, total=len(result.rows), sentence=sentence, chart=_chart(result))


_PAIR = 2
"""Columns of what can be drawn: a name and a figure."""


def _chart(result: QueryRows) -> dict[str, JsonValue] | None:
    """Return a picture of names with figures as Vega-Lite; None of anything else."""
    if len(result.columns) != _PAIR or len(result.rows) < _PAIR or not _are_figures(result.rows):
        return None
    name, figure = result.columns
    values: list[JsonValue] = [
        {"name": _text(row[0]), "figure": float(row[1] or 0)} for row in result.rows[:_SHOWN]
    ]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": values},
        "mark": "bar",
        "encoding": {
            "x": {"field": "figure", "type": "quantitative", "title": figure},
            "y": {"field": "name", "type": "nominal", "title": name, "sort": None},
        },
    }


def _are_figures(figure_rows: Sequence[tuple[Any, ...]]) -> bool:
    return all(
        row[1] is None or (isinstance(row[1], (int, float)) and not isinstance(row[1], bool))
        for row in figure_rows
    )


def _text(value: Any) -> str:  # noqa: ANN401  # whatever DuckDB gives
    return "(none)" if value is None or not str(value).strip() else str(value)[:300]


FIGURE_TOOLS = (
    Tool(
        declare_lookup(
            "count_figures",
            GROUP,
            "Counts mails, cases, contacts, replies or promises, or by something.",
            OF_STRANGERS,
        ),
        WhatToCount,
        _count,
    ),
    Tool(
        declare_lookup(
            "answer_time", GROUP, "Says how long cases waited for their first reply.", OWN
        ),
        WhichDaysCounted,
        _answer_time,
    ),
    Tool(
        declare_lookup(
            "run_query",
            GROUP,
            "Runs one read-only SELECT over published views: " + "; ".join(NAMES) + ".",
            OF_STRANGERS,
        ),
        Query,
        _run_query,
    ),
)
