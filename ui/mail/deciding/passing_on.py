"""The decision to pass a case on to a colleague, and taking it back."""

import streamlit as st

from data.records.mail.passing_on import ForwardDraft, PassOn
from data.records.mail.planning import ActionType
from data.records.mail.views import CaseView
from data.states import DeliveryState
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, say
from ui.core.undoing import Undo, offer, withdraw
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.decisions import is_meant, panel
from ui.mail.deciding.undoing import select, tell_leaving


class PassingUndo(Undo):
    """What was passed on to a colleague and has not left."""

    delivery_id: str
    case_id: str

    def tell(self) -> tuple[str, str]:
        """Return that it was passed on, and when it leaves."""
        return f"Passed “{self.short_subject}” on.", tell_leaving()

    def take_back(self) -> None:
        """Take it back before it leaves."""
        withdraw()
        if attempt(lambda: mail_desk().outbox.cancel(self.delivery_id)):
            say("done", "Taken back; it goes to nobody.")
            select(self.case_id)
        redraw(*ALL)


def read_planned(case: CaseView) -> str:
    """Return to whom the plan proposes to pass the case on; empty when to nobody by name."""
    recipients_planned = (
        action.argument
        for branch in case.branches
        for action in (branch.plan.actions if branch.plan else ())
        if action.type is ActionType.FORWARD and action.argument
    )
    return next(recipients_planned, "")


def read_typed(case: CaseView) -> ForwardDraft:
    """Return the chosen colleague and the note as they stand on the page."""
    to = st.session_state.get(f"forward-to-{case.id}", read_planned(case))
    note = str(st.session_state.get(f"forward-note-{case.id}", ""))
    return ForwardDraft(to=str(to or ""), note=note)


def pass_on(case: CaseView, forward_draft: ForwardDraft, approval_hash: str) -> None:
    """Pass the case on, but only the very text that was shown; the case stays open."""
    if not is_meant(case):
        return
    if read_typed(case) != forward_draft:
        say("warning", "It has changed since it was shown. Look at it again, then pass it on.")
        return
    order = PassOn(
        to=forward_draft.to,
        note=forward_draft.note,
        version=case.version,
        approval_hash=approval_hash,
    )
    answer = attempt(lambda: mail_desk().cases.forward(case.id, order))
    if answer is not None and answer.passed_on:
        panel("")
        say("done", f"Passed on to {forward_draft.to}. The case stays here for its answer.")
        passed = answer.passed_on[-1]
        delivery = attempt(lambda: mail_desk().outbox.read(passed.id))
        if delivery is not None and delivery.state is DeliveryState.QUEUED:
            offer(
                PassingUndo(
                    delivery_id=passed.id,
                    case_id=case.id,
                    subject=delivery.subject,
                    until=delivery.due_at,
                )
            )
    redraw(*ALL)
