"""The parts of a message with several wishes: each with its own draft, quality and decision."""

import streamlit as st

from data.counting import plural
from data.gate_words import explain_decision
from data.records.mail.deciding import Outcome
from data.records.mail.drafting import Checked, Draft
from data.records.mail.orders import Join, PartCase
from data.records.mail.views import BranchView, CaseView
from data.states import CaseState
from ui.core import people
from ui.core.chips import chip, chips, make_muted, meter, section
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, say
from ui.core.text.inert import make_inert
from ui.core.text.text_runs import TextLine, annotate_body, line, run
from ui.core.text.words import Tone, word_sentence
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions
from ui.mail.deciding.decisions import OPEN
from ui.mail.deciding.undoing import select
from ui.mail.widgets.letter.quality import explain_number
from ui.mail.widgets.letter.reply import cited_sources, draw_findings

_LONGEST = 90
_ENDS: dict[Outcome, tuple[str, Tone]] = {
    Outcome.AUTO_SEND: ("may leave by itself", "good"),
    Outcome.REVIEW: ("held for you", "warn"),
    Outcome.ESCALATE: ("handed to a person", "warn"),
    Outcome.ARCHIVE: ("needs no reply", "quiet"),
}
_STAND = {
    CaseState.SENT: "answered",
    CaseState.APPROVED: "approved, leaves soon",
    CaseState.ARCHIVED: "closed without a reply",
}


def parts(case: CaseView) -> None:
    """Draw the parts of a case that has several, each with what would become of it by itself."""
    if len(case.branches) < 2:
        return
    with st.container(key="card-parts"):
        section(f"{plural(len(case.branches), 'part')} of this message")
        for number, branch in enumerate(case.branches, start=1):
            _part(case, number, branch)


def draw_other_parts(case: CaseView) -> None:
    """Draw the way to the cases that answer the other parts of the same messages."""
    if not case.others:
        return
    with st.container(key="note-parts", gap="small"):
        chips(make_muted("Another part of this message has a case of its own."))
        for number, other in enumerate(case.others):
            state = _STAND.get(CaseState(other.state), other.state.replace("_", " "))
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                chips(chip(state))
                st.button(
                    make_inert(" ".join(other.wishes) or "(no words)", limit=_LONGEST),
                    key=f"other-part-{number}",
                    type="tertiary",
                    icon=":material/call_split:",
                    on_click=decisions.open_case,
                    args=(other.id,),
                )
        if case.state in OPEN and any(
            CaseState(other_case.state) in OPEN for other_case in case.others
        ):
            st.button(
                "Answer all parts in one reply",
                key="join-parts",
                icon=":material/merge:",
                on_click=_join,
                args=(case,),
            )


def _part(case: CaseView, number: int, branch: BranchView) -> None:
    with st.container(key=f"card-part-{number}"):
        decision, checked = branch.decision, branch.checked or Checked()
        ending, colour = _ENDS[decision.outcome] if decision else ("not decided yet", "quiet")
        if decision and decision.would_auto_send:
            ending, colour = "would have left by itself", "accent"
        chips(
            make_muted(f"Part {number}"),
            chip(branch.intent.intent, "accent"),
            chip(branch.intent.category),
            chip(branch.priority) if branch.priority else "",
            chip(branch.state),
            chip(ending, colour),
        )
        words(branch.intent.text, "small", f"part-{number}")
        chips(
            meter(checked.quality, "quality", explain_number(checked)),
            meter(branch.intent.confidence, "sure of it", "How sure Postern is of this part"),
        )
        if decision and decision.outcome is not Outcome.AUTO_SEND:
            draw_marked(_holding(branch), "list", key=f"holding-{number}")
        if branch.draft and branch.draft.body.strip():
            with st.expander("Draft of this part by itself"):
                _draft(case, branch.draft, checked, number)
        if case.state in OPEN and branch.draft:
            st.button(
                "Decide on this part by itself",
                key=f"part-{number}-apart",
                icon=":material/call_split:",
                on_click=_apart,
                args=(case, branch),
            )


def _holding(branch: BranchView) -> list[TextLine]:
    """Return why a part does not leave by itself: the decision, and the gates that say no."""
    decision = branch.decision
    if decision is None:
        return []
    quality = branch.checked.quality if branch.checked else 0.0
    gates = [gate for gate in decision.gates if not gate.passed and gate.name != "shadow_mode"][:3]
    return [
        line(run(people.with_names(explain_decision(decision, quality))), icon="info"),
        *(line(run(word_sentence(gate.reason), "quiet"), icon="no") for gate in gates),
    ]


def _draft(case: CaseView, draft: Draft, checked: Checked, number: int) -> None:
    texts = {snippet.ref: snippet.text for snippet in (*case.snippets, *case.cited)}
    place = f"card-part-{number}-source"
    text = annotate_body(draft.body, draft.citations, checked.findings, texts, place)
    draw_marked([line(*text)], "letter", key=f"part-draft-{number}")
    draw_findings(checked.findings, key=f"part-findings-{number}")
    cited_sources(draft, case, place)


def _apart(case: CaseView, branch: BranchView) -> None:
    order = PartCase(version=case.version, branches=(branch.id,))
    parted = attempt(lambda: mail_desk().cases.part(case.id, order))
    if parted is not None:
        select(parted.id)
        say(
            "done",
            "This part is a case of its own now. The reply to the rest says that it follows.",
        )
    redraw(*ALL)


def _join(case: CaseView) -> None:
    if attempt(lambda: mail_desk().cases.join(case.id, Join(version=case.version))):
        say("done", "One case again; its reply is being written anew.")
    redraw(*ALL)
