"""Merging and splitting conversations: what would happen, the press that does it, the way back."""

from datetime import datetime

import streamlit as st

from data.counting import plural
from data.records.mail.conversations import (
    MergeThreads,
    SplitThread,
    ThreadChange,
    ThreadPreview,
)
from data.records.mail.views import ThreadLine, ThreadView
from ui.core.chips import chip, chips, make_muted, moment
from ui.core.pane import hold_alone
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, say
from ui.core.text.text_runs import line, run
from ui.core.widgets import lists
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import words, write_full
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press

FOUND = 8
"""Conversations offered at once to merge with."""
MEAN_IT = "I mean it: show the mail of these contacts in one conversation"


def arrange(thread: ThreadView, now: datetime) -> None:
    """Draw the buttons, or the panel that one of them opened."""
    panel = str(st.session_state.get("panel", ""))
    other = str(st.session_state.get("merge-with") or "")
    chosen = _chosen(thread) if panel == "part" else ()
    with (
        st.container(key="actions-thread", gap="small"),
        hold_alone("arranging", thread.id, panel, other, bool(chosen)),
    ):
        if panel == "merge":
            _merge(thread, now)
        elif panel == "part":
            _part(thread)
        else:
            _buttons(thread)


def is_parting() -> bool:
    """Return whether messages are being chosen to be split off."""
    return st.session_state.get("panel") == "part"


def choice(message_id: str) -> None:
    """Draw the box that chooses a message to be split off."""
    st.checkbox("Split this message off", key=f"parted-{message_id}")


def draw_changes(thread: ThreadView, now: datetime) -> None:
    """Draw how the conversation was joined, merged and split, the newest with the way back."""
    for change in thread.changes:
        with st.container(
            key=f"change-{change.id}", horizontal=True, vertical_alignment="center", gap="small"
        ):
            chips(make_muted(_tell_change(change, thread.id)), moment(change.made_at, now))
            if change.undoable:
                st.button(
                    "Take back",
                    key=f"take-back-{change.id}",
                    icon=":material/undo:",
                    type="tertiary",
                    on_click=_undo,
                    args=(thread.id, change.id),
                )


def _buttons(thread: ThreadView) -> None:
    inbound = [entry for entry in thread.entries if entry.ref.startswith("message:")]
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Merge with another",
            key="merge-panel",
            icon=":material/call_merge:",
            on_click=_open,
            args=("merge",),
        )
        st.button(
            "Split messages off",
            key="part-panel",
            icon=":material/call_split:",
            disabled=len(inbound) < 2,
            on_click=_open,
            args=("part",),
        )


def _merge(thread: ThreadView, now: datetime) -> None:
    other = st.session_state.get("merge-with")
    if other:
        preview = attempt(lambda: mail_desk().threads.preview_merge(thread.id, str(other)))
        if preview is not None:
            _confirm_merge(thread, str(other), preview)
            return
        st.session_state.pop("merge-with", None)
    chips(make_muted("Which conversation becomes part of this one?"))
    q = st.text_input(
        "Search",
        value=thread.contact.email,
        key=f"merge-q-{thread.id}",
        placeholder="Subject, name or address",
        label_visibility="collapsed",
    )
    threads_found = mail_desk().threads.find(q=str(q), limit=FOUND + 1)
    others = [entry for entry in threads_found.items if entry.id != thread.id][:FOUND]
    with lists.listing("merge"):
        for entry in others:
            _offer(entry, now)
    if not others:
        chips(
            make_muted("No other conversation matches. Search for a subject, a name or an address.")
        )
    _cancel()


def _offer(entry: ThreadLine, now: datetime) -> None:
    lists.row(
        f"merge-{entry.id}",
        write_full(entry.contact),
        entry.subject,
        "",
        (chip(entry.status), chip(plural(entry.messages, "message"), "quiet")),
        moment(entry.last_message_at, now),
        opened=False,
        on_open=_choose,
    )


def _confirm_merge(thread: ThreadView, other: str, preview: ThreadPreview) -> None:
    _foretold("Merging does this:", preview)
    meant = True
    if preview.warning:
        with st.container(key="note-warn-merge"):
            words(f"{preview.warning}.", "small", "merge-warning")
            meant = st.checkbox(MEAN_IT, key=f"across-{thread.id}-{other}")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            "Merge them",
            key=double_press.key_of("merge-now", thread.id),
            type="primary",
            icon=":material/call_merge:",
            disabled=not meant,
            on_click=_merge_now,
            args=(thread.id, other, bool(preview.warning)),
        )
        st.button("Choose another", key="merge-other", on_click=_choose, args=("",))
        _cancel()


def _part(thread: ThreadView) -> None:
    chosen = _chosen(thread)
    if not chosen:
        chips(make_muted("Choose below which messages become a conversation of their own."))
        _cancel()
        return
    order = SplitThread(messages=chosen)
    preview = attempt(lambda: mail_desk().threads.preview_split(thread.id, order))
    if preview is None:
        chips(
            make_muted("These cannot be split off: something has to stay. Choose fewer messages.")
        )
        st.session_state.pop("notices", None)
        _cancel()
        return
    _foretold("Splitting does this:", preview)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            f"Split {plural(len(chosen), 'message')} off",
            key=double_press.key_of("part-now", thread.id),
            type="primary",
            icon=":material/call_split:",
            on_click=_part_now,
            args=(thread.id, order),
        )
        _cancel()


def _chosen(thread: ThreadView) -> tuple[str, ...]:
    ids = [entry.ref.partition(":")[2] for entry in thread.entries if not entry.outbound]
    return tuple(id for id in ids if st.session_state.get(f"parted-{id}"))


def _foretold(head: str, preview: ThreadPreview) -> None:
    chips(make_muted(head))
    draw_marked([line(run(sentence), icon="dot") for sentence in preview.sentences], "list")


def _tell_change(change: ThreadChange, here: str) -> str:
    moved = plural(change.messages, "message")
    if change.kind == "join":
        return f"Joined by what its messages name · {moved}"
    if change.kind == "merge":
        return f"Merged by {change.actor} · {moved}"
    which = "Split off" if change.thread_id == here else f"{moved} split off"
    return f"{which} by {change.actor}"


def _open(panel: str) -> None:
    st.session_state["panel"] = panel
    st.session_state.pop("merge-with", None)
    for name in [
        str(state_key) for state_key in st.session_state if str(state_key).startswith("parted-")
    ]:
        st.session_state.pop(name)


def _choose(id: str) -> None:
    st.session_state["merge-with"] = id.removeprefix("merge-")


def _cancel() -> None:
    st.button("Cancel", key="panel-cancel", type="tertiary", on_click=_open, args=("",))


def _merge_now(id: str, other: str, across: bool) -> None:
    order = MergeThreads(other=other, across_contacts=across)
    done = attempt(lambda: mail_desk().threads.merge(id, order))
    if done is not None:
        _open("")
        st.session_state["thread"] = done.id
        say("done", "Merged: both are one conversation now.")
    redraw("conversations", "item")


def _part_now(id: str, order: SplitThread) -> None:
    done = attempt(lambda: mail_desk().threads.split(id, order))
    if done is not None:
        _open("")
        st.session_state["thread"] = done.id
        say("done", "Split off. This is the new conversation.")
    redraw("conversations", "item")


def _undo(id: str, change: str) -> None:
    done = attempt(lambda: mail_desk().threads.undo(id, change))
    if done is not None:
        st.session_state["thread"] = done.id
        say("done", "Taken back.")
    redraw("conversations", "item")
