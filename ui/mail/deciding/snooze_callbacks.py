"""The callbacks that put a case off, and bring it back."""

from datetime import date

import streamlit as st

from data.records.mail.snoozing import Snooze, SnoozeChoice, Unsnooze
from data.records.mail.views import CaseView
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, say
from ui.core.undoing import Undo, offer, usual_end, withdraw
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions
from ui.mail.deciding.undoing import select

CHOICES: dict[SnoozeChoice, str] = {
    "tomorrow": "Tomorrow morning",
    "monday": "Monday morning",
    "answer": "Until they answer",
}


class SnoozeUndo(Undo):
    """A case that was put off."""

    case_id: str
    version: int
    """The case's version since."""

    def tell(self) -> tuple[str, str]:
        """Return that it was put off."""
        return f"Put “{self.short_subject}” off.", ""

    def take_back(self) -> None:
        """Bring it back."""
        unsnooze(self.case_id, self.version)


def snooze(case: CaseView, until: SnoozeChoice | date) -> None:
    """Put a case off, and go on with the next one."""
    if not decisions.is_meant(case):
        return
    answer = attempt(
        lambda: mail_desk().cases.snooze(case.id, Snooze(version=case.version, until=until))
    )
    if answer is not None:
        decisions.leave_decided(case)
        offer(
            SnoozeUndo(
                case_id=case.id,
                subject=case.item.subject,
                version=answer.version,
                until=usual_end(),
            )
        )
    redraw(*ALL)


def snooze_until_day(case: CaseView) -> None:
    """Put a case off until the day that was chosen."""
    day = st.session_state.get(f"snooze-day-{case.id}")
    if isinstance(day, date):
        snooze(case, day)


def unsnooze(case_id: str, version: int) -> None:
    """Bring a case back that was put off."""
    withdraw()
    if attempt(lambda: mail_desk().cases.unsnooze(case_id, Unsnooze(version=version))):
        say("done", "It waits again.")
        select(case_id)
    redraw(*ALL)
