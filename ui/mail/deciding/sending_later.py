"""The callbacks that approve a reply to leave at a chosen moment."""

from datetime import date, datetime, time

import streamlit as st

from data.records.core.moments import Moment, MorningChoice
from data.records.mail.views import CaseView
from ui.core.session import say, zone
from ui.core.text.clock import now, zone_of
from ui.mail.deciding import decisions
from ui.mail.deciding.decisions import Checkpoint

CHOICES: dict[MorningChoice, str] = {
    "tomorrow": "Tomorrow morning",
    "monday": "Monday morning",
}


def approve_for(case: CaseView, checkpoint: Checkpoint | None, moment: Moment) -> None:
    """Approve the reply as it stands, edited or not, to leave then; go on with the next case."""
    if checkpoint is None:
        decisions.approve(case, moment)
    else:
        decisions.approve_edited(case, checkpoint, moment)


def approve_for_chosen(case: CaseView, checkpoint: Checkpoint | None) -> None:
    """Approve it to leave on the day and at the time that were chosen, in the zone of the page."""
    day, at = (st.session_state.get(f"leave-{name}-{case.id}") for name in ("day", "time"))
    if not isinstance(day, date) or not isinstance(at, time):
        return
    moment = datetime.combine(day, at, zone_of(zone()))
    if moment <= now():
        say("warning", "That moment is over. Choose a later one; nothing was approved.")
        return
    approve_for(case, checkpoint, moment)
