"""Attachments in the case: read, drawn and fetched by a press, shown as somebody else's words."""

from collections.abc import Sequence

import streamlit as st

from data.records.core.parsed_mail import Attachment
from data.records.core.screening import Verdict
from data.records.mail.documents import DocumentView
from data.records.mail.views import MessageView
from data.states import HELD_BY_SCREEN
from ui.core.chips import chip, chips, make_muted
from ui.core.session import guard_refusals
from ui.core.text import screen_words
from ui.core.text.inert import make_inert, shorten_middle, show_controls
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.message.previews import download_button, is_picture, preview_button

MOST_FILES = 8


def draw_documents(case_id: str, messages: Sequence[MessageView]) -> None:
    """Draw the ways to each attachment of a case's messages, and the text of one that was read."""
    files = [(message, entry) for message in messages for entry in message.attachments]
    if not files:
        return
    with st.expander("Look at attachments"):
        words("What they say is somebody else's words; no draft sees it.", "dim", "document-whose")
        for number, (message, entry) in enumerate(files[:MOST_FILES]):
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                _ways(case_id, number, message, entry)
        whose, document = st.session_state.get("document", ("", None))
        if document is not None and whose == case_id:
            _text(document)


def read_button(message: MessageView, entry: Attachment, key: str) -> None:
    """Offer a file's text over the page, where it may have one; it is read by the press."""
    if is_picture(entry) or message.status in HELD_BY_SCREEN:
        return
    if st.button("Read", key=key, icon=":material/description:", type="tertiary"):
        _read_over_page(message, entry)


@st.dialog("Text of an attachment", width="large")
def _read_over_page(message: MessageView, entry: Attachment) -> None:
    words("It is somebody else's words; no draft sees it.", "dim", "document-whose")
    with guard_refusals(leaving=False):
        _text(mail_desk().messages.read_document(message.id, entry.sha256))


def _ways(case_id: str, number: int, message: MessageView, entry: Attachment) -> None:
    """Offer a file's text, its preview and its download, none of which is there unasked."""
    name = shorten_middle(entry.filename, 44)
    if is_picture(entry):
        words(name, "small", f"name-file-{number}")
    elif st.button(
        f"Read {make_inert(name)}",
        key=f"read-file-{number}-of-{case_id}",
        icon=":material/description:",
    ):
        with guard_refusals():
            document = mail_desk().messages.read_document(message.id, entry.sha256)
            st.session_state["document"] = (case_id, document)
    preview_button(message, entry, f"preview-file-{number}-of-{case_id}")
    download_button(message, entry, f"download-file-{number}-of-{case_id}")


def _text(view: DocumentView) -> None:
    document = view.document
    with st.container(key="card-document"):
        words(view.filename, "who", "document-name")
        if document.trouble:
            words(document.trouble, "dim", "document-trouble")
            return
        marks = [make_muted(document.kind)]
        if view.verdict is not Verdict.CLEAN:
            marks.append(chip("the screen warns of it", "bad"))
        if document.cut:
            marks.append(make_muted("beginning only"))
        chips(*marks, *(make_muted(tag) for tag in document.tags))
        for number, finding in enumerate(view.findings):
            rule, _, excerpt = finding.partition(": ")
            words(f"{screen_words.rule(rule)}: {excerpt}", "dim", f"document-finding-{number}")
        if document.summary:
            words(document.summary, "small", "document-summary")
        st.code(show_controls(document.text[:20_000]), language=None, wrap_lines=True)
