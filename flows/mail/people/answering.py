"""An owner's answer: it resumes the case, and can be remembered as knowledge."""

from datetime import datetime
from typing import Any

from data.errors import ConflictError
from data.records.core.learning import Origin, Proposed
from data.records.core.principals import Principal
from data.records.mail.questions import OwnerAnswer, QuestionState
from data.states import CaseState
from data.store.core import audit, notifications
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.mail import cases, questions
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.proposing import propose
from flows.mail.line.owner_questions import withdraw_of
from flows.mail.people.reviewing import work_again
from tasks.claims.promises import without_promises

_TITLE = 200


async def answer(
    house: House, workspace: Workspace, question_id: str, given: OwnerAnswer, principal: Principal
) -> None:
    """Keep the answer, and draft again with it where the case is still before a person.

    Raises:
        ConflictError: the question is not open any more.

    """

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = _open(cursor, question_id)
        language = given.language or row["language"]
        questions.change(
            cursor,
            [question_id],
            state=str(QuestionState.ANSWERED),
            answer=given.answer.strip(),
            language=language,
            answered_by=principal.name,
            answered_at=now,
        )
        _audit(cursor, principal, "answer", question_id, given.answer, now)
        note_events(
            cursor, "question", [question_id], QuestionState.ANSWERED, actor=principal.name, now=now
        )
        notifications.settle(cursor, "question", [row["case_id"]], now)
        resume(cursor, row["case_id"], principal, now)
        if given.remember:
            _remember(cursor, question_id, principal, now)

    await workspace.db.write(act)


async def withdraw(
    house: House, workspace: Workspace, question_id: str, principal: Principal
) -> None:
    """Take a question back without an answer; its branch waits no more."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = _open(cursor, question_id)
        withdraw_of(cursor, row["case_id"], principal.name, now)
        cases.touch(cursor, [row["case_id"]], now)
        _audit(cursor, principal, "withdraw-question", question_id, row["question"], now)

    await workspace.db.write(act)


async def remember(
    house: House, workspace: Workspace, question_id: str, principal: Principal
) -> str:
    """Propose an answer as knowledge, which nobody trusts until it is accepted; return its id.

    Raises:
        ConflictError: there is no answer, it is remembered already, or its mail may not teach.

    """

    def act(cursor: Connection) -> str:
        identity = _remember(cursor, question_id, principal, house.clock())
        if identity is None:
            raise ConflictError("this was proposed before, or its mail may not teach; look there")
        return identity

    return await workspace.db.write(act)


def resume(cursor: Connection, case_id: str, principal: Principal, now: datetime) -> None:
    """Work on a case again that slept, if it is still before a person."""
    row = cases.one(cursor, case_id)
    questions.end_waits(cursor, [case_id], now)
    if row["state"] == CaseState.IN_REVIEW:
        work_again(cursor, case_id, row["message_ids"], "context", principal, now)


def _open(cursor: Connection, question_id: str) -> dict[str, Any]:
    row = questions.one(cursor, question_id)
    if row["state"] != QuestionState.OPEN:
        raise ConflictError(f"this question is {row['state']!r}; there is nothing to answer")
    return row


def _remember(
    cursor: Connection, question_id: str, principal: Principal, now: datetime
) -> str | None:
    """Propose an answer; None where nothing is made of it."""
    row = questions.one(cursor, question_id)
    if not row["answer"]:
        raise ConflictError("this question has no answer that could be remembered")
    if row["learned_id"]:
        raise ConflictError("this answer is remembered already")
    body = without_promises(row["answer"], row["language"])
    if not body:
        return None
    given = Proposed(
        title=row["question"][:_TITLE],
        body=body,
        language=row["language"],
        origin=Origin.ANSWER,
    )
    identity = propose(
        cursor,
        given,
        source=f"answer of {row['answered_by']} to a question by mail",
        case_id=row["case_id"],
        user=principal.name,
        now=now,
        question_id=question_id,
    )
    if identity is not None:
        _audit(cursor, principal, "remember", question_id, identity, now)
    return identity


def _audit(
    cursor: Connection, principal: Principal, action: str, subject: str, detail: str, now: datetime
) -> None:
    audit.append(
        cursor, actor=principal.name, action=action, subject=subject, detail=detail[:500], now=now
    )
