"""Queries of agents: read-only, over published views alone, in a database of their own.

Two walls, either of which would do. DuckDB's own parser says what a statement is; tables, functions
and kinds of expressions that are not on the lists below are refused. What is left runs in an empty
database in memory, into which the rows of the views it names are copied: there is no other table in
it, no file and no network, and its configuration is locked. A query ends after some seconds, and
gives so many rows.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import duckdb

from data.errors import PosternError
from data.store.core.database import Connection

SECONDS, ROWS, COPIED, LONGEST = 5.0, 200, 200_000, 10_000
"""How long a query may take, rows that it gives, rows of a view that it sees, its characters."""
_CONFIGURATION: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "threads": 1,
    "memory_limit": "256MB",
    "max_temp_directory_size": "0B",
}
_TABLES = {"BASE_TABLE", "SUBQUERY", "JOIN", "EMPTY", "EMPTY_FROM", "EXPRESSION_LIST"}
_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE"}
_MODIFIERS = {
    "ORDER_MODIFIER", "LIMIT_MODIFIER", "DISTINCT_MODIFIER", "LIMIT_PERCENT_MODIFIER",
    "ORDER_DEFAULT", "ASCENDING", "DESCENDING",
}  # fmt: skip
_TYPES = _TABLES | _NODES | _MODIFIERS
_CLASSES = {
    "CONSTANT", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CAST", "CASE", "OPERATOR", "BETWEEN",
    "STAR", "SUBQUERY", "FUNCTION", "WINDOW", "POSITIONAL_REFERENCE", "TYPE",
}  # fmt: skip
FUNCTIONS = frozenset({
    "+", "-", "*", "/", "//", "%", "||", "~~", "!~~", "~~*", "!~~*", "^", "**", "count",
    "count_star", "sum", "avg", "min", "max", "median", "mode", "stddev", "variance",
    "quantile_cont", "quantile_disc", "approx_count_distinct", "arg_min", "arg_max", "any_value",
    "first", "last", "bool_and", "bool_or", "string_agg", "list", "count_if", "row_number",
    "rank", "dense_rank", "ntile", "lag", "lead", "first_value", "last_value", "percent_rank",
    "trunc", "date_trunc", "date_part", "date_diff", "datediff", "datepart", "datetrunc",
    "extract", "year", "month", "day", "hour", "minute", "dayofweek", "dayname", "monthname",
    "week", "quarter", "isodow", "epoch", "strftime", "age", "make_date", "today", "now",
    "current_date", "get_current_timestamp", "last_day", "to_days", "to_hours", "to_minutes",
    "lower", "upper", "length", "trim", "ltrim", "rtrim", "substr", "substring", "left", "right",
    "replace", "contains", "starts_with", "ends_with", "prefix", "suffix", "concat", "split_part",
    "strip_accents", "regexp_matches", "regexp_extract", "strpos", "round", "floor", "ceil",
    "ceiling", "abs", "sqrt", "ln", "log", "greatest", "least", "coalesce", "nullif", "ifnull",
    "if", "mod",
})  # fmt: skip


_ONE = "only a single SELECT is run"


class QueryError(PosternError):
    """A query is not permitted, is wrong, or takes too long."""


class QueryRows(NamedTuple):
    """What a query gave."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool
    """Whether there would be more than are given."""


def query_views(
    cursor: Connection,
    views: Mapping[str, str],
    statement: str,
    *,
    zone: str = "UTC",
    seconds: float = SECONDS,
) -> QueryRows:
    """Run a statement over published views, each of which is a `SELECT` of ours by its name.

    `zone` is the name of the time zone whose days the views mean, and so `today()` as well.

    Raises:
        QueryError: it is not permitted, is wrong, or takes too long; says which and why.

    """
    with duckdb.connect(":memory:", config=_CONFIGURATION) as apart:
        # Without this a name that is no table would be looked for among the variables of Python.
        apart.execute("SET python_enable_replacements = false")
        views_named = list_used_views(apart, views, statement)
        for name in views_named:
            frame = cursor.sql(f"SELECT * FROM ({views[name]}) LIMIT {COPIED + 1}").to_arrow_table()
            if frame.num_rows > COPIED:
                raise QueryError(
                    f"the view {name} has more than {COPIED:,} rows, which no query looks at; "
                    "ask for a ready count"
                )
            apart.register("incoming", frame)
            apart.execute(f'CREATE TABLE "{name}" AS SELECT * FROM incoming')
            apart.unregister("incoming")
        quoted = zone.replace("'", "''")
        apart.execute(f"SET TimeZone = '{quoted}'")
        apart.execute("SET lock_configuration = true")
        return _run(apart, statement, seconds)


