"""Whole tables for use elsewhere: what each holds, and the three formats."""

import io
from typing import Literal, get_args

import orjson
import polars as pl
import pyarrow as pa

from data.errors import NotFoundError
from data.records.mail.stage_outputs import Routed
from data.store.core.database import Connection
from data.store.mail import exports
from data.store.mail.exports import ReviewRow, RoutedRow

What = Literal[
    "messages",
    "threads",
    "cases",
    "branches",
    "actions",
    "decisions",
    "deliveries",
    "tickets",
    "promises",
]
Format = Literal["jsonl", "parquet", "csv"]
WHAT: tuple[What, ...] = get_args(What)
FORMATS: tuple[Format, ...] = get_args(Format)

DECISION = pl.Schema(
    {
        "case_id": pl.String(),
        "decided_at": pl.Datetime("us", "UTC"),
        "decided_by": pl.String(),
        "decision": pl.String(),
        "reason": pl.String(),
        "note": pl.String(),
        "would_auto_send": pl.Boolean(),
        "assignee": pl.String(),
        "failed_gates": pl.List(pl.String()),
        "gates": pl.String(),
        "edit_distance": pl.Float64(),
        "config_version": pl.String(),
    }
)
"""What the machine routed and what people decided, in the order of time; gates are JSON."""


def export_frame(cursor: Connection, what: str) -> pl.DataFrame:
    """Return a table, oldest row first; times are UTC.

    Raises:
        NotFoundError: there is no table of that name to export.

    """
    if what == "decisions":
        return _decisions(cursor)
    if what not in exports.TABLES:
        raise NotFoundError(f"{what!r} cannot be exported; choose one of {', '.join(WHAT)}")
    return frame_of(exports.read_table(cursor, what))


def frame_of(table: pa.Table) -> pl.DataFrame:
    """Return what the store gave as Arrow as a frame of Polars."""
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)  # noqa: S101  # a table gives a frame
    return frame


def export_bytes(cursor: Connection, what: str) -> bytes:
    """Return a table as Parquet, for the way between engine and command line."""
    return encode(export_frame(cursor, what), "parquet")


def read_parquet(content: bytes) -> pl.DataFrame:
    """Return the frame that `export_bytes` wrote."""
    return pl.read_parquet(io.BytesIO(content))


def encode(frame: pl.DataFrame, form: Format) -> bytes:
    """Return the frame as a file of that format.

    In CSV a list is one field with its entries separated by spaces, and a text that a spreadsheet
    would run as a formula begins with an apostrophe.
    """
    target = io.BytesIO()
    if form == "parquet":
        frame.write_parquet(target)
    elif form == "csv":
        _flat(frame).write_csv(target)
    else:
        _with_iso_times(frame).write_ndjson(target)
    return target.getvalue()


def _decisions(cursor: Connection) -> pl.DataFrame:
    decisions = [_machine(row) for row in exports.list_routed(cursor)]
    decisions += [_person(row) for row in exports.list_reviews(cursor)]
    decisions.sort(key=lambda row: (row["decided_at"], row["case_id"]))
    return pl.DataFrame(decisions, schema=DECISION, orient="row")


def _machine(row: RoutedRow) -> dict[str, object]:
    decision = Routed.model_validate_json(row.output)
    gates = [gate.model_dump() for gate in decision.gates]
    return {
        "case_id": row.case_id,
        "decided_at": row.started_at,
        "decided_by": "machine",
        "decision": str(decision.outcome),
        "reason": decision.reason,
        "note": "",
        "would_auto_send": decision.would_auto_send,
        "assignee": decision.assignee,
        "failed_gates": [gate.name for gate in decision.gates if not gate.passed],
        "gates": orjson.dumps(gates).decode(),
        "edit_distance": None,
        "config_version": row.config_version,
    }


def _person(row: ReviewRow) -> dict[str, object]:
    return {
        "case_id": row.case_id,
        "decided_at": row.decided_at,
        "decided_by": row.reviewer,
        "decision": row.action,
        "reason": row.reason,
        "note": row.note,
        "would_auto_send": None,
        "assignee": None,
        "failed_gates": [],
        "gates": "[]",
        "edit_distance": row.edit_distance,
        "config_version": "",
    }


def _with_iso_times(frame: pl.DataFrame) -> pl.DataFrame:
    times = [name for name, kind in frame.schema.items() if isinstance(kind, pl.Datetime)]
    return frame.with_columns(
        pl.col(name).dt.convert_time_zone("UTC").dt.strftime("%Y-%m-%dT%H:%M:%S%.6fZ")
        for name in times
    )


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    joined = _with_iso_times(frame).with_columns(pl.col(name).list.join(" ") for name in lists)
    texts = [name for name, kind in joined.schema.items() if kind == pl.String()]
    risky = ("=", "+", "-", "@", "\t", "\r")
    return joined.with_columns(
        pl.when(pl.col(name).str.slice(0, 1).is_in(risky))
        .then(pl.concat_str(pl.lit("'"), pl.col(name)))
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    )
