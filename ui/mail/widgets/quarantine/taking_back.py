"""Taking back what a person decided about a message, for as long as the decision stands."""

import streamlit as st

from data.records.mail.views import MessageView
from ui.core.chips import chips, make_muted, moment
from ui.core.text.clock import now
from ui.mail.deciding.quarantine import Done, undo
from ui.mail.deciding.screen_decisions import tell_decision


def take_back(message: MessageView) -> None:
    """Draw who decided what and when, and the button that undoes it; nothing without a decision."""
    if message.decision is None:
        return
    chips(make_muted(f"{tell_decision(message.decision)},"), moment(message.decision.at, now()))
    st.button(
        "Take it back",
        key=f"take-back-{message.id}",
        icon=":material/undo:",
        help="Undoes this with its block, allowance and lesson; a release while its case waits",
        on_click=undo,
        args=([Done(id=message.id, subject=message.subject, sentence="", worked=True)],),
    )