def list_used_views(
    apart: duckdb.DuckDBPyConnection, views: Mapping[str, str], statement: str
) -> list[str]:
    """Return the views that a permitted statement names.

    Raises:
        QueryError: it is not permitted.

    """
    if len(statement) > LONGEST:
        raise QueryError(f"a query has at most {LONGEST} characters")
    (listed,) = apart.execute("SELECT json_serialize_sql(?)", [statement]).fetchall()
    try:
        return _list_views_in(json.loads(listed[0]), views)
    except RecursionError as error:
        raise QueryError("it is nested too deeply; say it in fewer parts") from error


def _list_views_in(tree: Any, views: Mapping[str, str]) -> list[str]:  # noqa: ANN401  # DuckDB's JSON
    """Return the views that a parsed statement names; raises `QueryError` where it may not run."""
    if tree.get("error"):
        message = str(tree.get("error_message") or "")
        no_select = not message or "serialized" in message  # which says nothing to who asked
        raise QueryError(_ONE if no_select else message[:300].rstrip(".!"))
    if len(tree["statements"]) != 1:
        raise QueryError(_ONE)
    views_used: set[str] = set()
    _look(tree["statements"][0]["node"], frozenset(), views_used)
    unknown = views_used - views.keys()
    if unknown:
        raise QueryError(f"there are the views {', '.join(sorted(views))}, and no others")
    return sorted(views_used)


def _look(part: Any, known_views: frozenset[str], used: set[str]) -> None:  # noqa: ANN401  # DuckDB's JSON
    """Look through a parsed statement; `known_views` are names of a WITH around it."""
    if isinstance(part, list):
        for each in part:
            _look(each, known_views, used)
    if not isinstance(part, dict):
        return
    if "class" in part:
        _permit(part["class"] in _CLASSES, str(part["class"]))
        if part["class"] in ("FUNCTION", "WINDOW"):
            plain = not part.get("schema") and not part.get("catalog")
            name = str(part.get("function_name", "")).lower()
            _permit(plain and name in FUNCTIONS, f"the function {name!r}")
            if name == "replace":
                _permit(
                    _is_shortening(part.get("arguments", ())), "replace() with something longer"
                )
    elif "type" in part:
        _permit(part["type"] in _TYPES, str(part["type"]))
    if part.get("type") == "BASE_TABLE":
        plain = not part.get("schema_name") and not part.get("catalog_name")
        _permit(plain and not part.get("at_clause"), "a name with a schema")
        if str(part["table_name"]).lower() not in known_views:
            used.add(str(part["table_name"]).lower())
    for entry in part.get("cte_map", {}).get("map", ()):
        _look(entry["value"].get("query_node") or entry["value"].get("query"), known_views, used)
        known_views = known_views | {str(entry["key"]).lower()}
    for name, each in part.items():
        if name != "cte_map":
            _look(each, known_views, used)


def _is_shortening(arguments: Sequence[Any]) -> bool:
    """Return whether a call of `replace` puts something in the place of what is no shorter.

    What it makes is in no limit of memory: some letters, each replaced by many, and each of these
    by many again, would take more than the machine has.
    """
    literals = [argument["expression"].get("literal", {}) for argument in arguments[1:]]
    if [literal.get("kind") for literal in literals] != ["STRING", "STRING"]:
        return False
    before, after = (len(literal["text"].encode()) for literal in literals)
    return after <= before


def _permit(permitted: bool, what: str) -> None:
    if not permitted:
        raise QueryError(f"{what} is not permitted here")


def _run(apart: duckdb.DuckDBPyConnection, statement: str, seconds: float) -> QueryRows:
    timer = threading.Timer(seconds, apart.interrupt)
    timer.start()
    try:
        result = apart.execute(
            f"SELECT * FROM ({statement.rstrip().rstrip(';')}\n) LIMIT {ROWS + 1}"
        )
        columns = tuple(str(column[0]) for column in result.description or ())
        rows = result.fetchall()
    except duckdb.InterruptException as error:
        raise QueryError(f"it took longer than {seconds:g} seconds and was stopped") from error
    except duckdb.Error as error:
        raise QueryError(str(error).splitlines()[0][:300]) from error
    finally:
        timer.cancel()
    return QueryRows(columns, tuple(rows[:ROWS]), len(rows) > ROWS)
