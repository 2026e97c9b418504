"""Undos of decisions on mail, and the callbacks that take them back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import streamlit as st

from data.counting import plural
from data.records.mail.orders import Reassign
from data.records.mail.outgoing_views import DeliveryView
from data.records.mail.views import CaseView
from data.states import DeliveryState
from ui.core import people
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, say, zone
from ui.core.text.clock import minute
from ui.core.undoing import Undo, offer, usual_end, withdraw
from ui.mail.api.desk import mail_desk

UndoableDecision = Literal["several_approved", "several_closed", "several_given"]


class ApprovalUndo(Undo):
    """A reply that was approved and has not left."""

    delivery_id: str
    case_id: str
    leaves_at: datetime | None
    """The moment that was chosen for it to leave."""

    def tell(self) -> tuple[str, str]:
        """Return that it was approved, and when it leaves."""
        text = f"Approved “{self.short_subject}”."
        if self.leaves_at:
            return text, f"It leaves {minute(self.leaves_at, zone())}."
        return text, tell_leaving()

    def take_back(self) -> None:
        """Cancel the reply."""
        take_back(self.delivery_id, self.case_id)


class ClosingUndo(Undo):
    """A case that was closed without a reply."""

    case_id: str

    def tell(self) -> tuple[str, str]:
        """Return that it was closed."""
        return f"Closed “{self.short_subject}”.", ""

    def take_back(self) -> None:
        """Open it again."""
        reopen(self.case_id)


class GivingUndo(Undo):
    """A case that was given to somebody, or put back."""

    case_id: str
    version: int
    """The case's version since."""
    assignee: str
    """Who had it before; empty when nobody had."""
    to: str
    """Who was given it; empty when it was put back."""

    def tell(self) -> tuple[str, str]:
        """Return who has it now."""
        if not self.to:
            return f"“{self.short_subject}” is nobody's again.", ""
        return f"Gave “{self.short_subject}” to {people.name_of(self.to)}.", ""

    def take_back(self) -> None:
        """Give it back to whom it was with before, or to nobody."""
        withdraw()
        decision = Reassign(version=self.version, assignee=self.assignee)
        if attempt(lambda: mail_desk().cases.reassign(self.case_id, decision)):
            before = f"Given back to {self.assignee}." if self.assignee else "It is nobody's again."
            say("done", before)
            select(self.case_id)
        redraw(*ALL)


class ForwardUndo(Undo):
    """A message that is forwarded to an endpoint no more."""

    forward_id: str

    def tell(self) -> tuple[str, str]:
        """Return that it was given up."""
        return f"“{self.short_subject}” is forwarded no more.", ""

    def take_back(self) -> None:
        """Have it as it was."""
        forward_after_all(self.forward_id)


class SeveralUndo(Undo):
    """Cases that were decided on together; the subject is how many they were."""

    what: UndoableDecision
    cases: tuple[tuple[str, str], ...]
    """The cases, each with whom it was with before."""
    to: str
    """Who was given them."""

    def tell(self) -> tuple[str, str]:
        """Return what was decided on how many."""
        if self.what == "several_approved":
            return f"Approved {self.subject}.", tell_leaving()
        if self.what == "several_closed":
            return f"Closed {self.subject}.", ""
        return f"Gave {self.subject} to {people.name_of(self.to)}.", ""

    def take_back(self) -> None:
        """Take it back for each that still stands so."""
        withdraw()
        undone = [id for id, before in self.cases if self._take_back_one(id, before)]
        if undone:
            say("done", f"Taken back: {plural(len(undone), 'case')} as before.")
        redraw(*ALL)

    def _take_back_one(self, id: str, before: str) -> bool:
        if self.what == "several_closed":
            return attempt(lambda: mail_desk().cases.reopen(id)) is not None
        case = attempt(lambda: mail_desk().cases.read(id))
        if case is None:
            return False
        if self.what == "several_approved":
            delivery_id = case.delivery_id
            return bool(delivery_id and attempt(lambda: mail_desk().outbox.cancel(delivery_id)))
        decision = Reassign(version=case.version, assignee=before)
        is_theirs = case.item.assignee == self.to
        return is_theirs and attempt(lambda: mail_desk().cases.reassign(id, decision)) is not None


