"""First steps, on the overview until the state says that all of them are done."""

import streamlit as st

from data.records.mail.setting_up import Setup, SetupStep, StepName
from ui.core.chips import chips, make_muted, section
from ui.core.pages import switch_to
from ui.core.session import read_lately
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk

TITLES = {
    StepName.ADDRESS: "Who you are",
    StepName.PEOPLE: "Who is here",
    StepName.VOICE: "How you write",
    StepName.KNOWLEDGE: "What drafts may rest on",
    StepName.POLICY: "What may leave without a person",
    StepName.TRIAL: "A test mail, followed to its draft",
    StepName.MAIL: "How mail arrives",
    StepName.LEAVING: "How replies leave",
}


def first_steps() -> None:
    """Draw the steps from an empty house to the first answer until all of them are done."""
    if st.session_state.get("setup-done"):
        return
    setup = read_lately("setup", lambda: mail_desk().setup.steps(), 30.0)
    remember_steps(setup)
    if setup.done:
        st.session_state["setup-done"] = True
        return
    with st.container(key="card-first-steps"):
        section("First steps")
        steps_list(setup, "first-steps")
        if st.button("Go on with them", key="first-steps-go", type="primary"):
            switch_to("setup")


def remember_steps(setup: Setup) -> None:
    """Have every page lead back to the first steps until all of them are done."""
    done = sum(step.done for step in setup.steps)
    st.session_state["setup-way"] = "" if setup.done else f"{done} of {len(setup.steps)}"


def steps_list(setup: Setup, key: str) -> None:
    """Draw every step with whether it is done, and what is there or missing."""
    done = sum(step.done for step in setup.steps)
    chips(make_muted(f"{done} of {len(setup.steps)} are done."))
    draw_marked([_step(step) for step in setup.steps], "list", key=key)


def _step(step: SetupStep) -> TextLine:
    icon: Icon = "yes" if step.done else "info"
    return line(run(TITLES[step.name], "strong"), run(f"\n{step.sentence}", "quiet"), icon=icon)
