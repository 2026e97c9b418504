"""Tables that reports count: a few columns of each, as Arrow.

What happened in a range is cut to it here; what says how a case or a conversation as a whole went
is not, because it may have begun before. Cases and conversations are named by 64 bits of a hash of
their ids, which are joined in a quarter of the time. Calls of models come summed by quarters of an
hour: at one of them days begin in every time zone.
"""

from collections.abc import Sequence
from datetime import datetime

import pyarrow as pa

from data.store.core.database import Connection
from data.store.mail.service_targets import PAUSED_AT

_STATEMENTS = {
    "messages": (
        "SELECT received_at, if(case_id IS NULL, NULL, hash(case_id)) AS case_id, status, "
        "verdict = 'quarantine' AS stopped, "
        "released_by IS NOT NULL AS released FROM messages WHERE duplicate_of IS NULL"
    ),
    "flags": (
        "SELECT f.scan_timestamp AS stopped_at, "
        "coalesce(f.injection_type, f.reason, 'other') AS kind "
        "FROM security_flags f WHERE f.scan_timestamp >= ? AND f.scan_timestamp < ?"
    ),
    "cases": (
        "SELECT hash(id) AS case_id, hash(thread_id) AS thread_id, category, state, received_at, "
        "changed_at FROM cases WHERE state <> 'superseded' AND again_of IS NULL "
        "AND len(message_ids) > 0"
    ),
    "ends": (
        "SELECT hash(item_id) AS case_id, occurred_at AS ended_at FROM events "
        "WHERE item_kind = 'case' AND state IN ('sent', 'archived')"
    ),
    "resolved": "SELECT hash(id) AS thread_id FROM threads WHERE status = 'resolved'",
    "replies": (
        "SELECT hash(case_id) AS case_id, sent_at, automatic FROM deliveries "
        "WHERE purpose = 'reply' AND state = 'sent' AND sent_at IS NOT NULL"
    ),
    "reviews": (
        "SELECT hash(case_id) AS case_id, reviewer, action, reason, edit_distance, "
        "would_auto_send, looked_seconds, letter_words, decided_at FROM reviews"
    ),
    "targets": (
        f"SELECT hash(t.case_id) AS case_id, t.due_at, {PAUSED_AT} AS paused_at "
        "FROM service_targets t WHERE t.due_at IS NOT NULL"
    ),
    "planted": (
        "SELECT hash(case_id) AS case_id, ended_by AS reviewer, outcome, ended_at "
        "FROM planted_faults WHERE ended_at >= ? AND ended_at < ?"
    ),
    "unanswered": (
        "SELECT hash(case_id) AS case_id, unanswered, created_at AS drafted_at FROM drafts "
        "WHERE revision = 0 AND unanswered > 0 AND created_at >= ? AND created_at < ?"
    ),
    "questions": (
        "SELECT hash(case_id) AS case_id, asked_at FROM owner_questions "
        "WHERE asked_at >= ? AND asked_at < ?"
    ),
    "calls": (
        "SELECT to_timestamp(epoch_us(started_at) // 900000000 * 900) AS started_at, agent, model, "
        "count(*) AS calls, sum(tokens_in + tokens_out)::BIGINT AS tokens, sum(cost) AS cost, "
        "count(*) FILTER (NOT priced) AS unpriced FROM model_calls "
        "WHERE started_at >= ? AND started_at < ? GROUP BY ALL"
    ),
}
TABLES = tuple(_STATEMENTS)


def read_table(cursor: Connection, name: str, since: datetime, until: datetime) -> pa.Table:
    """Return what is counted of one of `TABLES`."""
    statement = _STATEMENTS[name]
    ranged = [since, until] if "?" in statement else []
    return cursor.arrow(statement, ranged)


def list_unanswered_texts(cursor: Connection, cases: Sequence[int]) -> dict[int, list[str]]:
    """Return the questions that the first drafts of these cases left open, by the hash of each."""
    rows = cursor.execute(
        "SELECT hash(case_id), from_json(draft->'$.unanswered', '[\"VARCHAR\"]') FROM drafts "
        "WHERE revision = 0 AND hash(case_id) IN (SELECT unnest(?::UBIGINT[]))",
        [list(cases)],
    ).fetchall()
    return {int(case): [str(text) for text in texts or ()] for case, texts in rows}
