"""The review queue: the list of what waits, and everything about the case that is open."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from data.counting import plural
from data.gate_words import explain_decision, explain_wait
from data.records.core.briefing import Tier
from data.records.core.screening import Verdict
from data.records.mail.deciding import Outcome
from data.records.mail.views import CaseView, QueueItem, Standing
from data.states import CaseState
from ui.core import address, list_navigation, people
from ui.core.api.listing import Listing
from ui.core.chips import chip, chips, empty, make_muted, moment, unseen_heading
from ui.core.pane import Pane
from ui.core.parts_of_page import note_fragments
from ui.core.session import guard_refusals, notices, read_lately, say, unread
from ui.core.text.clock import now, speak_age
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.text.words import TIERS, word
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import moves
from ui.core.widgets.pager import SIZE, pager, read_page, remember_page
from ui.core.widgets.plain_text import display_name, words
from ui.core.widgets.scroll import draw_chosen, start_at_top
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import (
    assigning,
    decisions,
    double_press,
    prefetching,
    screen_decisions,
    unsent,
)
from ui.mail.deciding.changes import changes
from ui.mail.deciding.decisions import OPEN, Checkpoint
from ui.mail.deciding.undoing import select
from ui.mail.widgets.case.actions import actions
from ui.mail.widgets.case.asking import ask_case
from ui.mail.widgets.case.evidence import evidence
from ui.mail.widgets.case.focus import follow
from ui.mail.widgets.case.menu import case_menu
from ui.mail.widgets.case.notes import notes
from ui.mail.widgets.case.onlookers import draw_onlookers
from ui.mail.widgets.case.parts import draw_other_parts, parts
from ui.mail.widgets.case.snoozing import put_off
from ui.mail.widgets.case.thinking import fallen_back, writing
from ui.mail.widgets.knowledge.owner_question import draw_question
from ui.mail.widgets.letter.editor import editor
from ui.mail.widgets.letter.quality import quality_chip
from ui.mail.widgets.letter.reply import reply
from ui.mail.widgets.message.conversation import conversation
from ui.mail.widgets.message.documents import draw_documents
from ui.mail.widgets.queue import bulk_decision
from ui.mail.widgets.queue.density import density
from ui.mail.widgets.queue.filters import ADDRESS, KNOWN, filters, next_view, read_filters
from ui.mail.widgets.queue.new_mail import new_mail
from ui.mail.widgets.queue.service_words import target_chip

LED_ON = "Newer mail came since: this case answers all of it, in place of the one you asked for."


def show() -> None:
    """Draw the page."""
    heading("Review queue", is_told=False, bare=True)
    address.take("review", ADDRESS, KNOWN)
    note_fragments("queue", "watch", "item", "undo", "views")
    st.session_state["whole_page"] = True
    st.session_state["watched"] = None
    side, right = lists.draw_halves("review")
    with side:
        filters()
        queue()
    with right:
        watch()
        draw_opened()


@st.fragment(key="item")
def draw_opened() -> None:
    """Draw the case that is open; a step to the next one draws nothing else."""
    news = unread()
    notices()
    id = st.session_state.get("case")
    # A press that comes while the same case is drawn anew is meant for it.
    was_open = double_press.case_on_page() == id
    if st.session_state.get("several") or not was_open:
        double_press.note_drawn(None)
    st.session_state["watched"] = None
    with guard_refusals():
        marks, pane = st.container(key="marks"), Pane("case")
        if st.session_state.get("several"):
            _tell_address()
            with pane.of("several"):
                bulk_decision.draw_several()
            return
        if not id:
            _tell_address()
            with pane.of(None):
                lists.nothing_open("queue", "a case")
            return
        case, fresh = pane.read(prefetching.opening(str(id)), str(id))
        if case.taken_over_by and not was_open and not address.steps_back():
            select(case.taken_over_by)
            say("note", LED_ON)
            st.rerun()
        _tell_address()
        with marks:
            start_at_top(case.id)
            follow(case.id, str(st.session_state.get("panel") or ""))
        with pane.of(case.id, case.version):
            double_press.note_drawn(case.id)
            item(case)
        st.session_state["watched"] = case
        prefetching.read_next(case.id)
        if not fresh and mail_desk().cases.read_if_changed(case.id, case.version):
            st.session_state["notices"] = news  # what is drawn anew tells it again
            st.rerun()  # it has changed since it was read ahead


def _tell_address() -> None:
    address.tell(ADDRESS, {"state": "open"})


@st.fragment(run_every="10s", key="queue")
def queue() -> None:
    """Draw the list; it renews itself and leaves what is open alone."""
    whole_page = st.session_state.pop("whole_page", False)
    with guard_refusals(leaving=whole_page):
        queue_page = _list_cases(stepped=whole_page)
        _remember(queue_page)
        if not whole_page and st.session_state.get("case") and not _shows_cases():
            st.rerun()  # nothing was open, and now the first of the list is
        with st.container(horizontal=True, horizontal_alignment="distribute", key="count-head"):
            chips(make_muted(f"{plural(queue_page.total, 'case')}") if queue_page.total else "")
            st.button(
                "View",
                key="next-view",
                type="tertiary",
                shortcut="V",
                help="The next view that holds something",
                on_click=next_view,
            )
            new_mail("review")
            st.button("Several", key="several-begin", type="tertiary", on_click=bulk_decision.begin)
            density()
        moment_now = now()
        if queue_page.items:
            with lists.listing("queue"):
                for entry in queue_page.items:
                    _line(entry, moment_now)
        else:
            _empty_list()
        pager("queue", queue_page.total)


def _shows_cases() -> bool:
    """Return whether the other half shows a case or several, which a step or decision draws."""
    return bool(double_press.case_on_page() or st.session_state.get("several"))


def _list_cases(*, stepped: bool) -> Listing[QueueItem]:
    """Return the list; a step through it needs no other one than was read a moment ago."""
    filters_read = read_filters()

    def read(skipped: int) -> Listing[QueueItem]:
        return read_lately(
            f"queue-{filters_read}-{skipped}",
            lambda: mail_desk().cases.queue(filters_read, limit=SIZE, offset=skipped),
            4.0 if stepped else 0.0,
        )

    return read_page("queue", read)


def _remember(listing: Listing[QueueItem]) -> None:
    ids = tuple(entry.case_id for entry in listing.items)
    remember_page("queue", ids, listing.total)
    opened, narrowed = st.session_state.get("case"), st.session_state.pop("narrowed", False)
    if narrowed and not ids:
        st.session_state["case"] = None
    elif ids and (not opened or (narrowed and opened not in ids)):
        select(ids[0])


def _select(case_id: str) -> None:
    st.session_state.pop("several", None)
    select(case_id)
    draw_chosen()


def _line(entry: QueueItem, at: datetime) -> None:
    lists.row(
        entry.case_id,
        display_name(entry.contact) + (f" ({entry.messages})" if entry.messages > 1 else ""),
        entry.subject,
        entry.preview,
        _labels(entry, at),
        moment(entry.received_at, at),
        opened=entry.case_id == st.session_state.get("case"),
        on_open=_select,
        why=explain_wait(entry),
        marks=(
            chip(entry.priority) if entry.priority == "urgent" else "",
            _verdict(entry),
            make_muted(word(entry.category) if entry.category else "not classified"),
        ),
    )


def _labels(entry: QueueItem, at: datetime) -> tuple[str, ...]:
    return (
        target_chip(entry.target, at) if entry.target else "",
        chip(entry.language, "quiet") if entry.language not in ("en", "und") else "",
        chip("part of a message", "quiet") if entry.part else "",
        chip("our letter", "accent") if entry.again else "",
        chip("would have sent", "accent") if entry.would_auto_send else "",
        chip(people.name_of(entry.assignee), "quiet", "whose it is") if entry.assignee else "",
        *_tags(entry, 1),
        _quality(entry),
    )


def _tags(entry: QueueItem, most: int) -> Sequence[str]:
    """Return what the conversation bears but for its category, which is told anyway.

    There is room for `most` of them; the others are named when the pointer rests on their number.
    """
    own = [tag for tag in entry.tags if tag != entry.category]
    shown = [chip(f"#{tag}", "quiet", "tag") for tag in own[:most]]
    more = own[most:]
    return [*shown, chip(f"+{len(more)}", "quiet", f"also {', '.join(more)}")] if more else shown


def _quality(entry: QueueItem) -> str:
    """Return how good a draft is; of a letter that somebody begins nobody can say."""
    if entry.again:
        return ""
    return quality_chip(entry.quality) if entry.has_draft else chip("no draft", "warn")


def _verdict(entry: QueueItem, by: Standing | None = None) -> str:
    clean = entry.verdict is Verdict.CLEAN
    return "" if clean else screen_decisions.verdict_chip(entry.verdict, by)


def _empty_list() -> None:
    filters_read = read_filters()
    if any(
        (
            filters_read.q,
            filters_read.category,
            filters_read.priority,
            filters_read.verdict,
            filters_read.language,
        )
    ):
        empty("Nothing matches.", "Loosen or clear the filter to see more.")
        return
    if filters_read.whose == "mine":
        empty("Nothing is with you.", "Take a case with P, or turn to another view", "with V")
        return
    last = mail_desk().messages.find(limit=1).items
    came = (
        f"The last message came {speak_age(last[0].received_at, now())}."
        if last
        else "No mail has come yet."
    )
    empty("Nothing needs you.", came)


def item(case: CaseView) -> None:
    """Draw one case: its head, the mail with its evidence, the letter, and what can be done."""
    why = _explain_wait(case)
    _head(case, why)
    put_off(case)
    draw_other_parts(case)
    writing(case.id, case.state)
    checkpoint: Checkpoint | None = None
    left, right = st.columns([46, 54], gap="medium")
    with left:
        with st.container(key="mail"):
            unseen_heading("The mail")
            notes(case.thread.notes if case.thread else (), case.id)
            conversation(case, now())
            draw_documents(case.id, case.messages)
            parts(case)
            for question in case.questions:
                draw_question(question)
        evidence(case, why)
    with right, st.container(key="letter"):
        if case.state in OPEN:
            checkpoint = editor(case)
        else:
            reply(case)
    actions(case, checkpoint)


def _head(case: CaseView, why: list[TextLine]) -> None:
    entry = case.item
    with st.container(key="case-head", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="case-title", gap=None):
            unseen_heading("The case")
            words(lists.subject_line(entry.subject), "subject", "case", wrap=False)
            if why:
                draw_marked(why[:1], "one")
        chips(
            chip(case.state) if case.state is not CaseState.IN_REVIEW else "",
            chip(entry.priority) if entry.priority and entry.priority != "normal" else "",
            chip(entry.category) if entry.category else "",
            _verdict(entry, screen_decisions.find_release(case.messages)),
            chip(f"with {people.name_of(entry.assignee)}", "quiet") if entry.assignee else "",
            *_tags(entry, 2),
            moment(entry.received_at, now()),
            make_muted(list_navigation.place("queue", case.id)),
        )
        with st.container(
            key="case-corner", horizontal=True, wrap=False, gap=None, width="content"
        ):
            moves("queue")
            if case.state in OPEN:
                _draw_claim(case)
            st.button(
                "Note",
                key="panel-note",
                icon=":material/sticky_note_2:",
                shortcut="N",
                help="A note for colleagues",
                on_click=decisions.panel,
                args=("note",),
            )
            ask_case(case.id)
            case_menu(case)


def _draw_claim(case: CaseView) -> None:
    """Draw the button that takes a case, or puts one back."""
    mine = assigning.is_mine(case)
    st.button(
        "Put back" if mine else "Take",
        key=double_press.key_of("take", case.id),
        shortcut="P",
        help="Nobody's again" if mine else "It is with you from now on",
        on_click=assigning.take_or_return,
        args=(case,),
    )


def _explain_wait(case: CaseView) -> list[TextLine]:
    """Return why the case waits, what must be known first of all first."""
    lines = [
        line(run("Failed at "), run(step.stage, "strong"), run(f": {step.error}"), icon="no")
        for step in case.steps[-1:]
        if step.status == "failed"
    ]
    if case.item.again:
        lines.append(line(run(case.item.reason), icon="info"))
    if case.tier is not Tier.NORMAL:
        lines.append(line(run(TIERS[case.tier]), icon="warn"))
    if case.decision and case.decision.reason:
        icon: Icon = "warn" if case.decision.outcome is Outcome.ESCALATE else "info"
        reason = explain_decision(case.decision, case.item.quality, waits=case.state in OPEN)
        lines.append(line(run(people.with_names(reason)), icon=icon))
    return [*lines, *fallen_back(case)]


def _writes(case: CaseView) -> bool:
    """Return whether a person has changed the reply, or has begun a note or an answer."""
    if str(st.session_state.get("panel") or "") in ("note", "answer"):
        return True
    return unsent.find_unsent(case.id) is not None


@st.fragment(run_every="8s", key="watch")
def watch() -> None:
    """Say what has changed in the open case, without taking away what is being typed.

    Whatever draws another case draws this anew too, and before it, so that nothing said of the
    case before stays; then it has nothing to say yet.
    """
    case: CaseView | None = st.session_state.get("watched")
    pane = Pane("watch")
    if case is None or case.id != st.session_state.get("case"):
        with pane.of(None):
            return
    with guard_refusals(leaving=False):
        onlookers = mail_desk().cases.look_in(case.id, writing=_writes(case))
        change_seen = mail_desk().cases.read_if_changed(case.id, case.version)
        if change_seen is None:
            with pane.of(case.id if onlookers else None):
                draw_onlookers(onlookers)
                return
        with pane.of(change_seen.id, change_seen.version), st.container(key="note-warn-moved"):
            draw_onlookers(onlookers)
            st.html('<b style="font-size:.9rem">Changed since you opened it</b>')
            draw_marked(
                [
                    line(run(people.with_names(change)), icon="info")
                    for change in changes(case, change_seen)
                ],
                "list",
                key="moved",
            )
            with st.container(horizontal=True, gap="small"):
                if st.button("Show the change", key="reload", icon=":material/refresh:"):
                    st.rerun()
                newer = change_seen.taken_over_by
                if newer and st.button("Open the newer case", key="to-successor"):
                    select(newer)
                    st.rerun()


if __name__ == "__main__":
    show()
