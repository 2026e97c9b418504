"""The overview: what came in, where it is, and what needs a person."""

from functools import partial

import streamlit as st

from data.records.mail.overview_views import Count, Overview
from data.states import DeliveryState, MessageStatus
from ui.chips import chip, chips, empty, section
from ui.clock import now, span, spoken
from ui.inert import inert
from ui.session import desk, guarded, notices
from ui.widgets.filters import narrow
from ui.widgets.first_steps import first_steps
from ui.widgets.heading import heading
from ui.widgets.hours import hours
from ui.widgets.promised import promised
from ui.widgets.stop import stop_button
from ui.widgets.thinking import spending
from ui.widgets.tiles import tile
from ui.words import MODES, percent, word

REVIEW, INBOX, QUARANTINE, OUTBOX = (
    f"views/{name}.py" for name in ("review", "inbox", "quarantine", "outbox")
)


def show() -> None:
    """Draw the page."""
    heading("Overview", "What came in, where it is, and what needs you.")
    _numbers()


@st.fragment(run_every="10s")
def _numbers() -> None:
    notices("part")  # what was done from within this part of the page
    with guarded():
        overview = desk().overview()
        first_steps()
        _needs(overview)
        promised(overview)
        _flow(overview)
        hours(overview.by_hour)
        _splits(overview)
        spending(desk().models())


def _needs(seen: Overview) -> None:
    section("Needs you")
    if not (seen.in_review or seen.quarantined or seen.needs_decision or seen.failed):
        with st.container(key="card-calm"):
            last = [entry.hour for entry in seen.by_hour if entry.received]
            empty(
                "Nothing needs you.",
                f"The last mail came {spoken(last[-1], now())}."
                if last
                else "No mail came in the last 24 hours.",
            )
        return
    waiting = seen.oldest_in_review_at
    oldest = f"oldest waits {span((now() - waiting).total_seconds())}" if waiting else ""
    columns = st.columns(5, gap="small")
    with columns[0]:
        if tile("review", f"{seen.in_review:,}", "to review", oldest):
            _review()
    with columns[1]:
        if tile(
            "urgent",
            f"{seen.urgent_in_review:,}",
            "urgent",
            "answer these first",
            "bad" if seen.urgent_in_review else "",
        ):
            _review(priority="urgent")
    with columns[2]:
        if tile("held", f"{seen.quarantined:,}", "in quarantine", "stopped by the screen"):
            st.switch_page(QUARANTINE)
    with columns[3]:
        if tile(
            "undecided",
            f"{seen.needs_decision:,}",
            "deliveries unclear",
            "unknown or refused, you decide",
            "bad" if seen.needs_decision else "",
        ):
            _outbox("needs_decision")
    with columns[4]:
        if tile(
            "failed",
            f"{seen.failed:,}",
            "failed",
            "could not be worked on",
            "warn" if seen.failed else "",
        ):
            _inbox(MessageStatus.FAILED)


def _flow(seen: Overview) -> None:
    section("Today")
    columns = st.columns(5, gap="small")
    with columns[0]:
        if tile(
            "today", f"{seen.received_today:,}", "received today", f"{seen.received_total:,} in all"
        ):
            _inbox("")
    with columns[1]:
        tile(
            "spool",
            f"{seen.spool_waiting:,}",
            "just come in",
            "kept safe, not yet read",
            leads=False,
        )
    with columns[2]:
        if tile("leaving", f"{seen.waiting_to_send:,}", "waiting to leave", "can be taken back"):
            _outbox(DeliveryState.QUEUED)
    with columns[3]:
        unchanged = seen.approved_unchanged
        tile(
            "unchanged",
            "–" if unchanged is None else percent(unchanged),
            "approved unchanged",
            "of approved drafts",
            leads=False,
        )
    with columns[4]:
        quick = seen.median_seconds_to_draft
        tile(
            "quick",
            "–" if quick is None else f"{quick:.1f} s",
            "to a draft",
            "half of them are quicker",
            leads=False,
        )
    with st.container(key="card-mode", horizontal=True, vertical_alignment="center"):
        chips(chip(seen.mode, "accent"))
        st.text(MODES.get(seen.mode, "The mode is not known to this window."), width="stretch")
        if not seen.stopped:
            stop_button()


def _splits(seen: Overview) -> None:
    columns = st.columns(3, gap="small")
    for column, name, title, counts in zip(
        columns,
        ("status", "category", "verdict"),
        ("Where messages are", "What they are about", "What the screen said"),
        (seen.by_status, seen.by_category, seen.by_verdict),
        strict=True,
    ):
        with column, st.container(key=f"card-split-{name}"):
            section(title)
            _bars(name, counts)


def _bars(name: str, counts: tuple[Count, ...]) -> None:
    if not counts:
        empty("Nothing yet.")
        return
    with st.container(key=f"split-{name}", gap=None):
        for count in sorted(counts, key=lambda entry: -entry.value):
            pressed = st.button(
                f"{inert(word(count.name))} · {count.value:,}",
                key=f"split-{name}-{count.name}",
                type="tertiary",
                width="stretch",
            )
            if pressed:
                _lead(name, count.name)


def _lead(name: str, value: str) -> None:
    leads = {
        "status": partial(_inbox, value),
        "category": partial(_review, category=value),
        "verdict": partial(_review, verdict=value),
    }
    if name == "verdict" and value == "quarantine":
        st.switch_page(QUARANTINE)
    leads[name]()


def _review(**only: str) -> None:
    narrow(**only)
    st.session_state["case"] = None
    st.switch_page(REVIEW)


def _inbox(status: str) -> None:
    st.session_state["inbox-kind"] = "Messages"
    st.session_state["inbox-status-messages"] = str(status)
    st.switch_page(INBOX)


def _outbox(state: str) -> None:
    st.session_state["outbox-state"] = str(state)
    st.switch_page(OUTBOX)


if __name__ == "__main__":
    show()
