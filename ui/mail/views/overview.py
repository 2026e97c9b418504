"""The overview: what came in, where it is, and what needs a person."""

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st

from data.counting import plural
from data.records.mail.overview_views import Overview
from data.records.mail.passing_on import Purpose
from data.records.mail.views import QueueCountsView
from data.states import DeliveryState, MessageStatus
from ui.core.chips import chip, chips, empty, section
from ui.core.pages import switch_to
from ui.core.session import guard_refusals, notices
from ui.core.text.clock import now, span, speak_age
from ui.core.text.words import MODES, UNCLEAR, UNDECIDED, percent
from ui.core.widgets.heading import heading
from ui.core.widgets.kill_switch import stop_button
from ui.core.widgets.pager import first_page
from ui.core.widgets.tiles import draw_tile
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.first_steps import first_steps
from ui.mail.widgets.hours import hours
from ui.mail.widgets.promised import draw_promised
from ui.mail.widgets.queue.filters import set_filters

RARE = ("undecided", "failed")
"""Numbers that are shown only where there is something."""


class _Need(NamedTuple):
    """A number of what waits for a person, and where it leads."""

    name: str
    number: int
    label: str
    under: str
    """A few words below the label."""
    leads: Callable[[], None]
    """Opens the page where what is counted stands."""
    tone: Literal["", "bad", "warn"] = ""


def show() -> None:
    """Draw the page."""
    heading("Overview", "What came in, where it is, and what needs you.")
    _draw_numbers()


@st.fragment(run_every="10s")
def _draw_numbers() -> None:
    """Draw everything below the heading, anew every ten seconds."""
    notices("part")  # what was done from within this part of the page
    with guard_refusals():
        overview = mail_desk().reports.overview()
        first_steps()
        _draw_needs(overview, mail_desk().cases.queue_counts())
        draw_promised(overview)
        if overview.turns_unread:
            turns = plural(overview.turns_unread, "turn")
            st.caption(
                f"In the last seven days {turns} of agents could not be read for what to remember; "
                "*What it did* below the answers says why."
            )
        _draw_today(overview)
        hours(overview.by_hour)


def _draw_needs(overview: Overview, counts: QueueCountsView) -> None:
    """Draw the numbers of what waits for a person, or that nothing does."""
    section("Needs you")
    if not (
        overview.in_review or overview.quarantined or overview.needs_decision or overview.failed
    ):
        with st.container(key="card-calm"):
            last = [entry.hour for entry in overview.by_hour if entry.received]
            empty(
                "Nothing needs you.",
                f"The last mail came {speak_age(last[-1], now())}."
                if last
                else "No mail came in the last 24 hours.",
            )
        return
    waiting = overview.oldest_in_review_at
    oldest = f"oldest waits {span((now() - waiting).total_seconds())}" if waiting else ""
    needs = [
        _Need("review", overview.in_review, "to review", oldest, _open_review),
        _Need(
            "mine", counts.mine, "with you", "given to you, or taken", partial(_open_state, "mine")
        ),
        _Need(
            "unassigned",
            counts.unassigned,
            "with nobody",
            "whoever takes them",
            partial(_open_state, "in_review"),
        ),
        _Need(
            "urgent",
            overview.urgent_in_review,
            "urgent",
            "answer these first",
            partial(_open_review, priority="urgent"),
            "bad",
        ),
        _Need(
            "held",
            overview.quarantined,
            "in quarantine",
            "stopped by the screen",
            partial(switch_to, "quarantine"),
        ),
        _Need(
            "undecided",
            overview.needs_decision,
            "deliveries unclear",
            "unknown or refused, you decide",
            _open_undecided,
            "bad",
        ),
        _Need(
            "failed",
            overview.failed,
            "failed",
            "could not be worked on",
            partial(_open_inbox, MessageStatus.FAILED),
            "warn",
        ),
    ]
    shown = [need for need in needs if need.number or need.name not in RARE]
    for column, need in zip(st.columns(len(shown), gap="small"), shown, strict=True):
        with column:
            tone = need.tone if need.number else ""
            if draw_tile(need.name, f"{need.number:,}", need.label, need.under, tone):
                need.leads()


def _draw_today(overview: Overview) -> None:
    """Draw what came in today and is on its way, how drafts fare, and the mode."""
    section("Today")
    columns = st.columns(5, gap="small")
    with columns[0]:
        if draw_tile(
            "today",
            f"{overview.received_today:,}",
            "received today",
            f"{overview.received_total:,} in all",
        ):
            _open_inbox("")
    with columns[1]:
        draw_tile(
            "spool",
            f"{overview.spool_waiting:,}",
            "just come in",
            "kept safe, not yet read",
            leads=False,
        )
    with columns[2]:
        if draw_tile(
            "leaving", f"{overview.waiting_to_send:,}", "waiting to leave", "can be taken back"
        ):
            _open_outbox(DeliveryState.QUEUED)
    with columns[3]:
        unchanged = overview.approved_unchanged
        draw_tile(
            "unchanged",
            "–" if unchanged is None else percent(unchanged),
            "approved unchanged",
            "of approved drafts",
            leads=False,
        )
    with columns[4]:
        quick = overview.median_seconds_to_draft
        draw_tile(
            "quick",
            "–" if quick is None else f"{quick:.1f} s",
            "to a draft",
            "half of them are quicker",
            leads=False,
        )
    with st.container(key="card-mode", horizontal=True, vertical_alignment="center"):
        chips(chip(overview.mode, "accent"))
        st.text(MODES.get(overview.mode, "The mode is not known to this window."), width="stretch")
        if not overview.stopped:
            stop_button()


def _open_review(**only: str) -> None:
    """Open the page of review with these filters alone, and no case."""
    set_filters(**only)
    st.session_state["case"] = None
    switch_to("review")


def _open_state(name: str) -> None:
    """Open the page of review with the cases of a state, or of one of its views, e.g. `mine`."""
    _open_review(state=name)


def _open_inbox(status: str) -> None:
    """Open the inbox with the messages of a status, all of them where it is empty."""
    first_page("messages")
    for name in ("q-messages", "messages-category", "messages-priority", "messages-assignee"):
        st.session_state[f"inbox-{name}"] = ""  # the number is of all
    st.session_state["inbox-kind"] = "Messages"
    st.session_state["inbox-status-messages"] = str(status)
    switch_to("inbox")


def _open_undecided() -> None:
    """Open the outbox with what needs a decision: replies, or else what was passed on."""
    replies = sum(
        mail_desk().outbox.find(str(state), limit=1, purpose=Purpose.REPLY).total
        for state in UNDECIDED
    )
    _open_outbox(UNCLEAR, "replies" if replies else "passed_on")


def _open_outbox(state: str, what: str = "replies") -> None:
    """Open the outbox with the deliveries of a state; `what` is `replies` or `passed_on`."""
    first_page("outbox")
    st.session_state["outbox-what"] = what
    st.session_state["outbox-state"] = str(state)
    switch_to("outbox")


if __name__ == "__main__":
    show()
