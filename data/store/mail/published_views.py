"""The views of the line that agents may ask: figures and facts, no letters and no secrets."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.sandbox import ROWS, QueryRows
from data.store.core.statements import records

_VIEWS = {
    "mails": "SELECT received_at, CAST(timezone({zone}, received_at) AS DATE) AS day, "
    "sender_email AS sender, "
    "sender_name, subject, channel, status, verdict, automated_kind AS automated, urgent, "
    "attachments, size_bytes FROM messages",
    "cases": "SELECT id, state, category, priority, sentiment, language, confidence, outcome, "
    "contact_email AS contact, contact_name, subject, received_at, "
    "CAST(timezone({zone}, received_at) AS DATE) AS day, drafted_at FROM cases",
    "contacts": "SELECT email, name, company, language, plan, blocked, first_seen_at, "
    "CAST(timezone({zone}, first_seen_at) AS DATE) AS day FROM contacts",
    "replies": "SELECT case_id, state, created_at, "
    "CAST(timezone({zone}, created_at) AS DATE) AS day, sent_at, "
    "automatic FROM deliveries",
    "promises": "SELECT case_id, contact_email AS contact, due_on, made_at, closed_at, "
    "CAST(timezone({zone}, made_at) AS DATE) AS day FROM promises",
}
"""By the name that a query calls it."""
NAMES = tuple(sorted(_VIEWS))
DIMENSIONS = {
    "mails": {"day": "day", "sender": "sender", "channel": "channel", "verdict": "verdict"},
    "cases": {
        "day": "day",
        "category": "category",
        "priority": "priority",
        "language": "language",
        "state": "state",
        "sentiment": "sentiment",
    },
    "contacts": {"language": "language", "plan": "plan", "company": "company"},
    "replies": {"day": "day", "state": "state"},
    "promises": {"day": "due_on"},
}
"""By what the rows of each view are counted, and the column that holds it."""


def build_views(zone: str) -> dict[str, str]:
    """Return the statement of each view by its name; `day` is one of a time zone, by its name."""
    return {name: view.replace("{zone}", _as_literal(zone)) for name, view in _VIEWS.items()}


def count_rows(
    cursor: Connection,
    zone: str,
    subject: str,
    by: str = "",
    where: Mapping[str, str] | None = None,
    days: tuple[date, date] | None = None,
) -> QueryRows:
    """Count the rows of a view, however many they are, in all or by one of its dimensions.

    Args:
        cursor: of the organization's state.
        zone: name of the time zone whose days are meant.
        subject: a view.
        by: a dimension of it.
        where: values of its dimensions that rows have to have.
        days: the first and the last day that rows may belong to.

    """
    view = f"({build_views(zone)[subject]}) AS {subject}"
    wanted_values = where or {}
    conditions = [
        f"lower(CAST({DIMENSIONS[subject][name]} AS VARCHAR)) = lower(?)" for name in wanted_values
    ]
    if days is not None:
        conditions.append(f"day BETWEEN DATE '{days[0]}' AND DATE '{days[1]}'")
    only = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    statement = f"SELECT count(*) AS count FROM {view}{only}"
    if by:
        order = "1" if by == "day" else "2 DESC, 1"
        statement = (
            f"SELECT CAST({DIMENSIONS[subject][by]} AS VARCHAR) AS {by}, count(*) AS count "
            f"FROM {view}{only} GROUP BY 1 ORDER BY {order} LIMIT {ROWS + 1}"
        )
    result = cursor.execute(statement, list(wanted_values.values()))
    columns = tuple(str(column[0]) for column in result.description or ())
    counted = tuple(result.fetchall())
    return QueryRows(columns, counted[:ROWS], len(counted) > ROWS)


class AnswerTimes(NamedTuple):
    """How long cases waited for their first reply."""

    number: int
    """Of cases that got one."""
    half: float | None
    """Seconds within which half of them got it; None where there is none."""
    mean: float | None
    """Seconds on average."""


def measure_answer_times(
    cursor: Connection, zone: str, days: tuple[date, date] | None = None
) -> AnswerTimes:
    """Return how long cases waited for the first reply that left, on some days or on all.

    It is what a report calls the first answer: letters that a case was not begun by do not count.
    """
    only = f"WHERE day BETWEEN DATE '{days[0]}' AND DATE '{days[1]}'" if days is not None else ""
    (times,) = records(
        cursor,
        AnswerTimes,
        "SELECT count(*) AS number, median(seconds) AS half, avg(seconds) AS mean FROM ("
        "SELECT CAST(timezone(?, min(d.sent_at)) AS DATE) AS day, "
        "date_diff('millisecond', any_value(c.received_at), min(d.sent_at)) / 1000 AS seconds "
        "FROM cases AS c JOIN deliveries AS d ON d.case_id = c.id "
        "WHERE c.state <> 'superseded' AND c.again_of IS NULL AND len(c.message_ids) > 0 "
        "AND d.purpose = 'reply' AND d.state = 'sent' AND d.sent_at IS NOT NULL "
        f"GROUP BY c.id) {only}",
        [zone],
    )
    return times


def _as_literal(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
