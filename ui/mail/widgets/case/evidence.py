"""Tabs beside the mail: what a draft rests on and why it waits."""

import streamlit as st

from data.records.mail.views import CaseView
from ui.core.chips import chips, make_muted
from ui.core.text.text_runs import TextLine
from ui.core.widgets.marked import draw_marked
from ui.mail.deciding import screen_decisions
from ui.mail.widgets.case.asking import ask_contact
from ui.mail.widgets.case.customer import draw_customer
from ui.mail.widgets.case.journal import journal
from ui.mail.widgets.case.links import other_cases
from ui.mail.widgets.case.notes import notes
from ui.mail.widgets.case.passing_on import passed_on
from ui.mail.widgets.case.thinking import cost
from ui.mail.widgets.case.understanding import draw_classification, draw_gates, draw_plan
from ui.mail.widgets.letter.reply import sources
from ui.mail.widgets.quarantine.screened import draw_screening, draw_sender
from ui.mail.widgets.quarantine.taking_back import take_back

TABS = ("Sources", "Why", "Plan", "Sender", "Journal")


def evidence(case: CaseView, why: list[TextLine]) -> None:
    """Draw the tabs; `why` is what the head of the case says the first line of."""
    draft = case.revisions[-1].draft if case.revisions else None
    with st.container(key="evidence"):
        sources_tab, reasons, planned, sender, steps = st.tabs(TABS)
        with sources_tab, st.container(key="card-sources"):
            sources(draft, case)
        with reasons, st.container(key="card-gates"):
            if why:
                draw_marked(why, "list", key="why-all")
            draw_gates(case.decision, screen_decisions.find_release(case.messages))
        with planned, st.container(key="card-understood"):
            draw_classification(case.classification)
            draw_plan(case.branches)
            passed_on(case)
        with sender:
            ask_contact(case.item.contact.email)
            other_cases(case)
            draw_customer(case)
            for number, message in enumerate(case.messages):
                with st.container(key=f"card-screen-{number}"):
                    draw_screening(message)
                    draw_sender(message)
                    take_back(message)
        with steps, st.container(key="card-journal"):
            notes(case.thread.notes if case.thread else (), case.id, "journal")
            if not case.steps:
                chips(make_muted("No step has been made yet."))
            cost(case)
            journal(case.steps, case.run_url)
