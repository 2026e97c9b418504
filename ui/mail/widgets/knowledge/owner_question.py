"""A question to an owner with the place for its answer; the question's words come from a mail."""

import streamlit as st

from data.records.mail.questions import OwnerAnswer, QuestionState, QuestionView
from ui.core import people
from ui.core.chips import chip, chips, make_muted, moment
from ui.core.pages import switch_to
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.text.text_runs import line, run
from ui.core.text.words import language
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.undoing import select


def draw_question(
    question: QuestionView, *, with_case: bool = False, is_folded: bool = False
) -> None:
    """Draw one question: who asks whom what, until when, and the answer or a place for it.

    In a long list that place is folded away until somebody opens it.
    """
    with st.container(key=f"card-question-{question.id}"):
        chips(
            chip(question.state, "warn" if question.state is QuestionState.OPEN else "quiet"),
            make_muted(f"for {people.name_of(question.owner)}"),
            make_muted(f"asked by {question.contact_email}"),
            moment(question.asked_at, now()),
        )
        draw_marked([line(run(question.question, "strong"))], "list", key=f"asked-{question.id}")
        if question.answer:
            draw_marked(
                [line(run(f"{question.answered_by}: ", "quiet"), run(question.answer))],
                "list",
                key=f"answered-{question.id}",
            )
        if question.state is QuestionState.OPEN and is_folded:
            with st.expander("Answer", key=f"fold-{question.id}"):
                _draw_answer_form(question, with_case=with_case)
        elif question.state is QuestionState.OPEN:
            _draw_answer_form(question, with_case=with_case)
        elif question.answer and not question.learned_id:
            st.button(
                "Remember as knowledge",
                key=f"remember-{question.id}",
                icon=":material/school:",
                on_click=_remember,
                args=(question.id,),
            )


def _draw_answer_form(question: QuestionView, *, with_case: bool) -> None:
    """Draw the field for an answer, with what sends it and what withdraws the question."""
    st.text_area(
        "Answer",
        key=f"answer-{question.id}",
        placeholder=f"Your answer, in {language(question.language)}; the reply will tell it",
        label_visibility="collapsed",
        max_chars=4000,
    )
    st.checkbox(
        "Remember it as knowledge, once somebody has accepted it", key=f"keep-{question.id}"
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Answer",
            key=f"send-answer-{question.id}",
            type="primary",
            icon=":material/reply:",
            on_click=_answer,
            args=(question.id,),
        )
        with st.popover("Nobody needs to answer", key=f"no-answer-{question.id}"):
            st.text(
                "The owner can no longer answer, and the case\ngoes on with the draft that it has."
            )
            st.text("This cannot be taken back.")
            st.button(
                "Withdraw the question",
                key=f"withdraw-{question.id}",
                type="primary",
                on_click=_withdraw,
                args=(question.id,),
            )
        if with_case and st.button(
            "Case", key=f"case-{question.id}", icon=":material/rate_review:", type="tertiary"
        ):
            select(question.case_id)
            switch_to("review")


def _answer(id: str) -> None:
    """Callback: send what stands in the fields now."""
    text = str(st.session_state.get(f"answer-{id}") or "")
    keep = bool(st.session_state.get(f"keep-{id}"))
    if not text.strip():
        say("warning", "Write the answer first.")
        return
    order = OwnerAnswer(answer=text.strip(), remember=keep)
    if attempt(lambda: mail_desk().questions.answer(id, order)):
        say("done", "Answered. The reply is drafted again with it.")


def _withdraw(id: str) -> None:
    """Callback: end a question without an answer."""
    if attempt(lambda: mail_desk().questions.withdraw(id)):
        say("done", "Withdrawn. The case waits no more.")


def _remember(id: str) -> None:
    """Callback: propose an answer that was given as knowledge."""
    if attempt(lambda: mail_desk().questions.remember(id)):
        say("done", "Proposed. It counts once somebody has accepted it on the page of knowledge.")
