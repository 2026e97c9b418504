"""An owner's answer: it resumes the case, and can be remembered as knowledge."""

from datetime import datetime

from data.errors import ConflictError
from data.records.core.learning import LearnedOrigin, Proposed
from data.records.core.principals import Principal
from data.records.mail.questions import OwnerAnswer, QuestionState
from data.store.core import notifications
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.mail import cases, questions
from data.store.mail.questions import QuestionRow
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.proposing import propose
from flows.mail.line.owner_answers import cut_told_part
from flows.mail.line.owner_questions import withdraw_case_questions
from flows.mail.people.deciding import DECIDABLE
from flows.mail.people.reviewing import work_again
from tasks.core.claims.promises import without_promises

_TITLE = 200


async def answer(
    house: House, workspace: Workspace, question_id: str, given: OwnerAnswer, principal: Principal
) -> None:
    """Keep the answer, and draft again with it where the case is still before a person.

    Raises:
        ConflictError: the question is not open any more.

    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = _open(cursor, question_id)
        _keep_answer(act, question_id, given.answer, given.language or row.language)
        notifications.settle(cursor, "question", [row.case_id], now)
        resume(cursor, row.case_id, principal, now)
        if given.remember:
            _remember(act, workspace, question_id)

    await carry_out(house, workspace, principal, work)


def _keep_answer(act: Act, question_id: str, text: str, language: str) -> None:
    """Write down what the owner has answered, and that the question is answered."""
    state = QuestionState.ANSWERED
    questions.change(
        act.cursor,
        [question_id],
        state=str(state),
        answer=text.strip(),
        language=language,
        answered_by=act.actor,
        answered_at=act.now,
    )
    _note(act, "answer", question_id, text)
    note_events(act.cursor, "question", [question_id], state, actor=act.actor, now=act.now)


async def withdraw(
    house: House, workspace: Workspace, question_id: str, principal: Principal
) -> None:
    """Take a question back without an answer; its branch waits no more."""

    def work(act: Act) -> None:
        row = _open(act.cursor, question_id)
        withdraw_case_questions(act.cursor, row.case_id, act.actor, act.now)
        cases.advance_versions(act.cursor, [row.case_id], act.now)
        _note(act, "withdraw-question", question_id, row.question)

    await carry_out(house, workspace, principal, work)


async def remember(
    house: House, workspace: Workspace, question_id: str, principal: Principal
) -> str:
    """Propose an answer as knowledge, which nobody trusts until it is accepted; return its id.

    Raises:
        ConflictError: there is no answer, it is remembered already, or its mail may not teach.

    """

    def work(act: Act) -> str:
        identity = _remember(act, workspace, question_id)
        if identity is None:
            raise ConflictError("this was proposed before, or its mail may not teach; look there")
        return identity

    return await carry_out(house, workspace, principal, work)


def resume(cursor: Connection, case_id: str, principal: Principal, now: datetime) -> None:
    """Work on a case again that slept, if it is still before a person."""
    row = cases.read_row(cursor, case_id)
    questions.end_waits(cursor, [case_id], now)
    if row.state in DECIDABLE:
        work_again(cursor, case_id, row.message_ids, "context", principal, now)


def _open(cursor: Connection, question_id: str) -> QuestionRow:
    row = questions.read_row(cursor, question_id)
    if row.state != QuestionState.OPEN:
        raise ConflictError(f"this question is {row.state!r}; there is nothing to answer")
    return row


def _remember(act: Act, workspace: Workspace, question_id: str) -> str | None:
    """Propose an answer; None where nothing is made of it."""
    row = _answered(act.cursor, question_id)
    body = without_promises(cut_told_part(row, workspace.organization), row.language)
    identity = _propose_answer(act, row, body) if body else None
    if identity is not None:
        _note(act, "remember", question_id, identity)
    return identity


def _answered(cursor: Connection, question_id: str) -> QuestionRow:
    """Return a question whose answer is not remembered yet.

    Raises:
        ConflictError: it is, or there is no answer.

    """
    row = questions.read_row(cursor, question_id)
    if not row.answer:
        raise ConflictError("this question has no answer that could be remembered")
    if row.learned_id:
        raise ConflictError("this answer is remembered already")
    return row


def _propose_answer(act: Act, row: QuestionRow, body: str) -> str | None:
    """Propose what an owner has answered as knowledge; None where its mail may not teach."""
    proposed = Proposed(
        title=row.question[:_TITLE],
        body=body,
        language=row.language,
        origin=LearnedOrigin.ANSWER,
    )
    return propose(
        act.cursor,
        proposed,
        source=f"answer of {row.answered_by} to a question by mail",
        case_id=row.case_id,
        user=act.actor,
        now=act.now,
        question_id=row.id,
    )


def _note(act: Act, action: str, subject: str, detail: str) -> None:
    act.note(action, subject, detail[:500])
