"""Decisions of a person in the review queue: one function per button.

Each one is a callback: it asks the engine, keeps a notice of what happened, and moves on to the
next case. A refusal changes nothing but the notice (`ui.core.session.attempt`).
"""

import hashlib
from collections.abc import Mapping

import streamlit as st

from data.records.core.moments import Moment
from data.records.core.record import Record
from data.records.core.understanding import Category, Priority
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import BEGUN, AlternativeKind, Checked, Severity
from data.records.mail.examples import Relabel
from data.records.mail.orders import Approve, ArchiveCase, Choose, Reassign, Reject
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core import list_navigation
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, say
from ui.core.text.words import REASONS
from ui.mail.api.desk import mail_desk
from ui.mail.api.letters import Preview
from ui.mail.deciding import double_press, unsent
from ui.mail.deciding.undoing import offer_to_cancel, offer_to_give_back, offer_to_reopen, select

OPEN = frozenset({CaseState.IN_REVIEW, CaseState.ESCALATED})
"""States of a case that a person may decide on."""
ELSEWHERE = "That press was for a case that had left the page, so nothing was decided on it."


class Checkpoint(Record):
    """The edited text that was checked and shown; only this can be approved."""

    case_id: str
    version: int
    subject: str
    body: str
    approval_hash: str
    confirmation: str = ""
    """The session's key of the tick without which it does not leave; empty where it needs none."""


CHANGED = "The text has changed since it was checked. Look at it again, then approve."
OBJECTED = (
    "Not sent yet: the check objects to what you wrote. Look at what is marked, then press "
    "Ctrl+Enter again."
)
UNTICKED = "Not sent: tick below that you have looked at what is marked red and stand by it."


def letter_key(case_id: str) -> str:
    """Return the key of the field in which the reply to a case is written."""
    return f"edit-body-{case_id}"


def follow_up_key(case_id: str) -> str:
    """Return the key of the choice when a case should come back."""
    return f"follow-up-{case_id}"


def follow_up_days(case: CaseView) -> int | None:
    """Return after how many working days without an answer it should; None for never."""
    days = st.session_state.get(follow_up_key(case.id))
    return int(days) if days else None


def open_case(case_id: str) -> None:
    """End a callback by opening a case in the right half."""
    select(case_id)
    redraw(*ALL)


def panel(name: str) -> None:
    """Open one of the panels `edit`, `reject`, `reassign`, `relabel`, `close`, or none."""
    st.session_state["panel"] = name


def approve(case: CaseView, leave: Moment | None = None) -> None:
    """Approve the reply as shown; not where other words were typed in the same moment."""
    if _read_field(case) != read_written(case):
        keep(case)
        say("warning", CHANGED)
        return
    decision = Approve(
        version=case.version,
        approval_hash=case.approval_hash,
        confirmed=_is_ticked(confirmation_of_draft(case)),
        looked_seconds=_looked(case),
        leave=leave,
        follow_up_days=follow_up_days(case),
    )
    _approve(case, decision)


def approve_edited(case: CaseView, checkpoint: Checkpoint, leave: Moment | None = None) -> None:
    """Approve the edited text, but only the very text that was checked and shown."""
    subject, body = _read_field(case)
    if (subject, body) != (checkpoint.subject, checkpoint.body):
        keep(case)
        say("warning", CHANGED)
        return
    _approve(
        case,
        Approve(
            version=case.version,
            approval_hash=checkpoint.approval_hash,
            subject=subject,
            body=body,
            confirmed=_is_ticked(checkpoint.confirmation),
            looked_seconds=_looked(case),
            leave=leave,
            follow_up_days=follow_up_days(case),
        ),
    )


