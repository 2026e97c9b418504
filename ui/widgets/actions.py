"""The bar of what a reviewer can do, always in reach at the foot of the item."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from data.gate_words import ANSWERS_NOTHING
from data.records.core.organization import Person
from data.records.core.understanding import Category, Priority
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import BEGUN, Severity
from data.records.mail.notes import LONGEST_NOTE
from data.records.mail.questions import QuestionState
from data.records.mail.screening import Verdict
from data.records.mail.views import CaseView
from data.states import CaseState
from ui import decisions, undoing
from ui.changes import TAKEN_OVER, successor
from ui.chips import chips, muted
from ui.decisions import OPEN, Checkpoint
from ui.pane import only
from ui.session import organization
from ui.twice import key_of
from ui.widgets import follow_up, later, notes, passing_on, send_later
from ui.widgets.cancel import cancel
from ui.words import REASONS, word

DOUBTFUL = 0.5
"""Below this quality a draft is approved with the colour of a warning."""
STAND_BY = "I have looked at what is marked red and stand by it"

SETTLED: dict[CaseState, str] = {
    CaseState.RUNNING: "Nothing to decide yet: it is being worked on, and a draft follows.",
    CaseState.APPROVED: "Nothing to decide: its reply is approved and waits in the outbox.",
    CaseState.SENT: "Nothing to decide: its reply has left.",
    CaseState.ARCHIVED: "Nothing to decide: it was closed without a reply.",
    CaseState.SUPERSEDED: TAKEN_OVER,
}
"""Where a case is that nobody has to decide on."""


def actions(case: CaseView, checkpoint: Checkpoint | None = None) -> None:
    """Draw the buttons that fit the case's state, or the panel that one of them opened.

    `checkpoint` is what an approval of the text that a person has edited would sign.
    """
    panel = str(st.session_state.get("panel", ""))
    with st.container(key="actions"), only("actions", case.id, case.version, panel):
        if panel == "note":
            notes.panel(case)
        elif case.state in OPEN:
            later_on = partial(_send_later, checkpoint=checkpoint)
            panels: dict[str, Callable[[CaseView], None]] = {
                "reject": _reject,
                "reassign": _reassign,
                "relabel": _relabel,
                "close": _close,
                "forward": passing_on.panel,
                "snooze": later.panel,
                "leave": later_on,
            }
            chosen = panels.get(panel)
            chosen(case) if chosen else _buttons(case, checkpoint)
        elif case.state is CaseState.FAILED:
            _failed(case)
        else:
            _settled(case)


def sendable(case: CaseView) -> bool:
    """Return whether the reply as shown could be approved at all."""
    written = bool(case.revisions) and case.revisions[-1].draft.provider != BEGUN
    return bool(written and case.recipients and case.approval_hash)


def barred(case: CaseView) -> bool:
    """Return whether a finding asks for a person's word before sending."""
    checked = case.revisions[-1].checked if case.revisions else None
    return any(entry.severity is Severity.BLOCK for entry in checked.findings) if checked else False


def _buttons(case: CaseView, checkpoint: Checkpoint | None) -> None:
    """Draw what can be done, and at the end, below the letter, what the letter deserves."""
    edited = _edited(case)
    grave = _grave(case, checkpoint)
    confirmed = _stand_by(case, checkpoint)
    first = _first(case, edited=edited)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _open("Reject", "reject", "X", ":material/thumb_down:")
        _open("Reassign", "reassign", "G", ":material/person_add:")
        _open("Forward", "forward", "F", ":material/forward_to_inbox:")
        _open("Relabel", "relabel", "L", ":material/label:")
        _open("Snooze", "snooze", "Z", ":material/snooze:")
        _open("No reply", "close", "D", ":material/archive:")
        st.space("stretch")
        if any(question.state is QuestionState.OPEN for question in case.questions):
            _question(first == "question")
        _write("Edit" if case.revisions and first != "write" else "Write", first == "write")
        kind: Literal["primary", "secondary"] = "primary" if first == "approve" else "secondary"
        _open("Later", "leave", "S", ":material/schedule_send:")
        with st.container(key=f"{_mood(case, grave=grave)}-approve", width="content"):
            if edited:
                st.button(
                    "Approve edited & send",
                    key=key_of("approve-edited", case.id),
                    type=kind,
                    shortcut="A",
                    icon=":material/send:",
                    disabled=checkpoint is None or not confirmed or not case.recipients,
                    on_click=decisions.approve_edited if checkpoint else None,
                    args=(case, checkpoint) if checkpoint else None,
                )
            else:
                st.button(
                    "Approve & send",
                    key=key_of("approve", case.id),
                    type=kind,
                    shortcut="A",
                    icon=":material/send:",
                    disabled=not (sendable(case) and confirmed),
                    on_click=decisions.approve,
                    args=(case,),
                )


