"""Approving a reply to leave later: the choices of when."""

from datetime import time

import streamlit as st

from data.records.mail.views import CaseView
from ui.core.chips import chips, make_muted
from ui.core.session import zone
from ui.core.text.clock import minute, today
from ui.mail.deciding import sending_later
from ui.mail.deciding.decisions import Checkpoint
from ui.mail.deciding.double_press import key_of
from ui.mail.widgets.case.cancel import cancel

MORNING = time(8)


def panel(case: CaseView, checkpoint: Checkpoint | None, *, ready: bool) -> None:
    """Draw the choices; `ready` says whether the letter may be approved as it stands."""
    explanation = (
        "You approve it now. It stays here until then, comes back if somebody writes, and can be "
        "taken back."
        if ready
        else "The letter cannot be approved as it stands."
    )
    chips(make_muted(explanation))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for number, (choice, label) in enumerate(sending_later.CHOICES.items(), start=1):
            st.button(
                label,
                key=key_of(f"leave-{choice}", case.id),
                shortcut=str(number),
                disabled=not ready,
                on_click=sending_later.approve_for,
                args=(case, checkpoint, choice),
            )
        day = st.date_input(
            "On a day",
            value=None,
            min_value=today(zone()),
            key=f"leave-day-{case.id}",
            label_visibility="collapsed",
            width=150,
        )
        st.time_input(
            "At",
            value=MORNING,
            key=f"leave-time-{case.id}",
            label_visibility="collapsed",
            width=110,
        )
        st.button(
            "At that time",
            key=key_of("leave-then", case.id),
            disabled=day is None or not ready,
            on_click=sending_later.approve_for_chosen,
            args=(case, checkpoint),
        )
        cancel()


def leaves(case: CaseView) -> str:
    """Return when the approved reply of a case leaves, to end a sentence; empty if at once."""
    return f"leaves {minute(case.leaves_at, zone())}" if case.leaves_at else ""
