"""Language models on a case: what stood in for them, what they write, what they have cost."""

import streamlit as st

from data.counting import plural
from data.records.core.model_views import CallsView
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core.chips import chip, chips, facts, make_muted, section
from ui.core.session import guard_refusals
from ui.core.text.text_runs import TextLine, line, run
from ui.core.text.words import DONE_BY
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk


def fallen_back(case: CaseView) -> list[TextLine]:
    """Return a line for each step at which the embedded provider stood in for a model."""
    return [line(run(sentence), icon="warn") for sentence in case.fallbacks]


def cost(case: CaseView) -> None:
    """Draw what models have used for a case; nothing when none was asked."""
    if not case.calls:
        return
    with st.container(key="card-models"):
        section("Models")
        facts(
            *((DONE_BY.get(call.name, call.name), make_muted(_used(call))) for call in case.calls)
        )


def writing(case_id: str, state: CaseState) -> None:
    """Draw the draft that a model is writing, as plain text; nothing in it is checked yet.

    Only a case that is being worked on is asked about each second.
    """
    if state is CaseState.RUNNING:
        _draw_writing(case_id)


@st.fragment(run_every="1s")
def _draw_writing(case_id: str) -> None:
    with guard_refusals():
        partial = mail_desk().letters.partial_draft(case_id)
        if not partial.writing:
            return
        with st.container(key="card-writing"):
            section("Being written")
            chips(
                chip("not checked yet", "warn"),
                make_muted("This text is not kept until it is done."),
            )
            words(partial.text or "…", "letter", "writing")


def _used(calls: CallsView) -> str:
    share = f", {calls.cache_read / calls.tokens_in:.0%} cached" if calls.tokens_in else ""
    money = f"US$ {calls.cost:.4f}" if not calls.unpriced else "price not known"
    tokens = f"{calls.tokens_in:,} in{share}, {calls.tokens_out:,} out"
    return f"{plural(calls.calls, 'call')}, {tokens}, {money}"
