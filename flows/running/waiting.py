"""What comes due by the clock: reminders, cases that wake, scheduled replies, news for others."""

import time
from collections.abc import Callable
from datetime import datetime

from data.records.core.principals import system
from data.records.mail.questions import QuestionState
from data.records.mail.snoozing import SnoozeEnd
from data.states import BranchState
from data.store.core import approvals
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.notifications import notify
from data.store.mail import follow_ups, questions, snoozes
from data.store.mail.moves import move
from flows.agents.ending import settle_expired
from flows.core.house import House
from flows.core.rounds import go_round
from flows.core.workspace import Workspace
from flows.mail.knowing.filter_lessons import teach_filters
from flows.mail.leaving.following_up import follow_up_due
from flows.mail.leaving.promising import remind
from flows.mail.leaving.scheduling import clear_scheduled
from flows.mail.leaving.ticket_news import tell_due
from flows.mail.line.waking import wake
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
        due = await workspace.db.read(_is_anything_due, house.clock())
        if due:
            await workspace.db.write(_wake, workspace, house.clock())
        due = bool(await remind(house, workspace)) or due
        due = await clear_scheduled(house, workspace) or due
        news_count = 0 if house.stopped else await tell_due(house, workspace)
        taught = await teach_filters(house, workspace)
        planted = await plant_due_fault(house, workspace)
        targeted = await set_targets(workspace)
        warned = await warn_of_targets(workspace, house.clock())
        return due or bool(news_count or taught or planted or targeted or warned)

    return await go_round(house, work)


def _is_anything_due(cursor: Connection, now: datetime) -> bool:
    """Return whether `_wake` has something to do."""
    return bool(
        questions.due_waits(cursor, now)
        or questions.to_remind(cursor, now)
        or approvals.any_to_expire(cursor, now)
        or snoozes.list_due(cursor, now)
        or follow_ups.list_due(cursor, now)
    )


def _wake(cursor: Connection, workspace: Workspace, now: datetime) -> None:
    """End what has waited long enough, and remind owners of questions, in one transaction."""
    settle_expired(cursor, approvals.expire(cursor, now), now)
    follow_up_due(cursor, workspace, ACTOR, now)
    wake(cursor, snoozes.list_due(cursor, now), SnoozeEnd.TIME, ACTOR, now)
    for row in questions.due_waits(cursor, now):
        for asked in questions.open_of_cases(cursor, [row.case_id]):
            questions.change(cursor, [asked.id], state=str(QuestionState.EXPIRED))
            note_events(cursor, "question", [asked.id], QuestionState.EXPIRED, actor=ACTOR, now=now)
            move(cursor, [asked.branch_id], BranchState.DONE, actor=ACTOR, now=now)
            sentence = f"{asked.owner} has not answered: {asked.question}"
            notify(cursor, "question_expired", {asked.case_id: sentence}, now)
        resume(cursor, row.case_id, system(ACTOR), now)
    for asked in questions.to_remind(cursor, now):
        questions.change(cursor, [asked.id], reminded=True)
        sentence = f"{asked.owner}, still open: {asked.question}"
        owners = {asked.case_id: asked.owner}
        notify(cursor, "question", {asked.case_id: sentence}, now, owners)