def tell_leaving() -> str:
    """Return what is said of the time until a letter leaves."""
    if st.session_state.get("stopped"):
        return "Sending is stopped: it waits."
    return "Leaves in {} s."


def select(case_id: str) -> None:
    """Open a case in the right half."""
    st.session_state["case"] = case_id
    st.session_state["panel"] = ""


def reopen(case_id: str) -> None:
    """Open a case again that was rejected or closed without a reply."""
    withdraw()
    if attempt(lambda: mail_desk().cases.reopen(case_id)):
        say("done", "Open again, with its draft as it was.")
        select(case_id)
    redraw(*ALL)


def take_back(delivery_id: str, case_id: str) -> None:
    """Cancel a delivery within its undo window and open its case again."""
    withdraw()
    if attempt(lambda: mail_desk().outbox.cancel(delivery_id)):
        say("done", "Taken back. The case is in review again.")
        select(case_id)
    redraw(*ALL)


def give_up(id: str, subject: str) -> None:
    """Forward a message no more; the bar offers to take that back, and its page does for ever."""
    if attempt(lambda: mail_desk().forwards.resolve(id, "cancel")):
        offer(ForwardUndo(forward_id=id, subject=subject, until=usual_end()))


def forward_after_all(id: str) -> None:
    """Take the giving up of a forward back: it is as it was."""
    withdraw()
    if attempt(lambda: mail_desk().forwards.resolve(id, "undo")):
        say("done", "Taken back: it is as it was before it was given up.")
        st.session_state["forward"] = id
    redraw(*ALL)


def offer_to_cancel(delivery_id: str, case: CaseView) -> bool:
    """Offer to take an approval back until its reply leaves; return whether it can be."""
    delivery = attempt(lambda: mail_desk().outbox.read(delivery_id))
    offered = delivery is not None and delivery.state is DeliveryState.QUEUED
    if delivery is not None and offered:
        offer(
            ApprovalUndo(
                delivery_id=delivery_id,
                case_id=case.id,
                subject=delivery.subject,
                leaves_at=delivery.leaves_at,
                until=_offered_until(delivery),
            )
        )
    return offered


def _offered_until(delivery: DeliveryView) -> datetime:
    """Return when the offer ends; what leaves days later is taken back on its page."""
    return min(delivery.due_at, usual_end()) if delivery.leaves_at else delivery.due_at


def offer_to_take_all_back(
    what: UndoableDecision,
    cases: Sequence[CaseView],
    to: str,
) -> None:
    """Offer to take back what was decided on these cases together, `to` being who was given them.

    Of approvals it is offered until the first of their replies leaves.
    """
    until = usual_end()
    if what == "several_approved":
        after = attempt(lambda: mail_desk().cases.read(cases[0].id))
        delivery_id = after.delivery_id if after else None
        delivery = attempt(lambda: mail_desk().outbox.read(delivery_id)) if delivery_id else None
        if delivery is None or delivery.state is not DeliveryState.QUEUED:
            return
        until = _offered_until(delivery)
    offer(
        SeveralUndo(
            what=what,
            cases=tuple((case.id, case.item.assignee or "") for case in cases),
            subject=plural(len(cases), "case"),
            to=to,
            until=until,
        )
    )


def offer_to_give_back(case: CaseView, version: int, to: str) -> None:
    """Offer to undo that a case was given to somebody, or put back; `version` is its new one."""
    offer(
        GivingUndo(
            case_id=case.id,
            subject=case.item.subject,
            version=version,
            assignee=case.item.assignee or "",
            to=to,
            until=usual_end(),
        )
    )


def offer_to_reopen(case: CaseView) -> None:
    """Offer to open a closed case again."""
    offer(ClosingUndo(case_id=case.id, subject=case.item.subject, until=usual_end()))
