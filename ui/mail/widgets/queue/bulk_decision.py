"""One decision on several cases: each is shown whole, and decided on exactly as shown.

They are those of the list from the open page on, also beyond that page, as the list is filtered.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import streamlit as st

from data.counting import plural
from data.errors import PosternError
from data.records.core.screening import Verdict
from data.records.mail.drafting import Severity
from data.records.mail.orders import MOST_CASES, DecideCases, ShownCase
from data.records.mail.senders import Decided
from data.records.mail.views import CaseView
from data.records.mail.vigilance import VigilanceView
from ui.core import list_navigation
from ui.core.chips import chip, chips, make_muted, section
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, organization, read_lately, say
from ui.core.text.inert import label_words, shorten_middle
from ui.core.text.text_runs import annotate_body, line, run
from ui.core.widgets.lists import subject_line
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.pager import offset
from ui.core.widgets.plain_text import words, write_full
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import unsent
from ui.mail.deciding.decisions import OPEN
from ui.mail.deciding.undoing import offer_to_take_all_back
from ui.mail.widgets.letter.quality import quality_chip
from ui.mail.widgets.queue.filters import read_filters
from ui.mail.widgets.queue.several_tags import tag_buttons, tag_fields

BulkDecision = Literal["approve", "archive", "reassign"]
BulkAction = Literal["approve", "archive", "reassign", "tag"]
ACTIONS: dict[BulkAction, str] = {
    "approve": "Approve & send",
    "archive": "Close without a reply",
    "reassign": "Give to somebody",
    "tag": "Tag",
}
UNDONE_AS: dict[BulkDecision, Literal["several_approved", "several_closed", "several_given"]] = {
    "approve": "several_approved",
    "archive": "several_closed",
    "reassign": "several_given",
}
NAMED = 5
"""Cases that are named where all of them went well."""
LEAST = 90
"""Quality from which replies are offered for approval, of 100, before a person says otherwise."""


def begin() -> None:
    """Open the panel over the cases of the list, in a callback."""
    st.session_state["several"] = True
    st.session_state.pop("several-shown", None)
    redraw("item")


def end() -> None:
    """Close the panel, in a callback."""
    st.session_state.pop("several", None)
    redraw("item")


def draw_several() -> None:
    """Draw the choice of a decision, the cases it would be about, and what becomes of each."""
    shown = _shown()
    section("Several cases at once")
    if reach := _reach(len(shown)):
        chips(make_muted(reach))
    standing = read_lately("vigilance", mail_desk().reports.vigilance)
    action: BulkAction = st.segmented_control(
        "Decision",
        list(ACTIONS),
        default="approve",
        format_func=lambda name: ACTIONS[name],
        key="several-action",
        required=True,
        label_visibility="collapsed",
    )
    least = LEAST
    if action == "approve":
        least = st.slider("Quality of at least", 50, 100, LEAST, 5, key="several-least")
    offered = [case for case in shown if _offered(case, action, least)]
    if action == "approve" and len(offered) > standing.most_at_once:
        st.warning(_slowed(standing), icon=":material/visibility:")
        offered = offered[: standing.most_at_once]
    above = st.container(gap="small")
    picked = [case for case in offered if _case(case, action)]
    if not offered:
        chips(make_muted("None of the cases in the list is one for this."))
    if action == "tag":
        with above:
            tag_fields(offered, picked)
        tag_buttons(picked, on_cancel=end)
        return
    assignee = _assignee() if action == "reassign" else ""
    with st.container(key="actions"), st.container(horizontal=True, gap="small"):
        st.button(
            f"{ACTIONS[action]}: {plural(len(picked), 'case')}",
            key="several-now",
            type="primary",
            disabled=not picked or (action == "reassign" and not assignee),
            on_click=_decide,
            args=(action, picked, assignee),
        )
        st.button("Cancel", key="several-cancel", shortcut="Esc", type="tertiary", on_click=end)


def _reach(count: int) -> str:
    """Return which cases of a list that is longer these are; empty where they are all of it."""
    before, total = st.session_state.get("several-span", (0, 0))
    if total <= count:
        return ""
    first = before + 1
    return f"Cases {first:,} to {before + count:,} of {total:,}, in the order of the list"


def _slowed(standing: VigilanceView) -> str:
    ended = standing.seen + standing.missed
    return (
        f"Of the last {plural(ended, 'planted fault')} {standing.missed} were missed, so at most "
        f"{plural(standing.most_at_once, 'letter')} can be approved at once. Look at each."
    )


def _shown() -> list[CaseView]:
    """Return the cases from the open page on, as they were when the panel was opened."""
    if "several-shown" not in st.session_state:
        case_api, before = mail_desk().cases, offset("queue")
        listing = case_api.queue(read_filters(), limit=MOST_CASES, offset=before)
        ids = [entry.case_id for entry in listing.items]
        st.session_state["several-span"] = (before, listing.total)

        def read(id: str) -> CaseView | None:
            try:
                return case_api.read(id)
            except PosternError:
                return None  # it is gone from the queue

        with ThreadPoolExecutor(4, thread_name_prefix="several") as pool:
            cases = [case for case in pool.map(read, ids) if case is not None]
        st.session_state["several-shown"] = cases
        st.session_state["several-since"] = time.monotonic()
    case_views: list[CaseView] = st.session_state["several-shown"]
    return case_views


def _offered(case: CaseView, action: BulkAction, least: int) -> bool:
    """Return whether a decision may be about a case; what is doubtful is approved by itself."""
    if action == "tag":
        return True
    if case.state not in OPEN:
        return False
    if action != "approve":
        return True
    newest = case.revisions[-1] if case.revisions else None
    checked = newest.checked if newest else None
    return bool(
        checked
        and case.recipients
        and case.approval_hash
        and case.item.verdict is Verdict.CLEAN
        and round(checked.quality * 100) >= least
        and not any(finding.severity is Severity.BLOCK for finding in checked.findings)
        and not any(file.warnings for file in case.attachments)
        and unsent.find_unsent(case.id) is None
    )


def _case(case: CaseView, action: BulkAction) -> bool:
    """Draw one case with the reply that would leave; return whether it is picked."""
    with st.container(key=f"card-several-{case.id}"):
        subject = shorten_middle(subject_line(case.item.subject), 90)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            picked = st.checkbox(
                f"Pick {label_words(subject) or 'this case'}",
                value=action == "approve",
                key=f"several-{action}-{case.id}",
                label_visibility="collapsed",
                width="content",
            )
            words(subject, "small", f"several-about-{case.id}")
        chips(
            quality_chip(case.item.quality) if case.revisions else chip("no draft", "warn"),
            *(chip(f"#{tag}", "quiet", "tag") for tag in case.item.tags if action == "tag"),
        )
        words(f"From {write_full(case.item.contact)}", "dim", f"several-{case.id}")
        if action == "approve":
            newest = case.revisions[-1]
            draft, checked = newest.draft, newest.checked
            findings = checked.findings if checked else ()
            words(_describe_recipients(case), "dim", f"several-to-{case.id}")
            words(draft.subject, "who", f"several-subject-{case.id}")
            text = annotate_body(draft.body, draft.citations, findings)
            draw_marked([line(*text)], "letter", key=f"several-letter-{case.id}")
        else:
            draw_marked([line(run(case.item.preview))], "list", key=f"several-mail-{case.id}")
    return bool(picked)


def _describe_recipients(case: CaseView) -> str:
    """Return to whom a letter goes, who gets a blind copy, and what files it carries."""
    addressed = f"To {', '.join(case.recipients)}"
    if case.bcc:
        addressed += f"; blind copy to {', '.join(case.bcc)}"
    if case.attachments:
        names = ", ".join(file.filename for file in case.attachments)
        addressed += f"; with {plural(len(case.attachments), 'file')}: {names}"
    return addressed


def _assignee() -> str:
    opened = organization()
    name_by_email = {person.email: person.name for person in (opened.people if opened else ())}
    chosen = st.selectbox(
        "To whom",
        list(name_by_email),
        index=None,
        format_func=lambda email: name_by_email[email],
        key="several-assignee",
        placeholder="Choose a colleague",
    )
    return str(chosen or "")


def _decide(action: BulkDecision, picked: Sequence[CaseView], assignee: str) -> None:
    order = DecideCases(
        action=action,
        cases=tuple(
            ShownCase(id=case.id, version=case.version, approval_hash=case.approval_hash)
            for case in picked
        ),
        assignee=assignee,
        looked_seconds=min(time.monotonic() - st.session_state["several-since"], 86_400),
    )
    outcomes = attempt(lambda: mail_desk().cases.decide_several(order))
    if outcomes is not None:
        _tell(outcomes, {case.id: case.item.subject for case in picked})
        st.session_state.pop("several", None)
        done = {outcome.id for outcome in outcomes if outcome.done}
        list_navigation.leave("queue", [outcome.id for outcome in outcomes if outcome.done])
        if done:
            cases = [case for case in picked if case.id in done]
            offer_to_take_all_back(UNDONE_AS[action], cases, assignee)
    redraw(*ALL)


def _tell(outcomes: Sequence[Decided], subjects: dict[str, str]) -> None:
    done = [one for one in outcomes if one.done]
    if done:
        names = [f"“{shorten_middle(subject_line(subjects.get(one.id, '')), 30)}”" for one in done]
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        say("done", f"{plural(len(done), 'case')} decided. {', '.join(names[:NAMED])}{more}")
    for outcome in outcomes:
        if not outcome.done:
            subject = subject_line(subjects.get(outcome.id, ""))
            say("warning", f"Not done: “{shorten_middle(subject, 60)}”: {outcome.sentence}")