def _send_later(case: CaseView, checkpoint: Checkpoint | None) -> None:
    """Draw the panel that approves the letter, as it stands, to leave later."""
    confirmed = _stand_by(case, checkpoint)
    written = checkpoint is not None and bool(case.recipients) if _edited(case) else sendable(case)
    send_later.panel(case, checkpoint, ready=written and confirmed)


def _edited(case: CaseView) -> bool:
    return decisions.read_typed(case) != decisions.read_written(case, newest=True)


def _grave(case: CaseView, checkpoint: Checkpoint | None) -> bool:
    """Return whether the letter holds what only a person's word lets leave."""
    if checkpoint:
        return checkpoint.grave
    return sendable(case) and barred(case) and not _edited(case)


def _stand_by(case: CaseView, checkpoint: Checkpoint | None) -> bool:
    """Ask for that word where it is needed; return whether nothing of the kind is missing."""
    if not _grave(case, checkpoint):
        return True
    name = "confirmed-edit" if _edited(case) else "confirmed"
    return st.checkbox(STAND_BY, key=f"{name}-{case.id}")


def _first(case: CaseView, *, edited: bool) -> Literal["approve", "question", "write"]:
    """Return what stands out: sending only what answers, or what a person has written."""
    if edited:
        return "approve"
    if any(question.state is QuestionState.OPEN for question in case.questions):
        return "question"
    answers = case.item.quality >= ANSWERS_NOTHING and bool(case.revisions)
    return "approve" if answers else "write"


def _mood(case: CaseView, *, grave: bool) -> Literal["calm", "wary", "grave"]:
    """Return how approving looks: red on what must not leave as it is, or came as an attack."""
    if grave or any(
        message.screening and message.screening.verdict is Verdict.QUARANTINE
        for message in case.messages
    ):
        return "grave"
    if case.item.again:  # nobody has measured it, and a person has written it
        return "calm"
    wary = case.item.verdict is not Verdict.CLEAN or case.item.quality < DOUBTFUL
    return "wary" if wary else "calm"


def _write(label: str, first: bool) -> None:  # whether it stands out
    kind: Literal["primary", "secondary"] = "primary" if first else "secondary"
    # The press puts the cursor into the letter by itself; nothing is drawn for it.
    st.button(label, key="panel-edit", shortcut="E", icon=":material/edit:", type=kind)


def _question(first: bool) -> None:  # whether it stands out
    kind: Literal["primary", "secondary"] = "primary" if first else "secondary"
    st.button(
        "Answer it",  # longer, and the bar takes two rows at 1440 pixels
        key="panel-answer",
        shortcut="Q",
        help="Answer the question that the draft leaves open",
        icon=":material/contact_support:",
        type=kind,
        on_click=partial(decisions.panel, "answer"),
    )


def _reject(case: CaseView) -> None:
    chips(
        muted(
            "What is wrong with the draft? One key decides. The case stays, and you write the "
            f"reply; only “{REASONS[RejectReason.SHOULD_NOT_REPLY]}” closes it."
        )
    )
    with st.container(horizontal=True, gap="small"):
        for number, (reason, label) in enumerate(REASONS.items(), start=1):
            st.button(
                label,
                key=key_of(f"reason-{reason}", case.id),
                shortcut=str(number),
                on_click=decisions.reject,
                args=(case, RejectReason(reason)),
            )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text_input(
            "Note",
            key=f"note-{case.id}",
            placeholder="A note for whoever learns from this (optional)",
            label_visibility="collapsed",
            max_chars=2000,
        )
        st.checkbox("Let Postern write another draft", key=f"redraft-{case.id}")
        cancel()


