"""The inbox: every message that came in, every conversation, and why each is where it is."""

from datetime import datetime
from functools import partial

import streamlit as st

from data.counting import plural
from data.records.core.parsed_mail import AutomatedKind
from data.records.core.screening import Verdict
from data.records.mail.views import MessageLine, MessageView, ThreadLine, ThreadView
from data.states import HELD_BY_SCREEN, MessageStatus, ThreadStatus
from ui.core import address, people
from ui.core.chips import chip, chips, empty, make_muted, moment
from ui.core.pane import Pane
from ui.core.parts_of_page import note_fragments
from ui.core.session import guard_refusals, notices
from ui.core.text.clock import now
from ui.core.text.text_runs import line, run
from ui.core.text.words import STATUSES, word, word_sentence
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar
from ui.core.widgets.pager import SIZE, first_page, pager, read_page, remember_page
from ui.core.widgets.plain_text import display_name, words
from ui.core.widgets.scroll import draw_chosen, start_at_top
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.screen_decisions import verdict_chip
from ui.mail.widgets.case import notes
from ui.mail.widgets.case.links import cases_of
from ui.mail.widgets.message.conversation import draw_arrived, draw_conversation
from ui.mail.widgets.message.side_cards import draw_beside
from ui.mail.widgets.queue.filters import draw_choices
from ui.mail.widgets.queue.new_mail import new_mail
from ui.mail.widgets.queue.search_field import search_field, tell_unsearched

NONE_YET = "Mail to your addresses stands here within seconds; the overview says how to begin."
CLEAR = "Nothing matches. Clear the search or the filters to see all."
KINDS = ("Messages", "Conversations")
STATES = {
    "Messages": tuple(str(state) for state in MessageStatus),
    "Conversations": tuple(str(status) for status in ThreadStatus),
}
ADDRESS = {
    kind: {
        opened: opened,
        "q": f"inbox-q-{kind.lower()}",
        "status": f"inbox-status-{kind.lower()}",
    }
    for kind, opened in zip(KINDS, ("message", "thread"), strict=True)
}
"""What the page's address names, and the session's keys of it."""
NARROW = ("category", "priority", "assignee")


def show() -> None:
    """Draw the page."""
    kind = KINDS["thread" in st.query_params]
    if any(name in st.query_params for name in ADDRESS[kind]):
        st.session_state.setdefault("inbox-kind", kind)
    address.take("inbox", ADDRESS[kind], {"status": STATES[kind]})
    heading("Inbox", "Everything that came in. Nothing is ever dropped.", is_told=False)
    st.session_state["whole_page"] = True
    side, right = lists.draw_halves("inbox")
    with side:
        kind = _choices()
        (_messages if kind == "Messages" else _threads)()
    note_fragments(kind.lower(), "item", "undo")
    with right:
        _draw_open(kind)


@st.fragment(key="item")
def _draw_open(kind: str) -> None:
    """Draw what is open; a step to the next draws nothing else."""
    notices()
    address.tell(ADDRESS[kind])
    with guard_refusals():
        (_message if kind == "Messages" else _thread)()


def _choices() -> str:
    if "inbox-next" in st.session_state:
        st.session_state["inbox-kind"] = st.session_state.pop("inbox-next")
    st.session_state.setdefault("inbox-kind", "Messages")
    kind = st.segmented_control(
        "Show",
        KINDS,
        required=True,
        key="inbox-kind",
        width="stretch",
        label_visibility="collapsed",
        persist_state="session",
    )
    states = STATES[str(kind)]
    name = str(kind).lower()
    with st.container(horizontal=True, gap="small"):
        search_field(f"inbox-q-{name}", first_page, name)
    with st.container(horizontal=True, gap="small"):
        st.selectbox(
            "Status",
            ["", *states],
            key=f"inbox-status-{name}",
            width=150,
            format_func=lambda state: word(state) if state else "any status",
            label_visibility="collapsed",
            persist_state="session",
            on_change=first_page,
            args=(name,),
        )
        draw_choices(f"inbox-{name}", NARROW, first_page, name)
        if kind == "Conversations":
            _tags(name)
        new_mail("inbox")
    return str(kind)


def _tags(name: str) -> None:
    """Offer the tags that conversations bear, once there are any."""
    with guard_refusals():
        count_by_tag = {entry.name: entry.value for entry in mail_desk().threads.tags().items}
        chosen = st.session_state.get(f"inbox-tag-{name}")
        if count_by_tag or chosen:
            st.selectbox(
                "Tag",
                ["", *dict.fromkeys((*count_by_tag, *([chosen] if chosen else ())))],
                key=f"inbox-tag-{name}",
                width=150,
                format_func=lambda tag: f"{tag} ({count_by_tag.get(tag, 0)})" if tag else "any tag",
                label_visibility="collapsed",
                persist_state="session",
                on_change=first_page,
                args=(name,),
            )


def _conditions_of(name: str) -> dict[str, str]:
    """Return what the list is narrowed to, by the engine's names."""
    return {
        condition: str(st.session_state.get(f"inbox-{condition}-{name}") or "")
        for condition in ("status", "q")
    } | {
        condition: str(st.session_state.get(f"inbox-{name}-{condition}") or "")
        for condition in NARROW
    }


