"""Questions that the knowledge did not answer: the list to write entries from."""

import streamlit as st

from data.counting import plural
from data.records.core.kept_knowledge import OpenQuestion
from ui.core.chips import chip, chips, empty, make_muted, moment
from ui.core.pages import switch_to
from ui.core.session import core_desk
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.widgets.knowledge.entry_form import NEW


def draw_list() -> None:
    """Draw the questions, each with its case and the way to an entry."""
    q = str(st.session_state.get("knowledge-q") or "").lower().split()
    items = [
        item
        for item in core_desk().knowledge.open_questions().items
        if all(word in item.question.lower() for word in q)
    ]
    if not items:
        empty("Every question was answered.", "What drafts leave open is listed here.")
        return
    chips(make_muted(plural(len(items), "question")))
    for place, question in enumerate(items):
        _question(place, question)


def _question(place: int, open_question: OpenQuestion) -> None:
    with st.container(key=f"card-open-question-{place}"):
        chips(
            chip(open_question.category) if open_question.category else "",
            moment(open_question.asked_at, now()),
        )
        draw_marked(
            [line(run(one_line(open_question.question, 300), "strong"))],
            "list",
            key=f"asked-{place}",
        )
        with st.container(horizontal=True, gap="small"):
            st.button("Write the answer", key=f"question-write-{place}", on_click=_write,
                      args=(open_question.question,))  # fmt: skip
            if st.button("Open the case", key=f"question-case-{place}", type="tertiary"):
                st.session_state["case"] = open_question.case_id
                switch_to("review")


def _write(question: str) -> None:
    st.session_state["entry"] = NEW
    st.session_state["entry-title-given"] = one_line(question, 200)
    st.session_state.pop(f"entry-title-{NEW}", None)
