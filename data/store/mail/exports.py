"""Whole tables for use elsewhere, oldest row first; times are UTC."""

from datetime import datetime
from typing import NamedTuple

import pyarrow as pa

from data.store.core.database import Connection
from data.store.core.statements import records


class RoutedRow(NamedTuple):
    """What the machine decided on a case, as JSON."""

    case_id: str
    started_at: datetime
    config_version: str
    output: str


class ReviewRow(NamedTuple):
    """What a person decided on a case."""

    case_id: str
    decided_at: datetime
    reviewer: str
    action: str
    reason: str | None
    note: str
    edit_distance: float


_QUERIES = {
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
        SELECT d.id, d.case_id, d.state, d.mail_from, d.rcpt_to, d.bcc, d.message_id, d.subject,
               d.body, d.sha256, d.due_at, d.attempts, d.response, d.approval_id,
               a.decided_by AS approved_by, d.automatic, d.purpose, d.created_at, d.sent_at
        FROM deliveries d LEFT JOIN approvals a ON a.id = d.approval_id
        ORDER BY d.created_at, d.id
    """,
}
"""The tables whose rows are exported as they are."""
TABLES = tuple(_QUERIES)


def read_table(cursor: Connection, name: str) -> pa.Table:
    """Return one of `TABLES`."""
    return cursor.sql(_QUERIES[name]).to_arrow_table()


def list_routed(cursor: Connection) -> list[RoutedRow]:
    """Return what the machine decided."""
    return records(
        cursor,
        RoutedRow,
        """
        SELECT item_id AS case_id, started_at, config_version, output FROM steps
        WHERE stage = 'route' AND status = 'done' AND output IS NOT NULL
        ORDER BY started_at, item_id
        """,
    )


def list_reviews(cursor: Connection) -> list[ReviewRow]:
    """Return what people decided."""
    return records(
        cursor,
        ReviewRow,
        """
        SELECT case_id, decided_at, reviewer, action, reason, note, edit_distance FROM reviews
        ORDER BY decided_at, id
        """,
    )
