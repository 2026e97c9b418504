"""The bar of what a reviewer can do, always in reach at the foot of the item."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from data.gate_words import ANSWERS_NOTHING
from data.records.core.organization import Person
from data.records.core.screening import Verdict
from data.records.core.understanding import Category, Priority
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import BEGUN
from data.records.mail.notes import LONGEST_NOTE
from data.records.mail.questions import QuestionState
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core.chips import chips, make_muted
from ui.core.pane import hold_alone
from ui.core.session import organization
from ui.core.text.words import REASONS, word
from ui.mail.deciding import decisions, undoing
from ui.mail.deciding.changes import TAKEN_OVER
from ui.mail.deciding.decisions import OPEN, Checkpoint
from ui.mail.deciding.double_press import key_of
from ui.mail.widgets.case import notes, passing_on, send_later, snoozing
from ui.mail.widgets.case.cancel import cancel
from ui.mail.widgets.letter import follow_up

DOUBTFUL = 0.5
"""Below this quality a draft is approved with the colour of a warning."""
STAND_BY = "I have looked at what is marked red and stand by it"

NOTHING_TO_DECIDE: dict[CaseState, str] = {
    CaseState.RUNNING: "Nothing to decide yet: it is being worked on, and a draft follows.",
    CaseState.APPROVED: "Nothing to decide: its reply is approved and waits in the outbox.",
    CaseState.SENT: "Nothing to decide: its reply has left.",
    CaseState.ARCHIVED: "Nothing to decide: it was closed without a reply.",
    CaseState.SUPERSEDED: TAKEN_OVER,
}
"""What is shown in a state in which there is nothing to decide."""


def actions(case: CaseView, checkpoint: Checkpoint | None = None) -> None:
    """Draw the buttons that fit the case's state, or the panel that one of them opened.

    `checkpoint` is what an approval of the text that a person has edited would sign.
    """
    panel = str(st.session_state.get("panel", ""))
    with st.container(key="actions"), hold_alone("actions", case.id, case.version, panel):
        if panel == "note":
            notes.panel(case)
        elif case.state in OPEN:
            panels: dict[str, Callable[[CaseView], None]] = {
                "reject": _draw_reject,
                "reassign": _draw_reassign,
                "relabel": _draw_relabel,
                "close": _draw_close,
                "forward": passing_on.panel,
                "snooze": snoozing.panel,
                "leave": partial(_draw_send_later, checkpoint=checkpoint),
            }
            if draw_panel := panels.get(panel):
                draw_panel(case)
            else:
                _draw_buttons(case, checkpoint)
        elif case.state is CaseState.FAILED:
            _draw_failed(case)
        else:
            _draw_settled(case)


def is_sendable(case: CaseView) -> bool:
    """Return whether the reply as shown could be approved at all."""
    written = bool(case.revisions) and case.revisions[-1].draft.provider != BEGUN
    return bool(written and case.recipients and case.approval_hash)


def _draw_buttons(case: CaseView, checkpoint: Checkpoint | None) -> None:
    """Draw the buttons; approving comes last."""
    edited = _is_edited(case)
    confirmation = _needed_confirmation(case, checkpoint)
    confirmed = _ask_confirmation(confirmation)
    primary = _primary_button(case, edited=edited)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _panel_button("Reject", "reject", "X", ":material/thumb_down:")
        _panel_button("Reassign", "reassign", "G", ":material/person_add:")
        _panel_button("Forward", "forward", "F", ":material/forward_to_inbox:")
        _panel_button("Relabel", "relabel", "L", ":material/label:")
        _panel_button("Snooze", "snooze", "Z", ":material/snooze:")
        _panel_button("No reply", "close", "D", ":material/archive:")
        st.space("stretch")
        if any(question.state is QuestionState.OPEN for question in case.questions):
            _answer_button(stands_out=primary == "question")
        _edit_button(case, stands_out=primary == "write")
        kind: Literal["primary", "secondary"] = "primary" if primary == "approve" else "secondary"
        _panel_button("Later", "leave", "S", ":material/schedule_send:")
        with st.container(
            key=f"{_approval_color(case, grave=bool(confirmation))}-approve", width="content"
        ):
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
                    disabled=not (is_sendable(case) and confirmed),
                    on_click=decisions.approve,
                    args=(case,),
                )


def _draw_send_later(case: CaseView, checkpoint: Checkpoint | None) -> None:
    """Draw the panel that approves the letter, as it stands, to leave later."""
    confirmed = _ask_confirmation(_needed_confirmation(case, checkpoint))
    written = (
        checkpoint is not None and bool(case.recipients) if _is_edited(case) else is_sendable(case)
    )
    send_later.panel(case, checkpoint, ready=written and confirmed)


def _is_edited(case: CaseView) -> bool:
    """Return whether the field holds other words than the newest draft."""
    return decisions.read_typed(case) != decisions.read_written(case)


def _needed_confirmation(case: CaseView, checkpoint: Checkpoint | None) -> str:
    """Return the key of the tick without which the letter may not leave; empty where it may."""
    if checkpoint:
        return checkpoint.confirmation
    return (
        decisions.confirmation_of_draft(case) if is_sendable(case) and not _is_edited(case) else ""
    )


def _ask_confirmation(confirmation: str) -> bool:
    """Draw the tick where one is needed; return whether it is ticked or not needed."""
    return not confirmation or st.checkbox(STAND_BY, key=confirmation)


def _primary_button(case: CaseView, *, edited: bool) -> Literal["approve", "question", "write"]:
    """Return which button stands out: approving only where the draft answers or is edited."""
    if edited:
        return "approve"
    if any(question.state is QuestionState.OPEN for question in case.questions):
        return "question"
    answers = case.item.quality >= ANSWERS_NOTHING and bool(case.revisions)
    return "approve" if answers else "write"


def _approval_color(case: CaseView, *, grave: bool) -> Literal["calm", "wary", "grave"]:
    """Return the colour of approving: `grave` is red, on a red mark and on an attack."""
    if grave or any(
        message.screening and message.screening.verdict is Verdict.QUARANTINE
        for message in case.messages
    ):
        return "grave"
    if case.item.again:  # a person writes once more, and no quality was measured
        return "calm"
    wary = case.item.verdict is not Verdict.CLEAN or case.item.quality < DOUBTFUL
    return "wary" if wary else "calm"


def _edit_button(case: CaseView, *, stands_out: bool) -> None:
    kind: Literal["primary", "secondary"] = "primary" if stands_out else "secondary"
    label = "Edit" if case.revisions and not stands_out else "Write"
    # The press puts the cursor into the letter by itself; nothing is drawn for it.
    st.button(label, key="panel-edit", shortcut="E", icon=":material/edit:", type=kind)


def _answer_button(*, stands_out: bool) -> None:
    kind: Literal["primary", "secondary"] = "primary" if stands_out else "secondary"
    st.button(
        "Answer it",  # longer, and the bar takes two rows at 1440 pixels
        key="panel-answer",
        shortcut="Q",
        help="Answer the question that the draft leaves open",
        icon=":material/contact_support:",
        type=kind,
        on_click=partial(decisions.panel, "answer"),
    )


def _draw_reject(case: CaseView) -> None:
    chips(
        make_muted(
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


def _draw_reassign(case: CaseView) -> None:
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
            format_func=lambda email: _person_label(people[email]),
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


def _draw_relabel(case: CaseView) -> None:
    classification = case.classification
    chips(make_muted("What is this case really about? The classifier learns from it."))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for name, kind, current in (
            ("category", Category, classification.category if classification else Category.OTHER),
            ("priority", Priority, classification.priority if classification else Priority.NORMAL),
        ):
            values = [choice.value for choice in kind]
            st.selectbox(
                name.capitalize(),
                values,
                index=values.index(current.value),
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


def _draw_close(case: CaseView) -> None:
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


def _draw_failed(case: CaseView) -> None:
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
            _draw_close(case)
        else:
            _panel_button("No reply", "close", "D", ":material/archive:")


def _draw_settled(case: CaseView) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        when = send_later.leaves(case) if case.state is CaseState.APPROVED else ""
        chips(
            make_muted(f"Nothing to decide: its reply is approved and {when}.")
            if when
            else make_muted(NOTHING_TO_DECIDE.get(case.state, f"This case is {word(case.state)}."))
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
        if case.taken_over_by:
            st.button(
                "Open the newer case",
                key="to-follower",
                type="primary",
                on_click=decisions.open_case,
                args=(case.taken_over_by,),
            )


def _panel_button(label: str, name: str, shortcut: str, icon: str) -> None:
    opener = partial(decisions.panel, name)
    st.button(label, key=f"panel-{name}", shortcut=shortcut, icon=icon, on_click=opener)


def _person_label(person: Person) -> str:
    return f"{person.name}, {person.role}" if person.role else f"{person.name}, {person.email}"
