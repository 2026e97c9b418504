"""Whole tables for use elsewhere: what each holds, and the three formats."""

import io
from typing import Literal, get_args

import orjson
import polars as pl

from data.errors import NotFoundError
from data.records.mail.stage_outputs import Routed
from data.store.core.database import Connection, rows

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

QUERIES = {
    "messages": """
        SELECT m.id, m.status, m.mode, m.channel, m.mail_from, m.rcpt_to, m.received_at,
               m.message_id, m.sender_email, m.sender_name, m.subject, m.preview, m.size_bytes,
               m.raw_sha256, m.verdict, m.automated_kind, m.urgent, m.attachments, m.contact_id,
               m.thread_id, m.case_id, m.duplicate_of, m.note,
               coalesce(s.output->>'$.mail.text', '') AS text_body,
               coalesce(s.output->>'$.mail.html', '') AS html_body
        FROM messages m LEFT JOIN steps s ON s.item_id = m.id AND s.stage = 'parse'
             AND s.status = 'done' AND NOT s.superseded
        ORDER BY m.received_at, m.id
    """,
    "threads": """
        SELECT id, subject, status, contact_id, contact_email, contact_name, participants,
               assignee, linked_to, merged_into, message_count, last_message_at
        FROM threads ORDER BY last_message_at, id
    """,
    "cases": """
        SELECT id, state, contact_email, contact_name, thread_id, message_ids, subject, preview,
               received_at, created_at, drafted_at, burst_reason, verdict, category, priority,
               sentiment, language, confidence, quality, outcome, would_auto_send, has_draft,
               tier, assignee, superseded_by, part_of, note, changed_at
        FROM cases ORDER BY created_at, id
    """,
    "branches": """
        SELECT b.id, b.case_id, b.position, b.state, b.priority, b.intent->>'$.intent' AS intent,
               b.intent->>'$.category' AS category,
               (b.intent->>'$.confidence')::DOUBLE AS confidence, b.intent->>'$.text' AS text,
               (b.checked->>'$.quality')::DOUBLE AS quality,
               b.decision->>'$.outcome' AS outcome, b.decision->>'$.reason' AS reason, b.question
        FROM branches b JOIN cases c ON c.id = b.case_id ORDER BY c.created_at, b.id
    """,
    "tickets": """
        SELECT id, number, state, title, text, category, case_id, thread_id, contact_email,
               duplicate_of, reason, created_at, changed_at, closed_at
        FROM tickets ORDER BY number
    """,
    "promises": """
        SELECT id, case_id, delivery_id, thread_id, contact_email, sentence, due_on, dated,
               made_at, reminded_at, closed_at, closed_by, note
        FROM promises ORDER BY made_at, id
    """,
    "actions": """
        SELECT b.case_id, a.branch_id, a.position, a.type, a.argument, a.reason, a.floor,
               a.audience, a.money, a.related, a.status, a.reviewed_by, a.reviewed_at,
               a.executed_at, a.planned_at
        FROM actions a JOIN branches b ON b.id = a.branch_id
        ORDER BY a.planned_at, a.branch_id, a.position
    """,
    "deliveries": """
        SELECT d.id, d.case_id, d.state, d.mail_from, d.rcpt_to, d.message_id, d.subject, d.body,
               d.sha256, d.due_at, d.attempts, d.response, d.approval_id,
               a.decided_by AS approved_by, d.automatic, d.purpose, d.created_at, d.sent_at
        FROM deliveries d LEFT JOIN approvals a ON a.id = d.approval_id
        ORDER BY d.created_at, d.id
    """,
}
"""The tables whose rows are exported as they are."""

MACHINE = """
    SELECT item_id AS case_id, started_at, provider, config_version, output FROM steps
    WHERE stage = 'route' AND status = 'done' AND output IS NOT NULL
    ORDER BY started_at, item_id
"""
PERSON = """
    SELECT case_id, decided_at, reviewer, action, reason, note, edit_distance FROM reviews
    ORDER BY decided_at, id
"""
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
    if what not in QUERIES:
        raise NotFoundError(f"{what!r} cannot be exported; choose one of {', '.join(WHAT)}")
    frame = pl.from_arrow(cursor.sql(QUERIES[what]).to_arrow_table())
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
    made = [_machine(row) for row in rows(cursor, MACHINE)]
    made += [_person(row) for row in rows(cursor, PERSON)]
    made.sort(key=lambda row: (row["decided_at"], row["case_id"]))
    return pl.DataFrame(made, schema=DECISION, orient="row")


def _machine(row: dict[str, object]) -> dict[str, object]:
    decision = Routed.model_validate_json(str(row["output"]))
    gates = [gate.model_dump() for gate in decision.gates]
    return {
        "case_id": row["case_id"],
        "decided_at": row["started_at"],
        "decided_by": "machine",
        "decision": str(decision.outcome),
        "reason": decision.reason,
        "note": "",
        "would_auto_send": decision.would_auto_send,
        "assignee": decision.assignee,
        "failed_gates": [gate.name for gate in decision.gates if not gate.passed],
        "gates": orjson.dumps(gates).decode(),
        "edit_distance": None,
        "config_version": row["config_version"],
    }


def _person(row: dict[str, object]) -> dict[str, object]:
    return {
        "case_id": row["case_id"],
        "decided_at": row["decided_at"],
        "decided_by": row["reviewer"],
        "decision": row["action"],
        "reason": row["reason"],
        "note": row["note"],
        "would_auto_send": None,
        "assignee": None,
        "failed_gates": [],
        "gates": "[]",
        "edit_distance": row["edit_distance"],
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
