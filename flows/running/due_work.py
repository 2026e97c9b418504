"""Work due by the clock: reminders, cases that wake, scheduled replies, news for others."""

import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from data.records.core.principals import system
from data.records.mail.questions import QuestionState
from data.records.mail.snoozing import SnoozeEnd
from data.states import BranchState
from data.store.core import approvals
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.notifications import notify
from data.store.mail import follow_ups, questions, snoozes
from data.store.mail.follow_ups import FollowUpRow
from data.store.mail.moves import move
from data.store.mail.questions import QuestionRow
from flows.agents.ending import mark_expired_seen
from flows.core.house import House
from flows.core.rounds import do_for_organizations, do_named_works
from flows.core.workspace import Workspace
from flows.mail.knowing.filter_lessons import teach_filters
from flows.mail.leaving.following_up import follow_up
from flows.mail.leaving.promising import remind
from flows.mail.leaving.scheduling import clear_scheduled
from flows.mail.leaving.ticket_news import tell_due
from flows.mail.line.waking import wake_cases
from flows.mail.people.answering import resume
from flows.mail.people.targeting import set_targets
from flows.mail.people.vigilance import plant_due_fault
from flows.mail.people.warning import warn_of_targets

ACTOR = "clock"
EVERY = 5.0
"""Seconds between two looks."""


class WaitingLoop:
    """A loop's round that looks every few seconds."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._next = 0.0

    async def round(self, house: House) -> bool:
        """Look, if it is time; say whether there was anything."""
        if self._seconds() < self._next:
            return False
        self._next = self._seconds() + EVERY
        return await wake_due(house)


async def wake_due(house: House) -> bool:
    """Do what is due for every organization; while stopped, nobody outside is told."""

    async def work(workspace: Workspace) -> bool:
        now = house.clock()
        due = await workspace.db.read(_list_due, workspace, now)
        works: list[tuple[str, Callable[[], Awaitable[object]]]] = [
            (name, partial(_do, workspace, what, now)) for name, what in due
        ]
        works += [
            ("promises", partial(remind, house, workspace)),
            ("scheduled replies", partial(clear_scheduled, house, workspace)),
            ("spam filters", partial(teach_filters, house, workspace)),
            ("vigilance", partial(plant_due_fault, house, workspace)),
            ("targets", partial(set_targets, workspace)),
            ("warnings", partial(warn_of_targets, workspace, now)),
            ("tracker", partial(tell_due, house, workspace)),
        ]
        return await do_named_works(works)

    return await do_for_organizations(house, work)


Due = Callable[[Connection, datetime], object]
"""Something that is due by the clock, for a transaction of its own."""


async def _do(workspace: Workspace, due: Due, now: datetime) -> bool:
    await workspace.db.write(due, now)
    return True


def _list_due(cursor: Connection, workspace: Workspace, now: datetime) -> list[tuple[str, Due]]:
    """Return what has waited long enough, each with a name for the log."""
    due: list[tuple[str, Due]] = []
    if approvals.is_any_to_expire(cursor, now):
        due.append(("approvals", _expire))
    due += [
        (f"follow-up of case {row.case_id}", partial(_follow_up, workspace, row))
        for row in follow_ups.list_due(cursor, now)
    ]
    due += [
        (f"case {case_id}", partial(_wake, case_id)) for case_id in snoozes.list_due(cursor, now)
    ]
    due += [
        (f"case {row.case_id}", partial(_end_wait, row.case_id))
        for row in questions.list_due_waits(cursor, now)
    ]
    due += [
        (f"question {row.id}", partial(_remind, row))
        for row in questions.list_to_remind(cursor, now)
    ]
    return due


def _expire(cursor: Connection, now: datetime) -> None:
    mark_expired_seen(cursor, approvals.expire(cursor, now), now)


def _follow_up(workspace: Workspace, row: FollowUpRow, cursor: Connection, now: datetime) -> None:
    follow_up(cursor, workspace, row, ACTOR, now)


def _wake(case_id: str, cursor: Connection, now: datetime) -> None:
    wake_cases(cursor, [case_id], SnoozeEnd.TIME, ACTOR, now)


def _end_wait(case_id: str, cursor: Connection, now: datetime) -> None:
    """End what a case waits for that nobody has answered, and work on it again."""
    for asked in questions.list_open_of_cases(cursor, [case_id]):
        questions.change(cursor, [asked.id], state=str(QuestionState.EXPIRED))
        note_events(cursor, "question", [asked.id], QuestionState.EXPIRED, actor=ACTOR, now=now)
        move(cursor, [asked.branch_id], BranchState.DONE, actor=ACTOR, now=now)
        sentence = f"{asked.owner} has not answered: {asked.question}"
        notify(cursor, "question_expired", {asked.case_id: sentence}, now)
    resume(cursor, case_id, system(ACTOR), now)


def _remind(asked: QuestionRow, cursor: Connection, now: datetime) -> None:
    """Remind the owner of a question."""
    questions.change(cursor, [asked.id], reminded=True)
    sentence = f"{asked.owner}, still open: {asked.question}"
    owners = {asked.case_id: asked.owner}
    notify(cursor, "question", {asked.case_id: sentence}, now, owners)
