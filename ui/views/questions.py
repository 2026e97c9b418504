"""Questions to owners: what mail asks and the knowledge does not say."""

import streamlit as st

from ui.session import desk, guarded
from ui.widgets.asked import asked
from ui.widgets.chips import empty
from ui.widgets.heading import heading
from ui.widgets.pager import SIZE, first_page, offset, pager

STATES = {"open": "Open", "answered": "Answered", "all": "All"}


def show() -> None:
    """Draw the page."""
    heading("Questions", "What the knowledge does not answer, and you may.")
    with guarded():
        _questions()


def _questions() -> None:
    st.segmented_control(
        "State",
        list(STATES),
        key="question-state",
        default="open",
        required=True,
        format_func=lambda name: STATES[name],
        label_visibility="collapsed",
        persist_state="session",
        on_change=first_page,
        args=("questions",),
    )
    state = str(st.session_state.get("question-state") or "open").replace("all", "")
    found = desk().questions(state, limit=SIZE, offset=offset("questions"))
    if not found.items:
        empty(
            "No questions.",
            "Owners are asked what the knowledge does not say, once the policy names them.",
        )
        return
    for question in found.items:
        asked(question, with_case=True)
    pager("questions", found.total)


if __name__ == "__main__":
    show()
