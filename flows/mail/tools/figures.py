"""Tools for figures: ready counts, and read-only SQL over published views (docs/agents.md)."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field, JsonValue

from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    Fact,
    Item,
    ToolResult,
    declare_lookup,
)
from data.store.core import sandbox
from data.store.core.sandbox import QueryError, QueryRows
from data.store.mail.published import DIMENSIONS, VIEWS, counting
from flows.core.tools import Calling, Tool
from flows.mail.tools.wording import say, word

GROUP = "figures"
_SHOWN = 40


class WhatToCount(Record):
    """What is counted, and by what."""

    subject: str = Field(description=f"one of {', '.join(sorted(VIEWS))}")
    by: str = Field(default="", description="`day`, `category`, … ; empty for one figure")


class Query(Record):
    """A query over the published views."""

    sql: str = Field(min_length=1, max_length=sandbox.LONGEST, description="one SELECT of DuckDB")


async def _count(calling: Calling, to_count: WhatToCount) -> ToolResult:
    dimensions = DIMENSIONS.get(to_count.subject)
    if dimensions is None or (to_count.by and to_count.by not in dimensions):
        dimension_words = ", ".join(
            word(calling, name) for name in sorted(dimensions or DIMENSIONS)
        )
        return ToolResult(
            sentence=say(calling, "count_refused", known=dimension_words), refused=True
        )
    result = await _asked(calling, counting(to_count.subject, to_count.by))
    subject_word = word(calling, to_count.subject)
    subject = f"{subject_word[0].upper()}{subject_word[1:]}"
    if not to_count.by:
        count = result.rows[0][0]
        return ToolResult(sentence=say(calling, "count_all", subject=subject, count=count), total=1)
    return _told(result, say(calling, "count_by", subject=subject, by=word(calling, to_count.by)))


async def _run_query(calling: Calling, query: Query) -> ToolResult:
    try:
        result = await _asked(calling, query.sql)
    except QueryError as error:
        return ToolResult(sentence=say(calling, "query_refused", why=error), refused=True)
    count = len(result.rows)
    key = "query_more" if result.more else "query_one" if count == 1 else "query_many"
    return _told(result, say(calling, key, count=count))


async def _asked(calling: Calling, statement: str) -> QueryRows:
    return await calling.workspace.db.read(sandbox.query, VIEWS, statement)


def _told(result: QueryRows, sentence: str) -> ToolResult:
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
    return "(none)" if value is None else str(value)[:300]


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
            "run_query",
            GROUP,
            "Runs one read-only SELECT over published views: " + "; ".join(sorted(VIEWS)) + ".",
            OF_STRANGERS,
        ),
        Query,
        _run_query,
    ),
)
