"""Learned entries: their list, one entry, and what a person makes of it."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from data.counting import plural
from data.errors import NotFoundError
from data.records.core.learning import EditProposal, LearnedOrigin, LearnedState, ProposalView
from ui.core.chips import chip, chips, empty, make_muted, moment
from ui.core.pages import switch_to
from ui.core.pane import Pane
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.text.text_runs import line, run
from ui.core.text.words import Tone, language
from ui.core.widgets import lists
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar, moves
from ui.core.widgets.pager import SIZE, first_page, pager, read_page, remember_page
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.double_press import key_of
from ui.mail.deciding.undoing import select

STATES: dict[LearnedState, tuple[str, Tone]] = {
    LearnedState.PROPOSED: ("waits for your yes", "warn"),
    LearnedState.ACCEPTED: ("accepted", "good"),
    LearnedState.REJECTED: ("rejected", "quiet"),
}
ORIGINS: dict[LearnedOrigin, str] = {
    LearnedOrigin.ANSWER: "an owner's answer",
    LearnedOrigin.REPLY: "a question and the reply to it",
    LearnedOrigin.EDIT: "a fact that a person added to a draft",
    LearnedOrigin.AGENT: "an agent's proposal",
}


def choose_state() -> None:
    """Draw the filter."""
    st.selectbox(
        "State",
        ["proposed", "accepted", "rejected", ""],
        key="proposal-state",
        format_func=lambda name: name or "all",
        label_visibility="collapsed",
        persist_state="session",
        on_change=first_page,
        args=("proposals",),
    )


def draw_list() -> None:
    """Draw one page of what was learned, newest first."""
    state = str(st.session_state.get("proposal-state", "proposed") or "")
    q = str(st.session_state.get("knowledge-q") or "")
    proposals_page = read_page(
        "proposals",
        lambda skipped: mail_desk().proposals.find(state, q, limit=SIZE, offset=skipped),
    )
    remember_page("proposals", [entry.id for entry in proposals_page.items], proposals_page.total)
    if not proposals_page.items:
        empty("Nothing here.", "What replies and answers teach will wait here for your yes.")
        return
    chips(make_muted(plural(proposals_page.total, "entry", "entries")))
    at = now()
    with lists.listing("proposals"):
        for entry in proposals_page.items:
            lists.row(
                entry.id,
                entry.source,
                entry.title,
                entry.body,
                (chip(*STATES[entry.state]), make_muted(ORIGINS[entry.origin])),
                moment(entry.created_at, at),
                opened=entry.id == st.session_state.get("proposal"),
                on_open=open_proposal,
            )
    pager("proposals", proposals_page.total)


def open_proposal(id: str) -> None:
    """Open a learned entry in the right half."""
    st.session_state["proposal"] = id


def draw_open() -> None:
    """Draw the entry that was opened."""
    id = st.session_state.get("proposal")
    pane = Pane("proposal")
    try:
        entry = pane.read(partial(mail_desk().proposals.read, str(id))) if id else None
    except NotFoundError:  # it was erased
        entry = None
    if entry is None:
        with pane.of(None):
            lists.nothing_open("proposals", "what was learned")
            bar("proposals")
        return
    with pane.of(entry.id, entry.state):
        _proposal(entry)


def _proposal(entry: ProposalView) -> None:
    chips(
        chip(*STATES[entry.state]),
        chip("not trusted", "warn") if entry.state is LearnedState.PROPOSED else "",
        make_muted(f"learned from {ORIGINS[entry.origin]}, {language(entry.language)}"),
    )
    with st.container(key="card-proposal"):
        by = entry.confirmed_by or entry.rejected_by
        pairs = (("From", entry.source), ("Written by", entry.created_by), ("Decided by", by))
        draw_marked(
            [line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs if value], "list"
        )
        title = st.text_input(
            "Title", entry.title, key=_key("title", entry), max_chars=200, help=_HELP
        )
        body = st.text_area("Text", entry.body, key=_key("body", entry), height=160, max_chars=4000)
        public = st.checkbox("Replies may tell it", entry.public, key=_key("public", entry))
    changed = (title, body, public) != (entry.title, entry.body, entry.public)
    order = (title, body, public)
    with st.container(key="actions"), st.container(horizontal=True, gap="small"):
        if entry.state is LearnedState.PROPOSED:
            _button("Accept", "accept", entry.id, lambda: _accept(entry, order), primary=True)
        if entry.state is not LearnedState.REJECTED:
            label = "Reject" if entry.state is LearnedState.PROPOSED else "Take out"
            _button(label, "reject", entry.id, lambda: _reject(entry))
        if entry.state is LearnedState.ACCEPTED and changed:
            _button("Change", "change", entry.id, lambda: _change(entry, order))
        if entry.undoable:
            _button("Undo", "undo", entry.id, lambda: _undo(entry))
        if entry.case_id and st.button("Case", key="proposal-case", type="tertiary"):
            select(entry.case_id)
            switch_to("review")
        st.space("stretch")
        moves("proposals")


_HELP = "The title may be the words of who asked; write your own where it says too much."


def _key(name: str, entry: ProposalView) -> str:
    """Return a key that is new when the entry says something else, so that fields follow it."""
    return f"proposal-{name}-{entry.id}-{hash((entry.title, entry.body, entry.public))}"


def _button(
    label: str, name: str, id: str, act: Callable[[], None], *, primary: bool = False
) -> None:
    kind: Literal["primary", "secondary"] = "primary" if primary else "secondary"
    st.button(label, key=key_of(f"proposal-{name}", id), type=kind, on_click=act)


def _accept(entry: ProposalView, order: tuple[str, str, bool]) -> None:
    is_as_read = order == (entry.title, entry.body, entry.public)
    worded = entry if is_as_read else _edit(entry, order)
    if worded and attempt(lambda: mail_desk().proposals.accept(worded.id, worded.mark)):
        say("done", "Accepted: drafts may rest on it from now on.")


def _change(entry: ProposalView, order: tuple[str, str, bool]) -> None:
    if _edit(entry, order):
        say("done", "Changed: it waits for a yes again.")


def _reject(entry: ProposalView) -> None:
    if attempt(lambda: mail_desk().proposals.reject(entry.id)):
        say("done", "Nothing rests on it, and it is not proposed again.")


def _undo(entry: ProposalView) -> None:
    if attempt(lambda: mail_desk().proposals.undo(entry.id)):
        say("done", "Taken back.")


def _edit(entry: ProposalView, order: tuple[str, str, bool]) -> ProposalView | None:
    """Give an entry the wording that was typed; return it, or None where that was refused."""
    title, body, public = order
    if len(title.strip()) < 3 or len(body.strip()) < 3:
        say("warning", "Write a title and a text first.")
        return None
    edited = EditProposal(
        title=title,
        body=body,
        public=public,
        kind=entry.kind,
        significance=entry.significance,
        valid_until=entry.valid_until,
        half_life_days=entry.half_life_days,
        supersedes=entry.supersedes,
    )
    return attempt(lambda: mail_desk().proposals.edit(entry.id, edited))
