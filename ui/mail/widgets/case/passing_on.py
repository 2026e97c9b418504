"""Passing a case on to a colleague: to whom, with which words, and what will leave."""

import streamlit as st

from data.records.core.organization import Person
from data.records.mail.passing_on import ForwardPreview, PassedOn
from data.records.mail.views import CaseView
from data.states import DeliveryState
from ui.core import people
from ui.core.chips import chips, make_muted, section
from ui.core.session import attempt, zone
from ui.core.text.clock import write_exactly
from ui.core.text.inert import show_controls
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.text.words import DELIVERY_STATES
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press, passing_on
from ui.mail.widgets.case.cancel import cancel

SIGNS: dict[DeliveryState, Icon] = {
    DeliveryState.SENT: "yes",
    DeliveryState.FAILED: "no",
    DeliveryState.UNKNOWN: "warn",
}


def panel(case: CaseView) -> None:
    """Draw the panel: nothing leaves before its text has been on the screen."""
    typed = passing_on.read_typed(case)
    preview = attempt(lambda: mail_desk().cases.preview_forward(case.id, typed)) or ForwardPreview(
        recipients=()
    )
    person_by_email = {person.email: person for person in preview.recipients}
    if not person_by_email:
        chips(
            make_muted(
                "Nobody to pass it on to: the organization's people and its policy name none."
            )
        )
    else:
        _fields(case, person_by_email)
    if preview.barred:
        draw_marked([line(run(preview.barred), icon="no")], "list", key="forward-barred")
    if preview.text:
        section("What leaves")
        st.code(show_controls(preview.text), language=None, wrap_lines=True)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            "Pass it on",
            key=double_press.key_of("forward-now", case.id),
            type="primary",
            disabled=not preview.approval_hash,
            on_click=passing_on.pass_on,
            args=(case, typed, preview.approval_hash),
        )
        cancel()
        chips(
            make_muted("It cannot be undone once it has left. The case stays open for its answer.")
        )


def passed_on(case: CaseView) -> None:
    """Draw to whom the case was passed on; nothing when it was not."""
    if not case.passed_on:
        return
    section("Passed on")
    draw_marked([_line(passed) for passed in case.passed_on], "list", key="passed-on")


def _fields(case: CaseView, person_by_email: dict[str, Person]) -> None:
    proposed = passing_on.read_planned(case)
    st.selectbox(
        "To whom",
        list(person_by_email),
        index=list(person_by_email).index(proposed) if proposed in person_by_email else None,
        key=f"forward-to-{case.id}",
        format_func=lambda email: _name_person(person_by_email[email]),
        placeholder="Choose a colleague",
    )
    st.text_area(
        "A note of yours",
        key=f"forward-note-{case.id}",
        placeholder="What the colleague should do (optional)",
        max_chars=2000,
        height=90,
    )


def _name_person(person: Person) -> str:
    label = f"{person.name}, {person.role}" if person.role else person.name
    return label if person.name == person.email else f"{label} ({person.email})"


def _line(passed: PassedOn) -> TextLine:
    at = write_exactly(passed.sent_at or passed.created_at, zone())
    return line(
        run(people.name_of(passed.to), "strong", passed.to),
        run(f"  by {passed.approved_by}, {at}: "),
        run(DELIVERY_STATES[passed.state]),
        run(f"\n{passed.response}", "quiet") if passed.state is DeliveryState.FAILED else run(""),
        icon=SIGNS.get(passed.state, "dot"),
    )