def _reassign(case: CaseView) -> None:
    opened = organization()
    people = {person.email: person for person in (opened.people if opened else ())}
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text_input(
            "Note",
            key=f"given-note-{case.id}",
            placeholder="What your colleague should know (optional)",
            label_visibility="collapsed",
            max_chars=LONGEST_NOTE,
        )
        chosen = st.selectbox(
            "To whom",
            list(people),
            index=None,  # whoever stands first is not proposed: one more key must not decide it
            key=f"assignee-{case.id}",
            format_func=lambda email: _person(people[email]),
            label_visibility="collapsed",
            placeholder="Choose a colleague" if people else "Nobody to give it to",
        )
        st.button(
            "Give it",
            key=key_of("reassign-now", case.id),
            type="primary",
            disabled=chosen is None,
            on_click=decisions.reassign,
            args=(case,),
        )
        cancel()


def _relabel(case: CaseView) -> None:
    classification = case.classification
    chips(muted("What is this case really about? The classifier learns from it."))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for name, kind, now in (
            ("category", Category, classification.category if classification else Category.OTHER),
            ("priority", Priority, classification.priority if classification else Priority.NORMAL),
        ):
            values = [choice.value for choice in kind]
            st.selectbox(
                name.capitalize(),
                values,
                index=values.index(now.value),
                key=f"{name}-{case.id}",
                format_func=word,
                label_visibility="collapsed",
            )
        st.button(
            "Correct it",
            key=key_of("relabel-now", case.id),
            type="primary",
            on_click=decisions.relabel,
            args=(case,),
        )
        cancel()


def _close(case: CaseView) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text_input(
            "Note",
            key=f"note-{case.id}",
            placeholder="Why no reply (optional)",
            label_visibility="collapsed",
            max_chars=2000,
        )
        st.button(
            "Close without reply",
            key=key_of("close-now", case.id),
            type="primary",
            on_click=decisions.close,
            args=(case,),
        )
        cancel()


def _failed(case: CaseView) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            "Try again",
            key=key_of("retry", case.id),
            type="primary",
            shortcut="T",
            icon=":material/refresh:",
            on_click=decisions.retry,
            args=(case,),
        )
        if st.session_state.get("panel") == "close":
            _close(case)
        else:
            _open("No reply", "close", "D", ":material/archive:")


def _settled(case: CaseView) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        when = send_later.leaves(case) if case.state is CaseState.APPROVED else ""
        chips(
            muted(f"Nothing to decide: its reply is approved and {when}.")
            if when
            else muted(SETTLED.get(case.state, f"This case is {word(case.state)}."))
        )
        if case.state is CaseState.APPROVED and case.delivery_id:
            st.button(
                "Take back",
                key=key_of("take-back", case.id),
                icon=":material/undo:",
                on_click=undoing.take_back,
                args=(case.delivery_id, case.id),
            )
        if case.state is CaseState.ARCHIVED:
            st.button(
                "Open it again",
                key=key_of("reopen", case.id),
                icon=":material/undo:",
                on_click=undoing.reopen,
                args=(case.id,),
            )
        follow_up.draw_settled(case)
        if follower := successor(case):
            st.button(
                "Open the newer case",
                key="to-follower",
                type="primary",
                on_click=decisions.open_case,
                args=(follower,),
            )


def _open(label: str, name: str, key: str, icon: str) -> None:
    opener = partial(decisions.panel, name)
    st.button(label, key=f"panel-{name}", shortcut=key, icon=icon, on_click=opener)


def _person(person: Person) -> str:
    return f"{person.name}, {person.role}" if person.role else f"{person.name}, {person.email}"
