"""What a report costs: 100,000 messages in the real store, beside the same figures in SQL alone.

Fills a state with mail of a year, its cases, replies, decisions and calls of models, and makes the
report of the whole year as the API does: the tables read, joined and counted, working hours
included. The peer is DuckDB itself: the headline figures, those by day, by category and by person
as SQL, in hours of the clock; the report is made in those too, and both have to agree before
anything is timed. Both run in turns, in one process. Prints milliseconds by the clock and of
processor time, p50 and the worst.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from data.records.core.organization import WorkingHours
from data.records.mail.report_views import Report
from data.report_figures import report
from data.report_frames import ReportScope
from data.store.core.database import Connection, Database
from flows.api.mail.reports import _tables

START, DAYS = datetime(2025, 1, 1, tzinfo=UTC), 365
CATEGORIES = ("sales", "support", "billing", "complaint", "feature_request")
PEOPLE = ("Ida Fenn", "Bo Lund", "Mara Quist", "Jon Alder", "Eve Sand")
ASKED = ReportScope(
    since=START,
    until=START + timedelta(days=DAYS),
    now=START + timedelta(days=DAYS),
    timezone="UTC",
)
PEER = {
    "answers": """
        WITH began AS (SELECT case_id, min(received_at) AS came FROM messages
                       WHERE duplicate_of IS NULL AND case_id IS NOT NULL GROUP BY 1),
             last AS (SELECT case_id, arg_max(reviewer, decided_at) AS person FROM reviews
                      WHERE action IN ('approve', 'edit_and_approve') GROUP BY 1),
             answers AS (
                 SELECT c.category, d.sent_at, d.automatic,
                        CASE WHEN d.automatic THEN '' ELSE l.person END AS person,
                        CASE WHEN d.sent_at = min(d.sent_at) OVER (PARTITION BY c.thread_id)
                             THEN greatest(0, epoch(d.sent_at) - epoch(b.came)) END AS seconds
                 FROM deliveries d JOIN cases c ON c.id = d.case_id AND c.state <> 'superseded'
                 JOIN began b ON b.case_id = c.id LEFT JOIN last l ON l.case_id = c.id
                 WHERE d.purpose = 'reply' AND d.state = 'sent' AND d.sent_at IS NOT NULL)
        SELECT CASE WHEN grouping(day) = 0 THEN 'day ' || day
                    WHEN grouping(category) = 0 THEN 'category ' || category
                    WHEN grouping(person) = 0 THEN 'person ' || person ELSE 'all' END AS name,
               count(*) AS answered, median(seconds) AS median, quantile_cont(seconds, 0.9) AS p90
        FROM (SELECT *, sent_at::DATE AS day FROM answers WHERE sent_at >= ? AND sent_at < ?)
        GROUP BY GROUPING SETS ((), (day), (category), (person))
    """,
    "received": """
        SELECT received_at::DATE AS day, count(*), count(*) FILTER (verdict = 'quarantine')
        FROM messages WHERE duplicate_of IS NULL AND received_at >= ? AND received_at < ?
        GROUP BY 1
    """,
    "waiting": """
        WITH began AS (SELECT case_id, min(received_at) AS came FROM messages
                       WHERE duplicate_of IS NULL AND case_id IS NOT NULL GROUP BY 1),
             ended AS (SELECT item_id, max(occurred_at) AS came FROM events
                       WHERE item_kind = 'case' AND state IN ('approved', 'sent', 'archived')
                       GROUP BY 1),
             moves AS (SELECT b.came::DATE AS day, 1 AS more FROM began b UNION ALL
                       SELECT e.came::DATE, -1 FROM ended e JOIN cases c ON c.id = e.item_id
                       WHERE c.state IN ('approved', 'sent', 'archived'))
        SELECT day, sum(sum(more)) OVER (ORDER BY day) FROM moves
        WHERE day >= ? AND day < ? GROUP BY day ORDER BY day
    """,
    "judged": """
        SELECT reviewer, count(*) FILTER (action = 'approve' AND edit_distance = 0),
               count(*) FILTER (action = 'edit_and_approve'), count(*) FILTER (action = 'reject')
        FROM (FROM reviews WHERE action = 'reject' UNION ALL
              FROM (FROM reviews WHERE action IN ('approve', 'edit_and_approve')
                    AND case_id IN (SELECT id FROM cases WHERE state IN ('approved', 'sent'))
                    QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY decided_at DESC) = 1))
        WHERE decided_at >= ? AND decided_at < ? GROUP BY 1
    """,
    "cost": """
        SELECT started_at::DATE, agent, model, sum(cost), count(*) FROM model_calls
        WHERE started_at >= ? AND started_at < ?
        GROUP BY GROUPING SETS ((1, agent), (agent), (model))
    """,
}


def fill(cursor: Connection, count: int) -> None:
    """Write mail of a year as it stands after it was worked on: the same every time."""
    dice = np.random.default_rng(11)
    at = np.sort(dice.integers(0, DAYS * 86400, count))
    number = np.arange(count)
    case = number - (dice.random(count) < 0.25) * (number > 0)  # a second message of the one before
    frame = pl.DataFrame(
        {
            "number": number,
            "case_number": case,
            "received_at": [START + timedelta(seconds=int(one)) for one in at],
            "category": dice.choice(CATEGORIES, count),
            "person": dice.choice(PEOPLE, count),
            "fate": dice.random(count),
            "waited": dice.lognormal(9, 1.2, count),
            "edited": dice.beta(1, 6, count),
            "again": dice.integers(0, max(1, count // 3), count),
        }
    )
    cursor.register("made", frame.to_arrow())
    for statement in FILLED.split(";"):
        cursor.execute(statement)
    cursor.unregister("made")


FILLED = """
CREATE TEMP TABLE m AS SELECT *, format('01m{:023d}', number) AS id,
    format('01c{:023d}', case_number) AS case_id, fate > 0.95 AS stopped FROM made;