def reject(case: CaseView, reason: RejectReason) -> None:
    """Refuse the draft for a reason, with the note and the wish for another draft as typed.

    The case stays and its editor opens, unless another draft is wanted or no reply should go.
    """
    if not is_meant(case):
        return
    redraft = bool(st.session_state.get(f"redraft-{case.id}", False))
    decision = Reject(
        version=case.version,
        reason=reason,
        note=str(st.session_state.get(f"note-{case.id}", "")),
        redraft=redraft,
        looked_seconds=_looked(case),
    )
    answer = attempt(lambda: mail_desk().cases.reject(case.id, decision))
    if answer is not None:
        because = REASONS[reason].lower()
        if answer.state in OPEN:
            panel("edit")
            say("done", f"Noted: {because}. Write what it should say; the case stays with you.")
        elif answer.state is CaseState.ARCHIVED:
            leave_decided(case)
            offer_to_reopen(case)
        else:
            leave_decided(case, f"Rejected ({because}); another draft is being written.")
    redraw(*ALL)


def choose(case: CaseView, kind: AlternativeKind) -> None:
    """Put one of the other drafts in the place of the newest one; the case stays open."""
    decision = Choose(version=case.version, kind=kind)
    if not is_meant(case):
        return
    if attempt(lambda: mail_desk().letters.choose(case.id, decision)):
        unsent.drop(case.id)
        say("done", "This is the draft now. The earlier one is kept.")
    redraw(*ALL)


def reassign(case: CaseView) -> None:
    """Give the case to the chosen person."""
    assignee = str(st.session_state.get(f"assignee-{case.id}", ""))
    note = str(st.session_state.get(f"given-note-{case.id}", ""))
    decision = Reassign(version=case.version, assignee=assignee, note=note)
    if not assignee or not is_meant(case):
        return
    answer = attempt(lambda: mail_desk().cases.reassign(case.id, decision))
    if answer is not None:
        leave_decided(case)
        offer_to_give_back(case, answer.version, assignee)
    redraw(*ALL)


def relabel(case: CaseView) -> None:
    """Say what the case is really about; it stays where it is."""
    category = str(st.session_state.get(f"category-{case.id}", ""))
    priority = str(st.session_state.get(f"priority-{case.id}", ""))
    if category not in set(Category) or priority not in set(Priority) or not is_meant(case):
        return
    decision = Relabel(
        version=case.version, category=Category(category), priority=Priority(priority)
    )
    if attempt(lambda: mail_desk().cases.relabel(case.id, decision)):
        panel("")
        say("done", "Corrected. The classifier learns from it overnight.")
    redraw(*ALL)


def close(case: CaseView) -> None:
    """Close the case without a reply."""
    if not is_meant(case):
        return
    note = str(st.session_state.get(f"note-{case.id}", ""))
    decision = ArchiveCase(version=case.version, note=note)
    if attempt(lambda: mail_desk().cases.archive(case.id, decision)):
        leave_decided(case)
        offer_to_reopen(case)
    redraw(*ALL)


def retry(case: CaseView) -> None:
    """Work on a failed case once more."""
    if not is_meant(case):
        return
    if attempt(lambda: mail_desk().cases.retry(case.id)):
        leave_decided(case, "It is being worked on again.")
    redraw(*ALL)


def send(case: CaseView) -> None:
    """Approve what stands in the field: the key of the editor.

    A text that was changed is checked first. It leaves at once where the check agrees, and where
    what it objects to has been on the screen already; what is grave needs its tick.
    """
    keep(case)
    if not is_meant(case):
        return
    text = read_typed(case)
    if text == read_written(case):
        confirmation = confirmation_of_draft(case)
        if confirmation and not _is_ticked(confirmation):
            say("warning", UNTICKED)
        elif case.recipients and case.approval_hash and not _begun(case):
            approve(case)
        return
    shown: tuple[object, Preview] | None = st.session_state.get("preview")
    was_shown = shown is not None and shown[0] == (case.id, case.version, *text)
    preview = (
        shown[1]
        if shown and was_shown
        else attempt(lambda: mail_desk().letters.preview(case.id, *text))
    )
    if preview is None or not text[1].strip() or not case.recipients:
        return
    st.session_state["preview"] = ((case.id, case.version, *text), preview)
    objected = any(finding.severity is not Severity.INFO for finding in preview.checked.findings)
    signed = checkpoint(case, text, preview)
    if objected and not was_shown:
        say("warning", OBJECTED)
    elif signed.confirmation and not _is_ticked(signed.confirmation):
        say("warning", UNTICKED)
    else:
        approve_edited(case, signed)


