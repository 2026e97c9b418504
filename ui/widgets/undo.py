"""The bar that offers to take the last decision back, an approval until the reply leaves."""

import json
from pathlib import Path

import streamlit as st

from ui import people
from ui.clock import minute, now
from ui.inert import one_line
from ui.later import unsnooze
from ui.passing_on import keep_back
from ui.session import zone
from ui.undoing import (
    Undo,
    do_after_all,
    forward_after_all,
    give_back,
    put_back,
    reopen,
    restore_agent,
    take_all_back,
    take_back,
)

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


@st.fragment(key="undo")
def undo() -> None:
    """Draw the bar for as long as the offer lasts; the browser counts down by itself."""
    offer: Undo | None = st.session_state.get("undo")
    st.session_state["undo-drawn"] = offer
    left = (offer.until - now()).total_seconds() if offer else 0
    if offer is None or left <= 0:
        st.session_state.pop("undo", None)
        return
    with st.container(
        key="undo", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        text, ending = _tell_undo(offer)
        component = st.components.v2.component("postern_undo", js=_JS, isolate_styles=False)
        data = json.dumps({"text": text, "ending": ending, "left": round(left, 1)})
        component(data=data, key="undo-words", on_over_change=_over)
        st.button(
            "Undo",
            key="undo-approval",
            shortcut="U",
            icon=":material/undo:",
            width="content",
            on_click=_take_back,
            args=(offer,),
        )


def is_drawn() -> bool:
    """Return whether the bar shows the last decision; a quick next key ended its drawing if not."""
    return bool(st.session_state.get("undo") == st.session_state.get("undo-drawn"))


def _over() -> None:
    """Let the bar be drawn anew, which finds its time to be over."""


def _take_back(offer: Undo) -> None:
    if st.session_state.get("undo") != offer:
        return  # the press before this one took it back
    if offer.what == "approved":
        take_back(offer.delivery_id, offer.case_id)
    elif offer.what == "given":
        give_back(offer)
    elif offer.what == "snoozed":
        unsnooze(offer.case_id, offer.version)
    elif offer.what == "passed":
        keep_back(offer)
    elif offer.what == "given_up":
        forward_after_all(offer.forward_id)
    elif offer.what == "task_ended":
        do_after_all(offer.task_id)
    elif offer.what == "agent_changed":
        restore_agent(offer)
    elif offer.cases:
        take_all_back(offer)
    elif offer.event is not None:
        put_back(offer.event)
    else:
        reopen(offer.case_id)


def _tell_undo(offer: Undo) -> tuple[str, str]:
    subject = one_line(offer.subject, 48) or "(no subject)"
    leaves = (
        "Sending is stopped: it waits." if st.session_state.get("stopped") else "Leaves in {} s."
    )
    if offer.what == "given" and not offer.to:
        return f"“{subject}” is nobody's again.", ""
    if offer.what == "given":
        return f"Gave “{subject}” to {people.name_of(offer.to)}.", ""
    if offer.what == "given_up":
        return f"“{subject}” is forwarded no more.", ""
    if offer.what == "snoozed":
        return f"Put “{subject}” off.", ""
    if offer.what == "passed":
        return f"Passed “{subject}” on.", leaves
    if offer.what == "approved" and offer.leaves_at:
        return f"Approved “{subject}”.", f"It leaves {minute(offer.leaves_at, zone())}."
    if offer.what == "approved":
        return f"Approved “{subject}”.", leaves
    if offer.what == "several_approved":
        return f"Approved {offer.subject}.", leaves
    if offer.what == "several_closed":
        return f"Closed {offer.subject}.", ""
    if offer.what == "several_given":
        return f"Gave {offer.subject} to {people.name_of(offer.to)}.", ""
    if offer.what == "task_ended":
        return f"“{subject}” is off your list.", ""
    if offer.what == "agent_changed":
        return f"{subject} works otherwise from its next turn on.", ""
    if offer.what == "event_removed":
        return f"“{subject}” is out of the calendar.", ""
    return f"Closed “{subject}”.", ""
