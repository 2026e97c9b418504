"""Notes of colleagues beside the mail, and the field to write one."""

from collections.abc import Callable, Sequence

import streamlit as st

from data.records.mail.notes import LONGEST_NOTE, NoteView
from data.records.mail.views import CaseView
from ui.core.chips import chips, make_muted, moment, section
from ui.core.session import me, organization
from ui.core.text.clock import now
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.deciding import noting
from ui.mail.deciding.double_press import key_of
from ui.mail.widgets.case.cancel import cancel


def notes(note_views: Sequence[NoteView], subject: str, place: str = "mail") -> None:
    """Draw the notes on something, oldest first, at a place of its page; none draw nothing."""
    if not note_views:
        return
    mine, at = me().user, now()
    with st.container(key=f"card-notes-{place}-{subject}", gap="small"):
        for note_view in note_views:
            with st.container(
                key=f"said-note-{place}-{note_view.id}",
                horizontal=True,
                wrap=False,
                gap="small",
                vertical_alignment="top",
            ):
                text = note_view.text
                mentions = [name for name in note_view.mentions if not _mentions(text, name)]
                mentions_text = "".join(f" @{name}" for name in mentions)
                note_line = line(
                    run(note_view.written_by, "strong"), run(f"  {text}{mentions_text}")
                )
                with st.container(width="stretch"):
                    draw_marked([note_line], "list", key=f"note-words-{place}-{note_view.id}")
                chips(moment(note_view.written_at, at))
                if note_view.written_by == mine:
                    st.button(
                        "Take the note away",
                        key=key_of(f"note-remove-{place}", note_view.id),
                        icon=":material/close:",
                        help="Take the note away",
                        type="tertiary",
                        width="content",
                        on_click=noting.remove,
                        args=(note_view.id, subject),
                    )


def panel(case: CaseView) -> None:
    """Draw the field for a note on a case, in the place of the bar of actions."""
    _write(case.id, lambda: noting.write_on_case(case), closes=True)


def draw_notes(thread_id: str, note_views: Sequence[NoteView]) -> None:
    """Draw the notes of a conversation with the field for another one."""
    section("Notes")
    notes(note_views, thread_id)
    _write(thread_id, lambda: noting.write_on_thread(thread_id), closes=False)


def _write(subject: str, keep: Callable[[], None], *, closes: bool) -> None:
    st.text_area(
        "Note",
        key=noting.field(subject),
        placeholder=f"For colleagues alone. @ and a name tells that colleague{_names()}",
        label_visibility="collapsed",
        max_chars=LONGEST_NOTE,
        height=90,
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            "Keep the note",
            key=key_of("note-now", subject),
            type="primary",
            shortcut="Ctrl+Enter",
            on_click=keep,
        )
        if closes:
            cancel()
        chips(make_muted("It never leaves, and no draft is written from it."))


def _mentions(text: str, name: str) -> bool:
    """Return whether a text mentions somebody, by the whole name or by its first word alone."""
    return f"@{name.partition(' ')[0]}".casefold() in text.casefold()


def _names() -> str:
    opened = organization()
    names = [f"@{person.name}" for person in (opened.people if opened else ()) if person.name]
    return f": {', '.join(names[:4])}" if names else ""
