"""An organization's context for plans: rules of people, open tickets, questions asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.records.mail.rules import Matcher
from data.records.mail.tickets import OpenTicket
from data.store.core.database import Connection
from data.store.mail import questions, rules, tickets
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch

MOST_TICKETS = 500
"""Open tickets that a new one is compared with, the newest."""


@dataclass(frozen=True)
class Known:
    """What the organization has that plans look at."""

    rules: Sequence[tuple[str, Matcher]]
    tickets: Sequence[OpenTicket]
    asked: Mapping[str, frozenset[str]]
    """By case: the questions of its conversation that are over; none is asked twice."""


async def gather_known(batch: Batch, case_by_id: Mapping[str, CaseRow]) -> Known:
    """Return what the organization has for these cases."""
    return await batch.workspace.db.read(_read_known, case_by_id)


def _read_known(cursor: Connection, case_by_id: Mapping[str, CaseRow]) -> Known:
    threads = sorted({row.thread_id for row in case_by_id.values()})
    over: dict[tuple[str, str], set[str]] = {}
    for question_row in questions.list_of_threads(cursor, threads):
        if question_row.state != "open":
            key = (question_row.thread_id, question_row.contact_email)
            over.setdefault(key, set()).add(question_row.question)
    return Known(
        rules=rules.list_counting(cursor),
        tickets=tickets.list_open(cursor, MOST_TICKETS),
        asked={
            case: frozenset(over.get((row.thread_id, row.contact_email), ()))
            for case, row in case_by_id.items()
        },
    )
