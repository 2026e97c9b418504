"""Hearing of a case again where no answer comes: the choice beside the letter, and afterwards."""

import streamlit as st

from data.counting import plural
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core.chips import chips, make_muted
from ui.core.session import zone
from ui.core.text.clock import minute
from ui.mail.deciding import decisions, following
from ui.mail.deciding.decisions import OPEN
from ui.mail.deciding.double_press import key_of

ENDED = frozenset({CaseState.SENT, CaseState.ARCHIVED})
"""Where a case is whose contact can be written to once more."""


def choice(case: CaseView) -> None:
    """Draw the choice of when an answered case should come back, while it is before a person."""
    if not case.recipients or case.state not in OPEN:
        return
    days = decisions.follow_up_days(case)
    label = f"Follow-up · {days} d" if days else "Follow-up"
    hint = "Come back where they do not answer"
    with st.popover(label, type="tertiary", key=f"follow-{case.id}", help=hint):
        st.radio(
            "Where no answer comes",
            [0, *following.DAYS],
            format_func=lambda days: f"after {days} working days" if days else "do not come back",
            key=decisions.follow_up_key(case.id),
        )


def draw_settled(case: CaseView) -> None:
    """Draw what can be done about an answered or closed case: wait for an answer, write again."""
    if case.state not in (*ENDED, CaseState.APPROVED):
        return
    waits = case.follow_up is not None and case.follow_up.ended_at is None
    if case.follow_up is not None and waits:
        at = case.follow_up.due_at
        when = minute(at, zone()) if at else plural(case.follow_up.days, "working day") + " later"
        chips(make_muted(f"Comes back {when}, unless they answer."))
        st.button(
            "No follow-up",
            key=key_of("follow-none", case.id),
            on_click=following.ask,
            args=(case, None),
        )
    elif case.state is not CaseState.ARCHIVED:
        with st.popover("Follow up", icon=":material/schedule:", key=f"follow-ask-{case.id}"):
            chips(make_muted("Come back where they do not answer"))
            for days in following.DAYS:
                st.button(
                    f"after {days} working days",
                    key=key_of(f"follow-{days}", case.id),
                    on_click=following.ask,
                    args=(case, days),
                )
    if case.state in ENDED:
        st.button(
            "Write once more",
            key=key_of("write-again", case.id),
            shortcut="E",
            icon=":material/edit:",
            on_click=following.write_again,
            args=(case,),
        )
