"""Calls of agents that wait for a person's yes: what exactly, why, and the answers to it."""

from collections.abc import Sequence

import streamlit as st
from pydantic import JsonValue

from data.records.agents.turns import CallDecision, WaitingCall
from ui.agents.api.desk import agents_desk
from ui.core.session import attempt, zone
from ui.core.text.clock import ago, now
from ui.core.text.inert import make_inert

_LONGEST = 16_000


def waiting_calls(calls: Sequence[WaitingCall]) -> None:
    """Draw a card for each call that waits."""
    for call in calls:
        with st.container(key=f"call-{call.approval_id}", border=True):
            _card(call)


def _card(call: WaitingCall) -> None:
    st.markdown(
        f"**{make_inert(call.agent_name)} asks for your yes** · "
        f"{ago(call.asked_at, now(), zone())}  \n"
        f"{make_inert(call.description)}"
    )
    if call.goes_to:
        st.markdown(f"*goes to*: {make_inert(call.goes_to)}")
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    if arguments:
        lines = (
            f"*{make_inert(name)}*: {make_inert(_shown(value))}"
            for name, value in arguments.items()
        )
        st.markdown("  \n".join(lines))
    st.caption("  \n".join(map(make_inert, call.reasons)))
    words = f"call-words-{call.approval_id}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Yes, do it",
            key=f"call-yes-{call.approval_id}",
            type="primary",
            on_click=_decide,
            args=(call, True),
        )
        st.button("No", key=f"call-no-{call.approval_id}", on_click=_decide, args=(call, False))
        st.text_input(
            "Words to the agent",
            key=words,
            max_chars=1000,
            placeholder="Words to the agent, if you like",
            label_visibility="collapsed",
        )
        texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
        if texts:
            with st.popover("Change…"):
                _change(call, arguments, texts)


def _change(call: WaitingCall, arguments: dict[str, JsonValue], texts: dict[str, str]) -> None:
    """Offer to write other texts; what is no text stays as it is."""
    with st.form(f"call-change-{call.approval_id}", border=False):
        written = {
            name: st.text_area(name, value=value, max_chars=_LONGEST, height="content")
            for name, value in texts.items()
        }
        if st.form_submit_button("Do it like this", type="primary"):
            _send(call, approve=True, arguments={**arguments, **written})
            st.rerun()


def _shown(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else str(value)


def _decide(call: WaitingCall, approve: bool) -> None:  # a callback's argument
    _send(call, approve=approve)


def _send(
    call: WaitingCall, *, approve: bool, arguments: dict[str, JsonValue] | None = None
) -> None:
    note = str(st.session_state.get(f"call-words-{call.approval_id}") or "")
    decision = CallDecision(
        version=call.version,
        sha256=call.sha256,
        approve=approve,
        note=note,
        arguments=arguments,
    )
    attempt(lambda: agents_desk().turns.decide_call(call.approval_id, decision))
