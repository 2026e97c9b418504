"""Saved replies: their list, and one of them, of a file or kept here."""

import streamlit as st

from data.counting import plural
from data.records.core.learning import SavedReplyView
from ui.core import list_navigation
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.pane import Pane
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.text.inert import show_controls
from ui.core.text.words import language, word
from ui.core.widgets import lists
from ui.core.widgets.moves import bar, moves
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.double_press import key_of
from ui.mail.widgets.knowledge.reply_form import reply_form

NEW = "new"
"""What stands for the id of one that is being written."""


def draw_list() -> None:
    """Draw the saved replies by title, and the way to a new one."""
    q = str(st.session_state.get("knowledge-q") or "")
    replies_page = mail_desk().saved_replies.find(q)
    list_navigation.remember("replies", [saved_reply.id for saved_reply in replies_page.items])
    st.button(
        "New saved reply",
        key="reply-new",
        icon=":material/add:",
        on_click=open_reply,
        args=(NEW,),
    )
    if not replies_page.items:
        empty(
            "Nothing here.",
            "Write one, or put Markdown files into the folder sources/saved_replies.",
        )
        return
    chips(make_muted(plural(replies_page.total, "saved reply", "saved replies")))
    with lists.listing("replies"):
        for item in replies_page.items:
            lists.row(
                item.id,
                item.title,
                item.file or f"kept here, by {item.changed_by}",
                item.body,
                (_use(item), make_muted(language(item.language))),
                moment(item.changed_at, now()) if item.changed_at else "",
                opened=item.id == st.session_state.get("reply"),
                on_open=open_reply,
            )


def open_reply(id: str) -> None:
    """Open a saved reply in the right half."""
    st.session_state["reply"] = id


def draw_open() -> None:
    """Draw the one that is open: to be read where a file keeps it, else to be changed."""
    id, pane = st.session_state.get("reply"), Pane("reply")
    if id == NEW:
        with pane.of(NEW):
            words("A new saved reply", "subject", "reply")
            reply_form(None)
        return
    replies = pane.read(mail_desk().saved_replies.find).items if id else ()
    reply_by_id = {saved_reply.id: saved_reply for saved_reply in replies}
    if id not in reply_by_id:
        with pane.of(None):
            lists.nothing_open("replies", "a saved reply")
            bar("replies")
        return
    reply = reply_by_id[str(id)]
    with pane.of(reply.id, reply.version, reply.retired_at):
        _reply(reply)


def _reply(reply: SavedReplyView) -> None:
    words(reply.title, "subject", "reply")
    chips(
        _use(reply),
        make_muted(language(reply.language)),
        make_muted(f"for {word(reply.intent)}") if reply.intent else "",
        *(chip(category) for category in reply.categories),
    )
    if reply.open:
        chips(chip("nothing fills " + ", ".join(reply.open), "warn"))
    if reply.file:
        _text(reply)
        chips(make_muted(f"Read-only here: change it in {reply.file}; the next sync loads it."))
        bar("replies")
    elif reply.retired_at is not None:
        _text(reply)
        chips(make_muted(f"Retired by {reply.retired_by}."), moment(reply.retired_at, now()))
        with st.container(key="actions"), st.container(horizontal=True, gap="small"):
            st.button(
                "Use it again",
                key=key_of("reply-restore", reply.id),
                on_click=_restore,
                args=(reply.id,),
            )
            st.space("stretch")
            moves("replies")
    else:
        reply_form(reply)


def _text(reply: SavedReplyView) -> None:
    with st.container(key="card-reply"):
        section("Text")
        st.code(show_controls(reply.body), language=None, wrap_lines=True)


def _restore(id: str) -> None:
    if attempt(lambda: mail_desk().saved_replies.restore(id)):
        say("done", "Drafts may use it again.")


def _use(reply: SavedReplyView) -> str:
    if reply.retired_at is not None:
        return chip("retired", "quiet", "no draft uses it")
    if reply.cited:
        return chip("cited", "good", "a draft may tell it and names it as its source")
    return chip("around answers", "quiet", "it states nothing by itself, or a slot is open")
