"""Offers where a person types `/` in a letter: saved replies, and sources of the case."""

import time

import streamlit as st

from data.errors import PosternError
from data.records.core.learning import SavedReplyView
from data.records.mail.views import CaseView
from ui.core.session import organization
from ui.mail.api.desk import mail_desk

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
    replies = sorted(_replies(), key=lambda reply: (reply.language != language, reply.title))
    sources = {snippet.ref: snippet for snippet in (*case.cited, *case.snippets)}
    offers_made = [("reply", reply.title, _filled(reply.body)) for reply in replies]
    offers_made += [
        ("source", source.title or source.ref, source.text.strip())
        for source in sources.values()
        if source.trusted and source.citable and source.text.strip()
    ]
    return [
        {"kind": kind, "label": label[:200], "text": text}
        for kind, label, text in offers_made
        if text and len(text) <= LONGEST
    ]


def _filled(body: str) -> str:
    """Return a saved reply without greeting and closing, which every letter has.

    What only a person can fill in stays as it is written, in braces.
    """
    paragraphs = [
        part.replace("{answer}", "").strip()
        for part in body.split("\n\n")
        if not any(slot in part for slot in AROUND)
    ]
    return "\n\n".join(part for part in paragraphs if part)


def _replies() -> list[SavedReplyView]:
    """Return the saved replies that drafts may use; none while the engine is away."""
    opened = organization()
    slug = opened.slug if opened else ""
    replies_kept = st.session_state.get("offered-replies")
    if (
        replies_kept
        and replies_kept[0] == slug
        and time.monotonic() - replies_kept[1] < KEPT_SECONDS
    ):
        reply_views: list[SavedReplyView] = replies_kept[2]
        return reply_views
    try:
        listed = mail_desk().saved_replies.find().items
    except PosternError:
        return []
    replies = [reply_listed for reply_listed in listed if reply_listed.retired_at is None]
    st.session_state["offered-replies"] = (slug, time.monotonic(), replies)
    return replies
