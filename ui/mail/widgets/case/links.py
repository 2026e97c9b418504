"""Ways to other cases: those of a customer, and those of a conversation."""

from datetime import datetime

import streamlit as st

from data.counting import plural
from data.records.mail.conversations import CaseLink
from data.records.mail.follow_ups import WriteAgain
from data.records.mail.views import CaseView, ThreadView
from data.states import CaseState
from ui.core import people
from ui.core.chips import chip, chips, moment
from ui.core.pages import switch_to
from ui.core.session import attempt
from ui.core.text.clock import now
from ui.core.widgets import lists
from ui.core.widgets.plain_text import display_name, words
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions
from ui.mail.deciding.decisions import OPEN
from ui.mail.deciding.double_press import key_of
from ui.mail.deciding.undoing import select

ENDED = frozenset({CaseState.SENT, CaseState.ARCHIVED})


def other_cases(case: CaseView) -> None:
    """Draw the customer's other cases that are not at an end; nothing where there are none."""
    if not case.other_cases:
        return
    at = now()
    count = plural(len(case.other_cases), "more case")
    with st.container(key="card-other-cases", gap="small"):
        words(f"{count} of this customer", "who", "other-cases")
        for other_case in case.other_cases:
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                _draw_link(other_case, at)
                st.button(
                    "Open the case",
                    key=key_of("to-other", other_case.id),
                    type="tertiary",
                    on_click=decisions.open_case,
                    args=(other_case.id,),
                )


def cases_of(thread: ThreadView) -> None:
    """Draw the newest cases of a conversation, and the way to write to its contact."""
    if not thread.cases:
        return
    at = now()
    with st.container(key="card-cases-of", gap="small"):
        for case in thread.cases[:3]:
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                _draw_link(case, at, with_contact=len(thread.contacts) > 1)
                label = "Reply" if case.state in OPEN else "Open the case"
                if st.button(label, key=key_of("to-case-here", case.id), type="tertiary"):
                    _open(case.id)
        newest = thread.cases[0]
        if newest.state in ENDED and not _begun(thread):
            hint = "Another letter to this contact, through the same checks and approval"
            if st.button(
                "Write",
                key=key_of("thread-write", thread.id),
                icon=":material/edit:",
                type="primary",
                shortcut="E",
                help=hint,
            ):
                _write(newest)


def _draw_link(case_link: CaseLink, at: datetime, *, with_contact: bool = False) -> None:
    about = lists.subject_line(case_link.subject)
    if with_contact and case_link.contact:
        about = f"{display_name(case_link.contact)}: {about}"
    words(about, "small", f"link-{case_link.id}", wrap=False)
    chips(
        chip(case_link.state),
        chip("our letter", "accent") if case_link.again else "",
        chip(people.name_of(case_link.assignee), "quiet") if case_link.assignee else "",
        moment(case_link.received_at, at),
    )


def _begun(thread: ThreadView) -> bool:
    """Return whether a letter to its contact was begun and has not left."""
    return any(case.again and case.state in (*OPEN, CaseState.APPROVED) for case in thread.cases)


def _open(case_id: str) -> None:
    select(case_id)
    switch_to("review")


def _write(case_link: CaseLink) -> None:
    """Begin another letter, and open it."""
    letter = attempt(
        lambda: mail_desk().letters.write_again(case_link.id, WriteAgain(version=case_link.version))
    )
    if letter is not None:
        _open(letter.id)
