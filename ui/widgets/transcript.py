"""What was said in a chat, drawn as one component however long it is.

Forty messages made of containers and texts take the browser ten times as long as one component.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from data.records.agents.chats import AuthorKind, ChatMessage, ChatView, Rating
from data.records.core.tools import Source
from ui.clock import ago, exact
from ui.inert import one_line, shown
from ui.markdown import as_html
from ui.session import me, zone

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
OPENS = ("case",)
"""The kinds of sources that have a page to open."""


def transcript(
    view: ChatView,
    on_open: Callable[[str, str], None],
    on_rate: Callable[[str, bool | None], None],
    on_earlier: Callable[[int], None],
) -> None:
    """Draw the messages of a chat.

    `on_open` takes kind and id of a source, `on_rate` an answer and what is thought of it (None
    takes it back), `on_earlier` how many messages are shown now.
    """
    key = f"transcript-{view.chat.id}"

    def open_source() -> None:
        if isinstance(chosen := st.session_state[key].open, dict):
            on_open(str(chosen["kind"]), str(chosen["id"]))

    def rate_answer() -> None:
        if isinstance(chosen := st.session_state[key].rate, dict):
            on_rate(str(chosen["id"]), chosen["helpful"])

    def show_earlier() -> None:
        if isinstance(count := st.session_state[key].earlier, int):
            on_earlier(count)

    now = datetime.now(UTC)
    entries = [_entry(one, view.ratings.get(one.id), now) for one in view.messages]
    component = st.components.v2.component("postern_transcript", js=_JS, isolate_styles=False)
    component(
        data=json.dumps({"entries": entries, "earlier": view.earlier}),
        key=key,
        on_open_change=open_source,
        on_rate_change=rate_answer,
        on_earlier_change=show_earlier,
    )


def _entry(message: ChatMessage, rating: Rating | None, now: datetime) -> dict[str, object]:
    by_agent = message.author is AuthorKind.AGENT
    return {
        "id": message.id,
        "session": message.session,
        "since": f"{message.said_at.astimezone(now.tzinfo):%-d %B %Y}",
        "agent": by_agent,
        "mine": message.author_id == me().id,
        "who": one_line(message.author_name, 60),
        "when": ago(message.said_at, now),
        "exact": exact(message.said_at, zone()),
        "html": as_html(message.text) if by_agent else "",
        "text": "" if by_agent else shown(message.text),
        "sources": [_source(one, n) for n, one in enumerate(message.sources, 1)],
        "helpful": rating.helpful if rating else None,
    }


def _source(source: Source, number: int) -> dict[str, object]:
    return {
        "number": number,
        "title": one_line(source.title, 80),
        "kind": source.kind,
        "id": source.id,
        "opens": source.kind in OPENS,
    }
