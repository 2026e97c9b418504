"""Editing a draft: the text, what has changed, and what the check says about it."""

import streamlit as st

from data.errors import PosternError
from data.records.mail.drafting import Severity
from data.records.mail.views import CaseView
from data.refusals import SignedOutError
from ui import decisions, unsent
from ui.api.desk import Preview
from ui.chips import chips, muted, section
from ui.decisions import Checkpoint, typed, written
from ui.inert import inert
from ui.runs import changed_share, difference
from ui.session import desk, sentence
from ui.twice import named
from ui.widgets.actions import STAND_BY
from ui.widgets.marked import marked
from ui.widgets.reply import addressed, found, leaving
from ui.words import percent


def editor(case: CaseView) -> None:
    """Draw the editor with the live difference and the checked preview."""
    subject, body = typed(case)
    with st.container(key="card-draft"):
        section("Edit the reply")
        addressed(case)
        st.session_state.setdefault(f"edit-subject-{case.id}", subject)
        st.session_state.setdefault(f"edit-body-{case.id}", body)
        st.text_input("Subject", key=f"edit-subject-{case.id}", on_change=_keep, args=(case,))
        st.text_area(
            "Text",
            key=f"edit-body-{case.id}",
            height=340,
            help="Ctrl+Enter, or leaving the field, compares and checks what you wrote.",
            on_change=_keep,
            args=(case,),
        )
        checkpoint = _checked(case)
        _difference(case)
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Approve this text & send",
                key=named("approve-edited", case.id),
                type="primary",
                icon=":material/send:",
                disabled=checkpoint is None or not case.recipients,
                on_click=decisions.approve_edited if checkpoint else None,
                args=(case, checkpoint) if checkpoint else None,
            )
            st.button(
                "Stop editing",
                key="edit-cancel",
                shortcut="Esc",
                on_click=decisions.panel,
                args=("",),
            )
            st.button("Back to the machine's text", key="edit-reset", on_click=_reset, args=(case,))


def _keep(case: CaseView) -> None:
    """Keep what was typed before anything else is asked or drawn, for that may fail."""
    unsent.keep(case.id, *typed(case))


def _reset(case: CaseView) -> None:
    unsent.drop(case.id)
    subject, body = written(case, newest=False)
    st.session_state[f"edit-subject-{case.id}"] = subject
    st.session_state[f"edit-body-{case.id}"] = body


def _checked(case: CaseView) -> Checkpoint | None:
    subject, body = typed(case)
    if not body.strip():
        chips(muted("Write something, and it will be checked."))
        return None
    try:
        preview = _preview(case, subject, body)
    except SignedOutError:
        raise
    except PosternError as error:
        st.error(inert(sentence(error), limit=600), icon=":material/error:")
        chips(muted("This text could not be checked, so it cannot be approved."))
        return None
    found(preview.checked.findings)
    if not preview.checked.findings:
        chips(muted("The check finds nothing to object to."))
    leaving(preview.reply_preview, preview.approval_hash)
    grave = any(entry.severity is Severity.BLOCK for entry in preview.checked.findings)
    if grave and not st.checkbox(STAND_BY, key=f"confirmed-edit-{case.id}"):
        return None
    return Checkpoint(
        case_id=case.id,
        version=case.version,
        subject=subject,
        body=body,
        approval_hash=preview.approval_hash,
    )


def _preview(case: CaseView, subject: str, body: str) -> Preview:
    asked = (case.id, case.version, subject, body)
    kept: tuple[object, Preview] | None = st.session_state.get("preview")
    if kept and kept[0] == asked:
        return kept[1]
    answer = desk().preview(case.id, subject, body)
    st.session_state["preview"] = (asked, answer)
    return answer


def _difference(case: CaseView) -> None:
    if not case.revisions:
        return
    machine, (_, body) = case.revisions[0].draft.body, typed(case)
    if machine == body:
        chips(muted("Nothing changed yet."))
        return
    section(f"Changed: {percent(changed_share(machine, body))} of the machine's draft")
    marked(difference(machine, body), "letter")
