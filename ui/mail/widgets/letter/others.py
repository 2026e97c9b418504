"""Other drafts that are offered beside one of low quality."""

import streamlit as st

from data.counting import plural
from data.records.mail.drafting import AlternativeKind, Checked
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.deciding import decisions

NAMES = {
    AlternativeKind.SHORTER: "The answers alone",
    AlternativeKind.ASK_BACK: "Ask back",
    AlternativeKind.HAND_OVER: "Say that a person has it",
}
_OPEN = (CaseState.IN_REVIEW, CaseState.ESCALATED)


def draw_other_drafts(case: CaseView, checked: Checked) -> None:
    """Draw the other drafts, folded, each with a button that puts it in the draft's place."""
    if not checked.alternatives:
        return
    with st.expander(f"{plural(len(checked.alternatives), 'other draft')} to choose from"):
        for alternative in checked.alternatives:
            with st.container(key=f"card-other-{alternative.kind}"):
                draw_marked(
                    [line(run(alternative.draft.body))],
                    look="letter",
                    key=f"other-{alternative.kind}",
                )
                st.button(
                    f"Use this: {NAMES[alternative.kind]}",
                    key=f"choose-{alternative.kind}",
                    disabled=case.state not in _OPEN,
                    on_click=decisions.choose,
                    args=(case, alternative.kind),
                )