def checkpoint(case: CaseView, text: tuple[str, str], preview: Preview) -> Checkpoint:
    """Return what an approval of the edited text signs."""
    return Checkpoint(
        case_id=case.id,
        version=case.version,
        subject=text[0],
        body=text[1],
        approval_hash=preview.approval_hash,
        confirmation=_confirmation_key(case, preview.checked),
    )


def _looked(case: CaseView) -> float:
    """Return how long the letter was on the screen, in seconds, at most a day."""
    return min(double_press.looked_seconds(case.id), 86_400)


def _begun(case: CaseView) -> bool:
    """Return whether nobody has written anything in a letter yet."""
    return bool(case.revisions) and case.revisions[-1].draft.provider == BEGUN


def confirmation_of_draft(case: CaseView) -> str:
    """Return the session's key of the tick that the newest draft needs, empty where none is."""
    checked = case.revisions[-1].checked if case.revisions else None
    return _confirmation_key(case, checked) if checked else ""


def _confirmation_key(case: CaseView, checked: Checked) -> str:
    """Return a key for what is marked red: who has ticked it has not ticked another red mark."""
    red = sorted(
        f"{finding.check} {finding.sentence} {finding.excerpt}"
        for finding in checked.findings
        if finding.severity is Severity.BLOCK
    )
    digest = hashlib.sha256("\n".join(red).encode()).hexdigest()[:16]
    return f"confirmed-{case.id}-{digest}" if red else ""


def _is_ticked(confirmation: str) -> bool:
    return bool(confirmation and st.session_state.get(confirmation, False))


def keep(case: CaseView) -> None:
    """Keep what was typed before anything else is asked or drawn, for that may fail.

    A press that comes twice tells once more of a text that was sent: it is not kept.
    """
    text = _read_field(case)
    if text == read_written(case) or double_press.was_decided(case.id, case.version):
        unsent.drop(case.id)
    else:
        unsent.keep(case.id, *text)


def read_typed(case: CaseView) -> tuple[str, str]:
    """Return subject and body as a person has left them, else the newest draft's."""
    return unsent.find_unsent(case.id) or read_written(case)


def _read_field(case: CaseView) -> tuple[str, str]:
    """Return subject and body as they stand in the field, for a callback: with what came along."""
    event = st.session_state.get(letter_key(case.id))
    for text_typed in (getattr(event, "send", None), getattr(event, "typed", None)):
        if isinstance(text_typed, Mapping):
            return str(text_typed.get("subject", "")), str(text_typed.get("body", ""))
    return read_typed(case)


def read_written(case: CaseView) -> tuple[str, str]:
    """Return subject and body of the newest draft, or of an empty reply."""
    if not case.revisions:
        return f"Re: {case.item.subject}", ""
    draft = case.revisions[-1].draft
    return draft.subject, draft.body


def _approve(case: CaseView, decision: Approve) -> None:
    if not is_meant(case):
        return
    answer = attempt(lambda: mail_desk().cases.approve(case.id, decision))
    if answer is not None:
        leave_decided(case)
        if not (answer.delivery_id and offer_to_cancel(answer.delivery_id, case)):
            say("done", "Approved.")
    redraw(*ALL)


def is_meant(case: CaseView) -> bool:
    """Return whether this press can have been meant for the case.

    Not where another case stands on the page by now; what else was pressed with it still counts,
    so this ends no run. A run ends here where the press before has decided on the case already.
    """
    if double_press.was_decided(case.id, case.version):
        redraw(*ALL)
    if double_press.case_on_page() != case.id:
        say("note", ELSEWHERE)
        return False
    return True


def leave_decided(case: CaseView, sentence: str = "") -> None:
    """Leave a decided case; without a sentence the bar that offers to take it back tells it."""
    double_press.note(case.id, case.version)
    unsent.drop(case.id)
    if st.session_state.get("case") == case.id:
        list_navigation.leave("queue", [case.id])
    st.session_state["panel"] = ""
    if sentence:
        say("done", sentence)
