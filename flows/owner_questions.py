"""Questions to owners: asked with the plan, carried over, reminded of, and withdrawn."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from data.ids import new_id
from data.records.planning import Action, ActionType, Plan
from data.records.questions import QuestionState
from data.settings import Settings
from data.states import BranchState
from data.store import questions
from data.store.database import Connection, update
from data.store.moves import move, note_events
from flows.stages.message_stage import notify

ACTOR = "plan"

Rows = Mapping[str, Mapping[str, Any]]


def ask_owners(
    cursor: Connection,
    settings: Settings,
    found: Rows,
    plans: Mapping[str, Sequence[Plan]],
    now: datetime,
) -> None:
    """Ask what the plans ask; what an older case of a conversation asked is carried over."""
    threads = sorted({row["thread_id"] for row in found.values()})
    known = [one for one in questions.of_threads(cursor, threads) if one["state"] == "open"]
    told: dict[str, str] = {}
    for case, made in plans.items():
        row = found[case]
        place, plan = next(((n, one) for n, one in enumerate(made) if one.asks), (0, None))
        mine = [one for one in known if _belongs(one, row)]
        same = next((one for one in mine if plan and one["question"] == plan.asks), None)
        withdraw(cursor, [one for one in mine if one is not same], ACTOR, now)
        if plan is None:
            continue
        branch = f"{case}-{place}"
        if same is not None:
            questions.change(cursor, same["id"], case_id=case, branch_id=branch)
            due = same["due_at"]
        else:
            due = _ask(cursor, settings, row, branch, plan, now)
            told[case] = f"{_of(plan, ActionType.ASK_OWNER).related}: {plan.asks}"
        questions.begin_wait(cursor, case, due, "question")
        update(cursor, "branches", [{"id": branch, "question": plan.asks}])
        move(cursor, [branch], BranchState.WAITING_FOR_INPUT, actor=ACTOR, now=now)
    notify(cursor, "question", told, now)


def withdraw(
    cursor: Connection, asked: Sequence[Mapping[str, Any]], actor: str, now: datetime
) -> None:
    """Take questions back that nobody needs answered any more."""
    for one in asked:
        questions.change(cursor, one["id"], state=str(QuestionState.WITHDRAWN))
        note_events(cursor, "question", [one["id"]], QuestionState.WITHDRAWN, actor=actor, now=now)


def withdraw_of(cursor: Connection, case_id: str, actor: str, now: datetime) -> None:
    """Take the open questions of a case back, and let it sleep no more: it was decided."""
    asked = questions.open_of_cases(cursor, [case_id])
    withdraw(cursor, asked, actor, now)
    move(cursor, [one["branch_id"] for one in asked], BranchState.DONE, actor=actor, now=now)
    questions.end_waits(cursor, [case_id], now)


def _belongs(question: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    return (question["thread_id"], question["contact_email"]) == (
        row["thread_id"],
        row["contact_email"],
    )


def _of(plan: Plan, kind: ActionType) -> Action:
    return next(action for action in plan.actions if action.type is kind)


def _ask(
    cursor: Connection,
    settings: Settings,
    row: Mapping[str, Any],
    branch: str,
    plan: Plan,
    now: datetime,
) -> datetime:
    """Write a question down; return until when the case waits for the answer."""
    due = datetime.fromisoformat(_of(plan, ActionType.WAIT).argument)
    identity = new_id(now)
    questions.add(
        cursor,
        {
            "id": identity,
            "state": QuestionState.OPEN,
            "case_id": row["id"],
            "branch_id": branch,
            "thread_id": row["thread_id"],
            "contact_email": row["contact_email"],
            "owner": _of(plan, ActionType.ASK_OWNER).related,
            "question": plan.asks,
            "language": row["language"],
            "asked_at": now,
            "remind_at": now + timedelta(hours=settings.owner_reminder_hours),
            "due_at": due,
        },
    )
    note_events(cursor, "question", [identity], QuestionState.OPEN, actor=ACTOR, now=now)
    return due