INSERT INTO messages (id, status, mode, channel, mail_from, rcpt_to, received_at, envelope,
        content_key, raw_sha256, size_bytes, verdict, case_id, thread_id, due_at)
    SELECT id, 'sent', 'agent', 'smtp', 'a@b.example', ['c@d.example'], received_at, '{}', id, id,
        9000, CASE WHEN stopped THEN 'quarantine' ELSE 'clean' END,
        CASE WHEN NOT stopped THEN case_id END, format('01t{:023d}', again), received_at FROM m;
CREATE TEMP TABLE k AS SELECT case_id, arg_min(m, received_at) AS m,
    min(received_at) AS came, arg_min(fate, received_at) AS fate FROM m
    WHERE NOT stopped GROUP BY 1;
INSERT INTO cases (id, state, contact_id, contact_email, thread_id, message_ids, subject,
        received_at, created_at, due_at, changed_at, category, would_auto_send)
    SELECT case_id, CASE WHEN fate < 0.75 THEN 'sent' WHEN fate < 0.9 THEN 'archived'
        ELSE 'in_review' END, 'p', 'a@b.example', format('01t{:023d}', m.again), [m.id], 'Hello',
        came, came, came, came, m.category, fate < 0.3 FROM k;
INSERT INTO threads (id, subject, normalized_subject, contact_id, contact_email, participants,
        status, last_message_at)
    SELECT DISTINCT ON (thread_id) thread_id, '', '', 'p', 'a@b.example', [],
        CASE state WHEN 'sent' THEN 'resolved' ELSE 'open' END, received_at FROM cases;
INSERT INTO events (item_kind, item_id, state, actor, occurred_at)
    SELECT 'message', id, unnest(['received', 'screening', 'threaded', 'processing', 'sent']),
        'line', received_at FROM m;
INSERT INTO events (item_kind, item_id, state, actor, occurred_at)
    SELECT 'case', case_id, unnest(['running', 'in_review']), 'line', came FROM k;
INSERT INTO events (item_kind, item_id, state, actor, occurred_at)
    SELECT 'case', case_id, unnest(CASE WHEN fate < 0.75 THEN ['approved', 'sent']
        ELSE ['archived'] END), 'line', came + to_seconds(m.waited) FROM k WHERE fate < 0.9;
INSERT INTO deliveries (id, case_id, state, mail_from, rcpt_to, message_id, subject, body, sha256,
        due_at, automatic, created_at, sent_at)
    SELECT case_id, case_id, 'sent', 'c@d.example', ['a@b.example'], case_id, 'Re: Hello', '', '',
        came, fate < 0.05, came, came + to_seconds(m.waited) FROM k WHERE fate < 0.75;
INSERT INTO reviews (id, case_id, reviewer, action, reason, edit_distance, would_auto_send,
        decided_at)
    SELECT 'r' || case_id, case_id, m.person, 'reject', 'tone', 0, fate < 0.3,
        came + to_seconds(m.waited / 2) FROM k WHERE fate BETWEEN 0.65 AND 0.75;
INSERT INTO reviews (id, case_id, reviewer, action, edit_distance, would_auto_send, decided_at)
    SELECT 'a' || case_id, case_id, m.person,
        CASE WHEN fate < 0.5 THEN 'approve' ELSE 'edit_and_approve' END,
        CASE WHEN fate < 0.5 THEN 0 ELSE m.edited END, fate < 0.3, came + to_seconds(m.waited)
    FROM k WHERE fate BETWEEN 0.05 AND 0.75;
