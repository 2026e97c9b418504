"""Knowledge that is proposed: nothing rests on it before a person has said yes."""

from datetime import datetime

from data.ids import new_id
from data.records.core.learning import LearnedState, Proposed
from data.store.core import learned
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.mail import cases, messages
from data.store.mail.cases import CaseRow
from tasks.core.words.sentences import words

MOST_OPEN = 500
"""Proposals that wait at most; the oldest are forgotten."""


def propose(
    cursor: Connection,
    order: Proposed,
    *,
    source: str,
    case_id: str,
    user: str,
    now: datetime,
    question_id: str = "",
) -> str | None:
    """Propose knowledge in an open transaction; return its id, or None when nothing was made.

    Nothing is made of a case with a message that the screen has flagged or quarantined, that a
    machine wrote, or that a person released; nor of what was proposed before, whatever became of
    it.

    Args:
        cursor: an open transaction.
        order: what was learned.
        source: where it came from, in words for people.
        case_id: the case that it came from.
        user: who wrote it.
        now: when.
        question_id: the question to an owner that it answers.

    """
    if not may_teach(cursor, cases.read_row(cursor, case_id)):
        return None
    return add_proposal(
        cursor,
        order,
        source=source,
        case_id=case_id,
        user=user,
        now=now,
        question_id=question_id,
    )


def add_proposal(
    cursor: Connection,
    order: Proposed,
    *,
    source: str,
    user: str,
    now: datetime,
    case_id: str = "",
    question_id: str = "",
) -> str | None:
    """Write a proposal in an open transaction; return its id, or None where it was made before."""
    if _key(order.title, order.body) in {
        _key(row.title, row.body) for row in learned.list_entries(cursor)
    }:
        return None
    identity = f"learned-{new_id(now)}"
    learned.add(
        cursor,
        {
            "id": identity,
            "title": order.title,
            "body": order.body,
            "kind": str(order.kind),
            "language": order.language,
            "origin": str(order.origin),
            "question_id": question_id,
            "case_id": case_id,
            "source": source,
            "created_by": user,
            "created_at": now,
        },
    )
    learned.drop_oldest(cursor, MOST_OPEN)
    note_events(cursor, "knowledge", [identity], LearnedState.PROPOSED, actor=user, now=now)
    return identity


def may_teach(cursor: Connection, case: CaseRow) -> bool:
    """Return whether a case has messages, each clean by itself and written by a person."""
    case_messages = messages.read_messages(cursor, case.message_ids)
    return (
        bool(case_messages)
        and len(case_messages) == len(set(case.message_ids))
        and all(
            row.verdict == "clean" and row.automated_kind == "none" and not row.released_by
            for row in case_messages.values()
        )
    )


def _key(title: str, body: str) -> str:
    return " ".join(words(f"{title} {body}"))
