"""The transcript of a chat, drawn as one component however long it is.

Forty messages made of containers and texts take the browser ten times as long as one component.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypedDict

import streamlit as st

from data.records.agents.agents import Agent
from data.records.agents.chats import AuthorKind, ChatMessage, ChatView, FailedTurn, Rating
from data.records.agents.turn_work import Stands, Stored
from data.records.core.tools import ChangeKind, Source
from ui.agents.markdown import as_html
from ui.agents.widgets.agent.faces import face_of
from ui.agents.widgets.work_done import fold_work, list_unheld
from ui.core.session import me, zone
from ui.core.text.clock import ago, write_exactly
from ui.core.text.inert import one_line, show_controls
from ui.core.text.words import as_sentence

_MOST_BARS = 20
"""Bars of one chart; of more the first are drawn."""
_DEEDS = {
    ("memory", ChangeKind.ADDED): "remembered",
    ("task", ChangeKind.ADDED): "on your list",
    ("event", ChangeKind.ADDED): "in the calendar",
    ("task", ChangeKind.REMOVED): "taken off your list",
    ("event", ChangeKind.REMOVED): "taken out of the calendar",
}
"""What is said of a thing that an agent changed, by its kind; of others the deed itself."""
_STANDS = {Stands.BACK: "taken back", Stands.CHANGED: "changed since"}
_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


class StoredLines(TypedDict):
    """What a turn has changed, as the component takes it."""

    lines: list[str]
    there: bool
    """Whether one of it can be taken back."""


class _Failure(TypedDict):
    """A turn that ended without an answer, as the component takes it."""

    turn: str
    """Empty where it cannot be asked again."""
    who: str
    text: str


class _SourceLine(TypedDict):
    """A source of an answer, as the component takes it."""

    number: int
    title: str
    kind: str
    id: str
    on: str
    page: str


class _Look(NamedTuple):
    """Who looks at a chat, and when."""

    now: datetime
    zone: str | None
    me: str
    """Id of the user."""


def transcript(
    view: ChatView,
    agents: Mapping[str, Agent],
    on_open: Callable[[str, str, str], None],
    on_rate: Callable[[str, bool | None], None],
    on_earlier: Callable[[int], None],
    on_again: Callable[[str], None],
    on_undo: Callable[[str], None],
    ended: Sequence[str] = (),
) -> None:
    """Draw the messages of a chat; `agents` are those that the person can ask, by their slugs.

    `on_open` takes kind, id and day of a source, `on_rate` an answer and what is thought of it
    (None takes it back), `on_earlier` how many messages are shown now, `on_again` a turn that
    failed, `on_undo` one that stored something. The words of turns that have `ended` are hidden.
    """
    key = f"transcript-{view.chat.id}"

    def open_source() -> None:
        if isinstance(chosen := st.session_state[key].open, dict):
            on_open(str(chosen["kind"]), str(chosen["id"]), str(chosen.get("on", "")))

    def rate_answer() -> None:
        if isinstance(chosen := st.session_state[key].rate, dict):
            on_rate(str(chosen["id"]), chosen["helpful"])

    def show_earlier() -> None:
        if isinstance(count := st.session_state[key].earlier, int):
            on_earlier(count)

    def ask_again() -> None:
        if isinstance(turn := st.session_state[key].again, str):
            on_again(turn)

    def undo() -> None:
        if isinstance(turn := st.session_state[key].undo, str):
            on_undo(turn)

    now = datetime.now(UTC)
    failed = {failed_turn.turn_id: failed_turn for failed_turn in view.failed}
    answered = {message.turn_id for message in view.messages if message.author is AuthorKind.AGENT}
    look = _Look(now=now, zone=zone(), me=me().id)
    entries = [
        _entry(message, view.ratings.get(message.id), failed, look) for message in view.messages
    ]
    for entry, message in zip(entries, view.messages, strict=True):
        by_agent = message.author is AuthorKind.AGENT
        bars = view.charts.get(message.turn_id, ()) if by_agent else ()
        entry["bars"] = [
            {"name": one_line(bar.name, 60), "figure": bar.figure} for bar in bars[:_MOST_BARS]
        ]
        entry["moreBars"] = len(bars) > _MOST_BARS
        work = view.work.get(message.turn_id) if by_agent else None
        entry["did"] = fold_work(work) if work is not None else None
        entry["stored"] = stored_lines(view.stored.get(message.turn_id, ())) if by_agent else None
        entry["turn"] = message.turn_id
        entry["unheld"] = list_unheld(work) if work is not None else []
    for entry in entries:
        entry["failures"] = [
            _failure(failed_turn) for failed_turn in view.failed
            if failed_turn.asked == entry["id"] and failed_turn.turn_id not in answered
        ]  # fmt: skip
    faces = {
        message.author_id: face_of(agents.get(message.author_id), message.author_name)._asdict()
        for message in view.messages
        if message.author is AuthorKind.AGENT
    }
    component = st.components.v2.component("postern_transcript", js=_JS, isolate_styles=False)
    component(
        data=json.dumps(
            {
                "entries": entries,
                "earlier": view.earlier,
                "ended": list(ended),
                "faces": faces,
                # Drawn anew also after words that were refused, which the browser shows as sent.
                "tries": st.session_state.get("chat-tries", 0),
            }
        ),
        key=key,
        on_open_change=open_source,
        on_rate_change=rate_answer,
        on_earlier_change=show_earlier,
        on_again_change=ask_again,
        on_undo_change=undo,
    )


def _failure(failed: FailedTurn) -> _Failure:
    """Return what is told of a turn that ended without an answer."""
    unknown = " It may have done a part of it already; look before you ask again."
    return {
        "turn": failed.turn_id if failed.may_ask_again else "",
        "who": one_line(failed.agent, 60),
        "text": show_controls(as_sentence(failed.note)) + (unknown if failed.unknown else ""),
    }


def _entry(
    message: ChatMessage, rating: Rating | None, failed: Mapping[str, FailedTurn], look: _Look
) -> dict[str, object]:
    by_agent = message.author is AuthorKind.AGENT
    broken = failed.get(message.turn_id) if by_agent else None
    return {
        "id": message.id,
        "session": message.session,
        "since": f"{message.said_at.astimezone(look.now.tzinfo):%-d %B %Y}",
        "agent": by_agent,
        "mine": message.author_id == look.me,
        "who": one_line(message.author_name, 60),
        "face": message.author_id if by_agent else "",
        "when": ago(message.said_at, look.now, look.zone),
        "exact": write_exactly(message.said_at, look.zone),
        "html": as_html(message.text) if by_agent else "",
        "text": "" if by_agent else show_controls(message.text),
        "sources": [_source(one, n) for n, one in enumerate(message.sources, 1)],
        "helpful": rating.helpful if rating else None,
        "again": broken.turn_id if broken and broken.may_ask_again else "",
    }


def stored_lines(stored: Sequence[Stored]) -> StoredLines | None:
    """Return what is told of things that were changed, and whether one can be taken back."""
    if not stored:
        return None
    lines = [
        f"{one_line(each.title, 80)}: "
        f"{_STANDS.get(each.stands) or _DEEDS.get((each.kind, each.deed), each.deed)}"
        for each in stored
    ]
    return {"lines": lines, "there": any(each.undoable for each in stored)}


def _source(source: Source, number: int) -> _SourceLine:
    return {
        "number": number,
        "title": one_line(source.title, 80),
        "kind": source.kind,
        "id": source.id,
        "on": source.on.isoformat() if source.on else "",
        "page": source.page,
    }
