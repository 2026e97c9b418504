"""The callbacks about notes for colleagues."""

import streamlit as st

from data.records.mail.notes import WriteNote
from data.records.mail.views import CaseView
from ui.core.parts_of_page import has, redraw
from ui.core.session import attempt, say
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions


def field(subject: str) -> str:
    """Return the key of the field in which a note on something is written."""
    return f"note-text-{subject}"


def write_on_case(case: CaseView) -> None:
    """Keep the note that was typed on a case; what was refused stays in its field."""
    text = _typed(case.id)
    if not text or not decisions.is_meant(case):
        return
    if attempt(lambda: bool(mail_desk().notes.write("cases", case.id, WriteNote(text=text)))):
        _clear(case.id)
        decisions.panel("")
        say("done", "Noted. Your colleagues see it; it never leaves.")
    _draw()


def write_on_thread(thread_id: str) -> None:
    """Keep the note that was typed on a conversation."""
    text = _typed(thread_id)
    if not text:
        return
    note = WriteNote(text=text)
    if attempt(lambda: bool(mail_desk().notes.write("threads", thread_id, note))):
        _clear(thread_id)
        say("done", "Noted. Your colleagues see it; it never leaves.")


def remove(note_id: str, subject: str) -> None:
    """Take a note away, and put its words back into the field, so that nothing is lost."""
    row = attempt(lambda: mail_desk().notes.remove(note_id))
    if row is not None:
        st.session_state[field(subject)] = row.text
        say("done", "Taken away. Its words are in the field again, if you want to change them.")
    _draw()


def _typed(subject: str) -> str:
    return str(st.session_state.get(field(subject), "")).strip()


def _clear(subject: str) -> None:
    st.session_state[field(subject)] = ""


def _draw() -> None:
    """Draw the open case anew, where the page has one."""
    if has("item"):
        redraw("item", "queue")
