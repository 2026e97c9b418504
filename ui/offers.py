"""What is offered where a person types `/` in a letter: saved replies, and sources of the case."""

import time

import streamlit as st

from data.errors import PosternError
from data.records.core.learning import SavedReplyView
from data.records.mail.views import CaseView
from ui.session import desk, organization

KEPT_SECONDS = 120.0
"""How long the list of saved replies is kept before it is asked for anew."""
AROUND = ("{first_name}", "{name}", "{organization}")
"""Slots of the paragraphs around what a saved reply says."""
LONGEST = 4_000
"""Letters of one that is offered."""


def offers(case: CaseView) -> list[dict[str, str]]:
    """Return what can be put into the letter of a case, saved replies of its language first.

    Only what the organization vouches for and lets a reply tell is a source here.
    """
    language = case.revisions[-1].draft.language if case.revisions else ""
    replies = sorted(_replies(), key=lambda one: (one.language != language, one.title))
    sources = {one.ref: one for one in (*case.cited, *case.snippets)}
    found = [("reply", one.title, _filled(one.body)) for one in replies]
    found += [
        ("source", one.title or one.ref, one.text.strip())
        for one in sources.values()
        if one.trusted and one.citable and one.text.strip()
    ]
    return [
        {"kind": kind, "label": label[:200], "text": text}
        for kind, label, text in found
        if text and len(text) <= LONGEST
    ]


def _filled(body: str) -> str:
    """Return a saved reply without greeting and closing, which every letter has.

    What only a person can fill in stays as it is written, in braces.
    """
    kept = [
        part.replace("{answer}", "").strip()
        for part in body.split("\n\n")
        if not any(slot in part for slot in AROUND)
    ]
    return "\n\n".join(part for part in kept if part)


def _replies() -> list[SavedReplyView]:
    """Return the saved replies that drafts may use; none while the engine is away."""
    opened = organization()
    slug = opened.slug if opened else ""
    kept = st.session_state.get("offered-replies")
    if kept and kept[0] == slug and time.monotonic() - kept[1] < KEPT_SECONDS:
        held: list[SavedReplyView] = kept[2]
        return held
    try:
        listed = desk().saved_replies().items
    except PosternError:
        return []
    found = [one for one in listed if one.retired_at is None]
    st.session_state["offered-replies"] = (slug, time.monotonic(), found)
    return found
