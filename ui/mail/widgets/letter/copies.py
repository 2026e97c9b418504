"""Copies of a reply: offered from the mail's own headers, or added by the reviewer."""

import streamlit as st

from data.records.mail.copies import ChooseCopies, Copy
from data.records.mail.views import CaseView
from data.states import CaseState
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, say
from ui.core.text.inert import one_line
from ui.core.widgets.typed import make_order
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press

FROM = {"to": "in To of their mail", "cc": "in Cc of their mail", "person": "added here"}
"""Where an address comes from, for people."""
_LABELS = {"cc": "Copy to", "bcc": "Blind copy to"}


def copies(case: CaseView) -> None:
    """Draw who gets a copy, to be changed while the case is before a person."""
    if not case.recipients or case.state not in (CaseState.IN_REVIEW, CaseState.ESCALATED):
        return
    offered = {copy.address: copy for copy in case.copies}
    key = f"copies-{case.id}-{case.version}"
    count = len(_chosen(case))
    label = f"Cc · {count}" if count else "Cc"
    with st.popover(label, type="tertiary", key=f"cc-{case.id}", help="Who gets a copy"):
        st.multiselect(
            "Copy to",
            list(offered),
            default=_chosen(case),
            format_func=lambda address: _label(address, offered.get(address)),
            key=key,
            accept_new_options=True,
            placeholder="Nobody: choose from their mail, or type any address",
            label_visibility="collapsed",
            on_change=choose,
            args=(case, key),
        )
    _blind(case)


def _blind(case: CaseView) -> None:
    """Draw who gets a blind copy: whom a person adds, and nobody else."""
    key = f"blind-{case.id}-{case.version}"
    label = f"Bcc · {len(case.bcc)}" if case.bcc else "Bcc"
    blind_label = "Who gets a copy that nobody else sees"
    with st.popover(label, type="tertiary", key=f"bcc-{case.id}", help=blind_label):
        st.multiselect(
            "Blind copy to",
            list(case.bcc),
            default=list(case.bcc),
            format_func=lambda address: one_line(address, 90),
            key=key,
            accept_new_options=True,
            placeholder="Nobody: type any address",
            label_visibility="collapsed",
            on_change=_choose_blind,
            args=(case, key),
        )


def _label(address: str, offer: Copy | None) -> str:
    """Return an address with its name and where it comes from."""
    if offer is None:
        return one_line(address, 90)
    name = f"{offer.name} · " if offer.name else ""
    return one_line(f"{name}{address} ({FROM[offer.provenance]})", 90)


def _chosen(case: CaseView) -> list[str]:
    """Return who gets a copy as the case was drawn."""
    return [copy.address for copy in case.copies if copy.chosen]


def choose(case: CaseView, key: str) -> None:
    """Tell the engine who gets a copy, where a person has changed it."""
    chosen = _typed(key)
    if list(chosen) == _chosen(case) or not _is_meant(case, key):
        return
    order = make_order(ChooseCopies, {"version": case.version, "cc": chosen}, _LABELS)
    if order and _change(case, key, order):
        say("done", f"A copy goes to {len(chosen)}." if chosen else "Nobody gets a copy.")
    redraw("queue", "item", "undo")


def _choose_blind(case: CaseView, key: str) -> None:
    """Tell the engine who gets a blind copy, likewise."""
    chosen = _typed(key)
    if chosen == case.bcc or not _is_meant(case, key):
        return
    order = make_order(ChooseCopies, {"version": case.version, "bcc": chosen}, _LABELS)
    if order and _change(case, key, order):
        blind_text = (
            f"A blind copy goes to {len(chosen)}." if chosen else "Nobody gets a blind copy."
        )
        say("done", blind_text)
    redraw("queue", "item", "undo")


def _is_meant(case: CaseView, key: str) -> bool:
    """Return whether what a field holds was chosen by a person just now.

    Streamlit calls back too for a field that has left the page and whose value arrives once more;
    a field is drawn under another key after each change, so that each changes something once.
    """
    return double_press.case_on_page() == case.id and st.session_state.get("copies-changed") != key


def _change(case: CaseView, key: str, order: ChooseCopies) -> bool:
    """Tell the engine, and return whether it agreed; what it refused can be chosen again."""
    agreed = bool(attempt(lambda: bool(mail_desk().letters.choose_copies(case.id, order))))
    if agreed:
        st.session_state["copies-changed"] = key
    return agreed


def _typed(key: str) -> tuple[str, ...]:
    return tuple(str(address) for address in st.session_state.get(key) or ())
