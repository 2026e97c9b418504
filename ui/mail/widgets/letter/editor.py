"""The reply as a field in which it is edited, with what the check says of it."""

import streamlit as st

from data.errors import PosternError
from data.records.mail.drafting import Checked
from data.records.mail.views import CaseView
from data.refusals import SignedOutError
from ui.core.chips import chip, chips, make_muted
from ui.core.session import sentence
from ui.core.text.inert import make_inert
from ui.core.text.text_runs import changed_share, difference
from ui.core.text.words import percent
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.api.letters import Preview
from ui.mail.deciding import decisions, unsent
from ui.mail.deciding.decisions import Checkpoint, read_typed, read_written
from ui.mail.widgets.letter.accounts import accounts, others_found
from ui.mail.widgets.letter.letter import letter, replace
from ui.mail.widgets.letter.others import draw_other_drafts
from ui.mail.widgets.letter.reply import (
    draft_head,
    draw_findings,
    draw_leaving,
    draw_revisions,
    warn_of_colleague,
)


def editor(case: CaseView) -> Checkpoint | None:
    """Draw the reply as a field, with what the check says of the text as it stands.

    Return what an approval of an edited text would sign; None for one that could not be checked,
    and for the draft as it is.
    """
    text, draft = read_typed(case), read_written(case)
    newest = case.revisions[-1] if case.revisions else None
    with st.container(key="card-draft"):
        preview = _preview(case, text) if text != draft else None
        checked = preview.checked if preview else (newest and newest.checked) or Checked()
        draft_head(case, newest, checked)
        citations = newest.draft.citations if newest else ()
        marks = checked.findings if preview or text == draft else ()
        letter(case, text, citations, marks, decisions.keep, decisions.send)
        if text != draft:
            _draw_edited(case, text, preview)
        elif newest is None:
            words("There is no draft. Write the reply here, or close it without one.", "dim", "no")
        if text == draft:
            _offer_text_put_away(case)
        if newest and text == draft:
            warn_of_colleague(case, newest.draft)
            draw_findings(others_found(checked))
            accounts(newest.draft, checked)
            if newest.draft.note:
                words(newest.draft.note, "dim", "draft-note")
            draw_other_drafts(case, checked)
            draw_leaving(case.reply_preview, case.approval_hash)
            draw_revisions(case.revisions)
    return decisions.checkpoint(case, text, preview) if preview else None


def _draw_edited(case: CaseView, text: tuple[str, str], preview: Preview | None) -> None:
    """Draw what was changed, with the way back, and what the check says of it."""
    draft = case.revisions[-1].draft.body if case.revisions else ""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        chips(chip("Edited, not sent", "warn"))
        if draft:
            share = percent(changed_share(draft, text[1]))
            chips(make_muted(f"Changed: {share} of the draft. Your text is kept."))
        st.button(
            "Back to the draft",
            key="edit-reset",
            icon=":material/undo:",
            type="tertiary",
            on_click=_put_away,
            args=(case, text),
        )
    if preview is None:
        if not text[1].strip():
            chips(make_muted("Write something, and it will be checked."))
        return
    draw_findings(preview.checked.findings, key="edited-found")
    if not preview.checked.findings:
        chips(make_muted("The check finds nothing to object to."))
    draw_leaving(preview.reply_preview, preview.approval_hash)
    if draft and draft != text[1]:
        with st.expander("What you changed"):
            draw_marked(difference(draft, text[1]), "letter")


def _offer_text_put_away(case: CaseView) -> None:
    """Offer to bring back the edited text that was put away in favour of the draft."""
    if st.session_state.get(f"put-away-{case.id}"):
        st.button(
            "Bring my text back",
            key="edit-again",
            icon=":material/redo:",
            type="tertiary",
            on_click=_bring_back,
            args=(case,),
        )


def _put_away(case: CaseView, text: tuple[str, str]) -> None:
    st.session_state[f"put-away-{case.id}"] = text
    unsent.drop(case.id)
    replace(case.id)


def _bring_back(case: CaseView) -> None:
    if text := st.session_state.pop(f"put-away-{case.id}", None):
        unsent.keep(case.id, *text)
        replace(case.id)


def _preview(case: CaseView, text: tuple[str, str]) -> Preview | None:
    """Return what the check says of an edited text; None, with an error shown, where it fails."""
    if not text[1].strip():
        return None
    asked = (case.id, case.version, *text)
    preview: tuple[object, Preview] | None = st.session_state.get("preview")
    if preview and preview[0] == asked:
        return preview[1]
    try:
        answer = mail_desk().letters.preview(case.id, *text)
    except SignedOutError:
        raise
    except PosternError as error:
        st.error(make_inert(sentence(error), limit=600), icon=":material/error:")
        chips(make_muted("This text could not be checked, so it cannot be approved."))
        return None
    st.session_state["preview"] = (asked, answer)
    return answer
