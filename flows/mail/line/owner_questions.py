"""Questions to owners: asked with the plan, carried over, reminded of, and withdrawn."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from data.ids import branch_id, new_id
from data.records.mail.planning import Action, ActionType, Plan
from data.records.mail.questions import QuestionState
from data.settings import Settings
from data.states import BranchState, CaseState
from data.store.core import notifications
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.notifications import notify
from data.store.core.statements import Fields
from data.store.mail import cases, questions
from data.store.mail.cases import CaseRow
from data.store.mail.moves import move
from data.store.mail.questions import QuestionRow

ACTOR = "plan"
_LIVING = (CaseState.RUNNING, CaseState.IN_REVIEW, CaseState.ESCALATED, CaseState.APPROVED)

Rows = Mapping[str, CaseRow]


def ask_owners(
    cursor: Connection,
    settings: Settings,
    rows: Rows,
    plans: Mapping[str, Sequence[Plan]],
    now: datetime,
) -> None:
    """Ask what the plans ask; what an older case of a conversation asked is carried over."""
    threads = sorted({row.thread_id for row in rows.values()})
    open_questions = [
        question_row
        for question_row in questions.list_of_threads(cursor, threads)
        if question_row.state == "open"
    ]
    asking = cases.read_cases(
        cursor, list({question_row.case_id for question_row in open_questions})
    )
    living = {case for case, case_row in asking.items() if case_row.state in _LIVING}
    sentence_by_case: dict[str, str] = {}
    owner_by_case: dict[str, str] = {}
    stale: list[QuestionRow] = []
    carried: dict[str, tuple[str, str]] = {}
    fresh: list[Fields] = []
    until: dict[str, datetime] = {}
    question_by_branch: dict[str, str] = {}
    for case, case_plans in plans.items():
        row = rows[case]
        place, plan = next(
            ((n, case_plan) for n, case_plan in enumerate(case_plans) if case_plan.asks), (0, None)
        )
        case_questions = [
            question_row
            for question_row in open_questions
            if _is_of_case(question_row, row, living)
        ]
        same = next(
            (
                question_row
                for question_row in case_questions
                if plan and question_row.question == plan.asks
            ),
            None,
        )
        stale += [question_row for question_row in case_questions if question_row is not same]
        if plan is None:
            continue
        branch = branch_id(case, place)
        question_by_branch[branch] = plan.asks
        if same is not None:
            carried[same.id] = (case, branch)
            until[case] = same.due_at
        else:
            until[case] = datetime.fromisoformat(_find_action(plan, ActionType.WAIT).argument)
            fresh.append(_build_question(settings, row, branch, plan, until[case], now))
            owner_by_case[case] = _find_action(plan, ActionType.ASK_OWNER).related
            sentence_by_case[case] = f"{owner_by_case[case]}: {plan.asks}"
    withdraw_questions(cursor, stale, ACTOR, now)
    questions.hand_on(cursor, carried)
    questions.add(cursor, fresh)
    ids = [str(fields["id"]) for fields in fresh]
    note_events(cursor, "question", ids, QuestionState.OPEN, actor=ACTOR, now=now)
    questions.begin_waits(cursor, until, "question")
    cases.change_branches(
        cursor,
        [{"id": case_plan, "question": text} for case_plan, text in question_by_branch.items()],
    )
    move(cursor, list(question_by_branch), BranchState.WAITING_FOR_INPUT, actor=ACTOR, now=now)
    notify(cursor, "question", sentence_by_case, now, owner_by_case)


def withdraw_questions(
    cursor: Connection, asked: Sequence[QuestionRow], actor: str, now: datetime
) -> None:
    """Take questions back that nobody needs answered any more."""
    ids = list(dict.fromkeys(question_row.id for question_row in asked))
    questions.change(cursor, ids, state=str(QuestionState.WITHDRAWN))
    note_events(cursor, "question", ids, QuestionState.WITHDRAWN, actor=actor, now=now)
    notifications.settle(cursor, "question", [question_row.case_id for question_row in asked], now)


def withdraw_case_questions(cursor: Connection, case_id: str, actor: str, now: datetime) -> None:
    """Take the open questions of a case back, and let it sleep no more: it was decided."""
    open_questions = questions.list_open_of_cases(cursor, [case_id])
    withdraw_questions(cursor, open_questions, actor, now)
    move(
        cursor,
        [question_row.branch_id for question_row in open_questions],
        BranchState.DONE,
        actor=actor,
        now=now,
    )
    questions.end_waits(cursor, [case_id], now)


def _is_of_case(question: QuestionRow, row: CaseRow, living: Collection[str]) -> bool:
    """Return whether a question is a case's: its own, or that of one which it took over.

    What another case waits for that lives beside it, with another part of the same message or from
    somebody without an address in a merged conversation, is that one's alone.
    """
    if question.case_id == row.id:
        return True
    is_of_contact = (question.thread_id, question.contact_email) == (
        row.thread_id,
        row.contact_email,
    )
    return is_of_contact and question.case_id not in living


def _find_action(plan: Plan, kind: ActionType) -> Action:
    return next(action for action in plan.actions if action.type is kind)


def _build_question(
    settings: Settings, row: CaseRow, branch: str, plan: Plan, due_at: datetime, now: datetime
) -> Fields:
    """Return a new question; until `due_at` the case waits for the answer."""
    return {
        "id": new_id(now),
        "state": QuestionState.OPEN,
        "case_id": row.id,
        "branch_id": branch,
        "thread_id": row.thread_id,
        "contact_email": row.contact_email,
        "owner": _find_action(plan, ActionType.ASK_OWNER).related,
        "question": plan.asks,
        "language": row.language,
        "asked_at": now,
        "remind_at": now + timedelta(hours=settings.owner_reminder_hours),
        "due_at": due_at,
    }