INSERT INTO drafts (case_id, revision, draft, author, created_at, unanswered)
    SELECT case_id, 0, '{"unanswered": ["When do you open?"]}', 'local', came,
        CASE WHEN fate > 0.6 THEN 1 ELSE 0 END FROM k;
INSERT INTO owner_questions (id, state, case_id, branch_id, thread_id, contact_email, owner,
        question, language, asked_at, remind_at, due_at)
    SELECT 'q' || case_id, 'answered', case_id, '', '', '', '', '', 'en', came, came, came
    FROM k WHERE fate > 0.85;
INSERT INTO security_flags (message_id, injection_detected, injection_type, confidence,
        scan_timestamp)
    SELECT id, true, 'instructions', 0.9, received_at FROM m WHERE stopped;
INSERT INTO model_calls (id, agent, provider, model, tier, started_at, outcome, tokens_in,
        tokens_out, cost)
    SELECT id || agent, agent, 'anthropic', 'large', 'normal', received_at, 'answered', 1800, 300,
        0.004 FROM m, unnest(['classifier', 'planner', 'drafter']) AS _(agent)
"""


def make_report(cursor: Connection, asked: ReportScope) -> Report:
    """Return the report as the API makes it."""
    tables, examples = _tables(cursor, asked)
    return report(tables, asked, None, examples)


def in_sql(cursor: Connection) -> dict[str, list[tuple[object, ...]]]:
    """Return the same figures from SQL alone, in hours of the clock."""
    ranged = [ASKED.since, ASKED.until]
    return {name: cursor.execute(sql, ranged).fetchall() for name, sql in PEER.items()}


def agree(one: Report, other: dict[str, list[tuple[object, ...]]]) -> None:
    """Refuse to time two things that say something else."""
    answers = {str(row[0]): row[1:] for row in other["answers"]}
    first = one.first_answer
    assert answers["all"][0] == one.answered
    assert np.allclose([answers["all"][1], answers["all"][2]], [first.median, first.p90])
    for person in one.people:
        assert answers[f"person {person.person}"][0] == person.answered
    for category in one.categories:
        given = answers[f"category {category.category}"]
        assert given[0] == category.answered
        assert np.isclose(given[2], category.first_answer.p90)
    received = {row[0]: row[1:] for row in other["received"]}
    waiting = dict(other["waiting"])
    for period in one.periods:
        assert received[period.begins] == (period.received, period.stopped)
        assert waiting[period.begins] == period.waiting, period
    judged = {row[0]: row[1:] for row in other["judged"]}
    for person in one.people:
        seen = person.judged
        assert judged[person.person] == (seen.unchanged, seen.edited, seen.rejected)
    cost = sum(row[3] for row in other["cost"] if row[0] is None and row[1])
    assert np.isclose(cost, one.cost)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return milliseconds by the clock and of processor time."""
    clock, spent = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - spent)


async def main(messages: int, rounds: int) -> None:
    """Fill a state, compare, and time the report beside its peer."""
    with tempfile.TemporaryDirectory() as folder:
        db = Database(Path(folder) / "state.duckdb", "organization")
        await db.write(fill, messages)
        await db.exclusively(lambda connection: connection.execute("CHECKPOINT"))
        hours = ASKED._replace(hours=WorkingHours(timezone="Europe/Berlin"))
        with db.connection.cursor() as cursor:
            agree(make_report(cursor, ASKED), in_sql(cursor))
            ways: dict[str, Callable[[], object]] = {
                "the report, in working hours": lambda: make_report(cursor, hours),
                "the report, every hour counts": lambda: make_report(cursor, ASKED),
                "the report of 28 days": lambda: make_report(
                    cursor, hours._replace(since=hours.until - timedelta(days=28))
                ),
                "the same by SQL alone, every hour": lambda: in_sql(cursor),
            }
            took: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
            for _ in range(rounds):
                for name, work in ways.items():
                    took[name].append(timed(work))
        load, cores = os.getloadavg()[0], os.cpu_count()
        print(f"{messages:,} messages, DuckDB {duckdb.__version__}, load {load:.1f}, {cores} cores")
        for name, figures in took.items():
            clock, spent = (sorted(column) for column in zip(*figures, strict=True))
            middle = len(clock) // 2
            print(
                f"  {name:34} p50 {clock[middle]:5.0f} ms, worst {clock[-1]:5.0f} ms; "
                f"processor p50 {spent[middle]:5.0f} ms"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    asyncio.run(main(given.messages, given.rounds))
