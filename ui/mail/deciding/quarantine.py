"""Decisions of a person in the quarantine: callbacks that keep how each ended."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from data.counting import plural
from data.records.core.record import Record
from data.records.mail.views import MessageView
from ui.core import list_navigation
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, say
from ui.core.text.screen_words import rule
from ui.mail.api.desk import mail_desk

VERBS: dict[str, str] = {
    "release": "Released: it goes on, stays flagged, and never leaves by itself",
    "confirm": "Confirmed as a threat",
    "sender": "Confirmed, and later mail of this address is stopped",
    "domain": "Confirmed, and later mail of its whole domain is stopped",
}


ACTIONS: dict[str, Literal["release", "confirm", "block_sender"]] = {
    "release": "release",
    "confirm": "confirm",
    "sender": "block_sender",
}
"""The API's names of what can be decided on several messages at once."""


class Done(Record):
    """How one decision ended, for the list of outcomes."""

    id: str
    subject: str
    sentence: str
    worked: bool


def decide(id: str, subject: str, verb: str, allow: tuple[str, ...] = ()) -> None:
    """Apply a decision to one message, and tell how it ended; a second press changes nothing."""
    ended: tuple[Done, ...] = st.session_state.get("outcomes", ())
    if any(outcome.id == id and outcome.worked for outcome in ended):
        redraw("held", "item", "senders")
    _note_outcomes([id], (_decide(id, subject, verb, allow),))
    redraw("held", "item", "senders")


def decide_all(chosen: list[tuple[str, str]], verb: str) -> None:
    """Apply one decision to all in one call; every outcome is told, none hides another."""
    ids = tuple(id for id, _ in chosen)
    held_outcomes = attempt(lambda: mail_desk().quarantine.decide_several(ids, ACTIONS[verb]))
    subjects = dict(chosen)
    if held_outcomes is not None:
        outcomes = tuple(
            Done(
                id=outcome.id,
                subject=subjects.get(outcome.id, ""),
                sentence=VERBS[verb] if outcome.done else outcome.sentence or "Not done.",
                worked=outcome.done,
            )
            for outcome in held_outcomes
        )
        _note_outcomes(ids, outcomes)
    redraw("held", "item", "senders")


def _note_outcomes(ids: Sequence[str], outcomes: tuple[Done, ...]) -> None:
    st.session_state["outcomes"] = outcomes
    for id in ids:
        st.session_state.pop(f"pick-{id}", None)
    list_navigation.leave("quarantine", [outcome.id for outcome in outcomes if outcome.worked])


def _decide(id: str, subject: str, verb: str, allow: tuple[str, ...]) -> Done:
    quarantine = mail_desk().quarantine
    acts: dict[str, Callable[[], MessageView]] = {
        "release": partial(quarantine.release, id, allow),
        "confirm": partial(quarantine.confirm, id),
        "sender": partial(quarantine.block, id, "sender"),
        "domain": partial(quarantine.block, id, "domain"),
    }
    before = len(st.session_state.get("notices", []))
    worked = attempt(acts[verb]) is not None
    sentence = VERBS[verb]
    if allow:
        sentence += f"; {', '.join(map(rule, allow))} no longer counts for the sender"
    if not worked:
        notices = st.session_state.get("notices", [])[before:]
        sentence = " ".join(text for _, text in notices) or "Not done."
        st.session_state["notices"] = st.session_state.get("notices", [])[:before]
    return Done(id=id, subject=subject, sentence=sentence, worked=worked)


def undo(entries: list[Done]) -> None:
    """Take decisions back, and open the first message that came back."""
    ids = tuple(entry.id for entry in entries)
    outcomes = attempt(lambda: mail_desk().quarantine.decide_several(ids, "undo"))
    dismiss()
    for outcome in outcomes or ():
        if not outcome.done:
            say("warning", outcome.sentence)
    if back := sum(held_outcome.done for held_outcome in outcomes or ()):
        st.session_state["held"] = next(
            held_outcome.id for held_outcome in outcomes or () if held_outcome.done
        )
        say("done", f"{plural(back, 'decision')} taken back.")
    redraw("held", "item", "senders")


def dismiss() -> None:
    """Put the list of outcomes away."""
    st.session_state["outcomes"] = ()
