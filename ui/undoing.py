"""What can be taken back for a while after a decision, and the callbacks that take it back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

import streamlit as st

from data.counting import plural
from data.records.agents.agents import RestoredVersion
from data.records.agents.calendar import EditEvent
from data.records.core.record import Record
from data.records.mail.orders import Reassign
from data.records.mail.outgoing_views import DeliveryView
from data.records.mail.views import CaseView
from data.states import DeliveryState
from ui.agents_desk import agents_desk
from ui.clock import now
from ui.mail_desk import mail_desk
from ui.parts_of_page import ALL, redraw
from ui.session import attempt, say

REOPEN_SECONDS = 30
"""How long the bar offers to open a closed case again, which its page offers for ever, and to
give one back."""


class Undo(Record):
    """What was just decided and can still be taken back."""

    what: Literal[
        "approved",
        "closed",
        "given",
        "given_up",
        "snoozed",
        "passed",
        "task_ended",
        "event_removed",
        "agent_changed",
        "several_approved",
        "several_closed",
        "several_given",
    ]
    delivery_id: str = ""
    """The reply in the outbox, of an approval."""
    forward_id: str = ""
    """What was given up, of a forward."""
    version: int = 0
    """The case's version after it was given away or put off; the agent's before it was changed."""
    assignee: str = ""
    """Who had it before; empty when nobody had."""
    to: str = ""
    """Who was given it."""
    case_id: str = ""
    cases: tuple[tuple[str, str], ...] = ()
    """The cases that were decided on together, each with whom it was with before."""
    task_id: str = ""
    agent: str = ""
    """Slug of the agent that got another configuration; `version` is the one before."""
    agent_version: int = 0
    """The version that the agent got."""
    event: EditEvent | None = None
    """What was taken out of the calendar."""
    leaves_at: datetime | None = None
    """The moment that was chosen for an approved reply to leave."""
    subject: str
    until: datetime
    """The end of the undo window, or of the offer."""


def select(case_id: str) -> None:
    """Open a case in the right half."""
    st.session_state["case"] = case_id
    st.session_state["panel"] = ""


def give_back(offer: Undo) -> None:
    """Give a case back to whom it was with before it was given away, or to nobody."""
    st.session_state.pop("undo", None)
    decision = Reassign(version=offer.version, assignee=offer.assignee)
    if attempt(lambda: mail_desk().cases.reassign(offer.case_id, decision)):
        before = f"Given back to {offer.assignee}." if offer.assignee else "It is nobody's again."
        say("done", before)
        select(offer.case_id)
    redraw(*ALL)


def reopen(case_id: str) -> None:
    """Open a case again that was rejected or closed without a reply."""
    st.session_state.pop("undo", None)
    if attempt(lambda: mail_desk().cases.reopen(case_id)):
        say("done", "Open again, with its draft as it was.")
        select(case_id)
    redraw(*ALL)


def take_back(delivery_id: str, case_id: str) -> None:
    """Cancel a delivery within its undo window and open its case again."""
    st.session_state.pop("undo", None)
    if attempt(lambda: mail_desk().outbox.cancel(delivery_id)):
        say("done", "Taken back. The case is in review again.")
        select(case_id)
    redraw(*ALL)


def give_up(id: str, subject: str) -> None:
    """Forward a message no more; the bar offers to take that back, and its page does for ever."""
    if attempt(lambda: mail_desk().forwards.resolve(id, "cancel")):
        until = now() + timedelta(seconds=REOPEN_SECONDS)
        st.session_state["undo"] = Undo(
            what="given_up", forward_id=id, subject=subject, until=until
        )


def forward_after_all(id: str) -> None:
    """Take the giving up of a forward back: it is as it was."""
    st.session_state.pop("undo", None)
    if attempt(lambda: mail_desk().forwards.resolve(id, "undo")):
        say("done", "Taken back: it is as it was before it was given up.")
        st.session_state["forward"] = id
    redraw(*ALL)


def do_after_all(task_id: str) -> None:
    """Put a task that was ticked off or dropped back on the list."""
    st.session_state.pop("undo", None)
    if attempt(lambda: agents_desk().tasks.move(task_id, "open")):
        say("done", "It is to be done again.")
    redraw(*ALL)


def put_back(event: EditEvent) -> None:
    """Put an event that was taken out into the calendar again."""
    st.session_state.pop("undo", None)
    if attempt(lambda: agents_desk().calendar.add(event)):
        say("done", "It is in the calendar again.")
    redraw(*ALL)


def restore_agent(offer: Undo) -> None:
    """Give an agent the configuration again that it had before it was changed."""
    st.session_state.pop("undo", None)
    restored_version = RestoredVersion(
        version=offer.version, reason="the change was taken back", expected=offer.agent_version
    )
    if attempt(lambda: agents_desk().agents.restore(offer.agent, restored_version)):
        say("done", f"It is as version {offer.version} was.")
    redraw(*ALL)


def offer_to_cancel(delivery_id: str, case: CaseView) -> bool:
    """Offer to take an approval back until its reply leaves; return whether it can be."""
    delivery = attempt(lambda: mail_desk().outbox.read(delivery_id))
    offered = delivery is not None and delivery.state is DeliveryState.QUEUED
    if delivery is not None and offered:
        st.session_state["undo"] = Undo(
            what="approved",
            delivery_id=delivery_id,
            case_id=case.id,
            subject=delivery.subject,
            leaves_at=delivery.leaves_at,
            until=_offered_until(delivery),
        )
    return offered


def _offered_until(delivery: DeliveryView) -> datetime:
    """Return when the offer ends; what leaves days later is taken back on its page."""
    longest = now() + timedelta(seconds=REOPEN_SECONDS)
    return min(delivery.due_at, longest) if delivery.leaves_at else delivery.due_at


def offer_to_take_all_back(
    what: Literal["several_approved", "several_closed", "several_given"],
    cases: Sequence[CaseView],
    to: str,
) -> None:
    """Offer to take back what was decided on these cases together, `to` being who was given them.

    Of approvals it is offered until the first of their replies leaves.
    """
    until = now() + timedelta(seconds=REOPEN_SECONDS)
    if what == "several_approved":
        after = attempt(lambda: mail_desk().cases.read(cases[0].id))
        delivery_id = after.delivery_id if after else None
        delivery = attempt(lambda: mail_desk().outbox.read(delivery_id)) if delivery_id else None
        if delivery is None or delivery.state is not DeliveryState.QUEUED:
            return
        until = _offered_until(delivery)
    st.session_state["undo"] = Undo(
        what=what,
        cases=tuple((case.id, case.item.assignee or "") for case in cases),
        subject=plural(len(cases), "case"),
        to=to,
        until=until,
    )


def take_all_back(offer: Undo) -> None:
    """Undo what was decided on several cases together, for each that still stands so."""
    st.session_state.pop("undo", None)
    undone = [id for id, before in offer.cases if _take_back_one(offer, id, before)]
    if undone:
        say("done", f"Taken back: {plural(len(undone), 'case')} as before.")
    redraw(*ALL)


def _take_back_one(offer: Undo, id: str, before: str) -> bool:
    if offer.what == "several_closed":
        return attempt(lambda: mail_desk().cases.reopen(id)) is not None
    case = attempt(lambda: mail_desk().cases.read(id))
    if case is None:
        return False
    if offer.what == "several_approved":
        delivery_id = case.delivery_id
        return bool(delivery_id and attempt(lambda: mail_desk().outbox.cancel(delivery_id)))
    decision = Reassign(version=case.version, assignee=before)
    is_theirs = case.item.assignee == offer.to
    return is_theirs and attempt(lambda: mail_desk().cases.reassign(id, decision)) is not None


def offer_to_give_back(case: CaseView, version: int, to: str) -> None:
    """Offer to undo that a case was given to somebody, or put back; `version` is its new one."""
    st.session_state["undo"] = Undo(
        what="given",
        case_id=case.id,
        subject=case.item.subject,
        version=version,
        assignee=case.item.assignee or "",
        to=to,
        until=now() + timedelta(seconds=REOPEN_SECONDS),
    )


def offer_to_reopen(case: CaseView) -> None:
    """Offer to open a closed case again."""
    until = now() + timedelta(seconds=REOPEN_SECONDS)
    st.session_state["undo"] = Undo(
        what="closed", case_id=case.id, subject=case.item.subject, until=until
    )