@st.fragment(run_every="10s", key="messages")
def _messages() -> None:
    with guard_refusals(leaving=st.session_state.pop("whole_page", False)):
        conditions = _conditions_of("messages")
        messages_found = read_page(
            "messages",
            lambda skipped: mail_desk().messages.find(**conditions, limit=SIZE, offset=skipped),
        )
        remember_page(
            "messages", [entry.id for entry in messages_found.items], messages_found.total
        )
        chips(
            make_muted(plural(messages_found.total, "message")) if messages_found.total else "",
            tell_unsearched(messages_found),
        )
        at = now()
        if not messages_found.items:
            some = any(conditions.values())
            empty("No messages.", CLEAR if some else NONE_YET)
            if some:
                st.session_state["message"] = None
            return
        with lists.listing("messages"):
            for entry in messages_found.items:
                _message_line(entry, at)
        pager("messages", messages_found.total)


def _verdict(entry: MessageLine) -> str:
    """Return what the screen says of a line; what it stopped says so by where it is."""
    stopped = entry.status in HELD_BY_SCREEN
    if stopped or entry.verdict in (None, Verdict.CLEAN):
        return ""
    return verdict_chip(entry.verdict)


def _message_line(entry: MessageLine, at: datetime) -> None:
    automated = entry.automated_kind not in ("", AutomatedKind.NONE)
    lists.row(
        entry.id,
        display_name(entry.sender),
        entry.subject,
        word_sentence(entry.note) or entry.preview,
        (
            chip(entry.status, note=STATUSES[entry.status]),
            _verdict(entry),
            chip(entry.automated_kind, "quiet") if automated else "",
            chip(plural(entry.attachments, "attachment"), "quiet") if entry.attachments else "",
        ),
        moment(entry.received_at, at),
        opened=entry.id == st.session_state.get("message"),
        on_open=open_message,
    )


@st.fragment(run_every="10s", key="conversations")
def _threads() -> None:
    with guard_refusals(leaving=st.session_state.pop("whole_page", False)):
        conditions = _conditions_of("conversations")
        tag = str(st.session_state.get("inbox-tag-conversations") or "")
        threads_found = read_page(
            "conversations",
            lambda skipped: mail_desk().threads.find(
                **conditions, limit=SIZE, offset=skipped, tag=tag
            ),
        )
        remember_page(
            "conversations", [entry.id for entry in threads_found.items], threads_found.total
        )
        chips(
            make_muted(plural(threads_found.total, "conversation")) if threads_found.total else "",
            tell_unsearched(threads_found),
        )
        at = now()
        if not threads_found.items:
            some = any(conditions.values()) or tag
            empty("No conversations.", CLEAR if some else "None have begun.")
            if some:
                st.session_state["thread"] = None
            return
        with lists.listing("threads"):
            for entry in threads_found.items:
                _thread_line(entry, at)
        pager("conversations", threads_found.total)


def _thread_line(entry: ThreadLine, at: datetime) -> None:
    lists.row(
        entry.id,
        display_name(entry.contact),
        entry.subject,
        "",
        (
            chip(entry.status),
            chip(plural(entry.messages, "message"), "quiet"),
            chip(people.name_of(entry.assignee), "quiet", "whose it is") if entry.assignee else "",
        ),
        moment(entry.last_message_at, at),
        opened=entry.id == st.session_state.get("thread"),
        on_open=open_thread,
    )


def open_message(id: str) -> None:
    """Open a message in the right half."""
    st.session_state["message"] = id
    draw_chosen()


def open_thread(id: str) -> None:
    """Open a conversation in the right half."""
    st.session_state["thread"] = id
    st.session_state["panel"] = ""
    draw_chosen()


def _message() -> None:
    id = st.session_state.get("message")
    marks, pane = st.container(key="marks"), Pane("message")
    if not id:
        with pane.of(None):
            lists.nothing_open("messages", "a message")
            bar("messages")
        return
    message = pane.read(partial(mail_desk().messages.read, str(id)))
    with marks:
        start_at_top(message.id)
    with pane.of(message.id, message.status):
        _draw_arrived(message)
        bar("messages")


def _draw_arrived(message: MessageView) -> None:
    words(lists.subject_line(message.subject), "subject", "message")
    chips(
        chip(message.status),
        make_muted(STATUSES[message.status]),
        make_muted(f"came by {message.channel.upper()}"),
        moment(message.received_at, now()),
    )
    if message.note:
        draw_marked([line(run(word_sentence(message.note)), icon="info")], "list")
    left, right = st.columns([62, 38], gap="medium")
    with left:
        draw_arrived(message, now(), with_subject=False)
    with right:
        draw_beside(message)


def _thread() -> None:
    id = st.session_state.get("thread")
    marks, pane = st.container(key="marks"), Pane("thread")
    if not id:
        with pane.of(None):
            lists.nothing_open("conversations", "a conversation")
            bar("conversations")
        return
    thread = pane.read(partial(mail_desk().threads.read, str(id)))
    with marks:
        start_at_top(thread.id)
    with pane.of(thread.id, len(thread.entries), len(thread.notes)):
        _draw_conversation(thread)
        bar("conversations")


def _draw_conversation(thread: ThreadView) -> None:
    words(lists.subject_line(thread.subject), "subject", "thread")
    chips(
        chip(thread.status),
        make_muted(plural(thread.messages, "message")),
        chip(f"with {people.name_of(thread.assignee)}", "quiet") if thread.assignee else "",
        *(chip(tag, "quiet") for tag in thread.tags),
        moment(thread.last_message_at, now()),
    )
    cases_of(thread)
    draw_conversation(thread, now())
    notes.draw_notes(thread.id, thread.notes)


if __name__ == "__main__":
    show()
