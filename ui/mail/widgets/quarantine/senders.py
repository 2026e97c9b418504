"""Allowances, blocks, groups, and what was learned about spam: to see, and to take back."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from data.counting import plural
from ui.core.chips import chips, make_muted, moment
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, guard_refusals, say
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.text.screen_words import rule
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.pager import SIZE, offset, pager
from ui.mail.api.desk import mail_desk

PAGES = "senders"
"""Under what the open page of the list is kept."""


@st.fragment(key="senders")
def senders() -> None:
    """Draw allowances and blocks, each with its way back, folded away."""
    with guard_refusals():
        senders_api = mail_desk().senders
        allowances, blocks = senders_api.allowances().items, senders_api.blocks().items
        with st.expander(f"Senders: {len(allowances)} allowed, {len(blocks)} blocked"):
            _draw_learned()
            _groups()
            total = len(allowances) + len(blocks)
            first = min(offset(PAGES), (max(total, 1) - 1) // SIZE * SIZE)
            last = first + SIZE
            for entry in allowances[first:last]:
                words = _describe_allowance(entry.rule)
                back = partial(senders_api.disallow, entry.id)
                _entry(entry.id, entry.sender, words, entry.created_by, entry.created_at, back)
            for block in blocks[max(first - len(allowances), 0) : max(last - len(allowances), 0)]:
                words = "blocked" if block.scope == "sender" else "whole domain blocked"
                back = partial(senders_api.unblock, block.pattern)
                identity = f"block-{block.pattern}"
                _entry(identity, block.pattern, words, block.created_by, block.created_at, back)
            pager(PAGES, total)


def _groups() -> None:
    """Draw the organization's own groups, and those that mail came by and nobody has named."""
    groups_view = mail_desk().senders.groups()
    for address in groups_view.proposed:
        with st.container(gap=None, key=f"group-{address}"):
            group_text = "is a group of your own domain that mail came by. Is it yours?"
            draw_marked(
                [line(run(one_line(address, 60), "strong"), run(f"  {group_text}", "quiet"))]
            )
            with st.container(horizontal=True, gap="small"):
                for label, act in (("It is ours", _name), ("It is not", _drop)):
                    key = f"{label}-{address}".replace(" ", "-").lower()
                    st.button(label, key=key, type="tertiary", on_click=act, args=(address,))
    for address in groups_view.items:
        with st.container(gap=None, key=f"own-group-{address}"):
            group_text = "your own group: what it adds to a mail says nothing"
            draw_marked(
                [line(run(one_line(address, 60), "strong"), run(f"  {group_text}", "quiet"))]
            )
            st.button(
                "Take back", key=f"drop-{address}", type="tertiary",
                on_click=_drop, args=(address,),
            )  # fmt: skip


def _name(address: str) -> None:
    if attempt(lambda: bool(mail_desk().senders.name_group(address))):
        say("done", "What this group adds to a mail says nothing from now on.")
    redraw("senders", "item")


def _drop(address: str) -> None:
    _take_back(partial(mail_desk().senders.drop_group, address))


def _describe_allowance(name: str) -> str:
    """Return what an allowance of this name means, after the sender."""
    kind, mark, marker = name.partition(": ")
    if mark and kind == "person":
        return f"“{marker}” makes no machine of this sender"
    return f"the rule “{rule(name)}” does not count"


def _draw_learned() -> None:
    learned = mail_desk().senders.learning()
    if not learned.spam and not learned.ham:
        chips(make_muted("Nothing is learned yet: decisions on what looks like spam teach."))
        return
    kinds = f"{learned.spam:,} spam and {learned.ham:,} wanted"
    learned_text = f"Learned from {plural(learned.spam + learned.ham, 'message')}, {kinds}"
    if not learned.spam or not learned.ham:  # the judge compares
        chips(make_muted(f"{learned_text}. Too few examples: it says nothing yet."))
        return
    can = "it can stop mail" if learned.enough else "it can only flag mail yet"
    chips(make_muted(f"{learned_text}: {can}."))


def _entry(
    id: str, sender: str, words: str, by: str, at: datetime, back: Callable[[], None]
) -> None:
    with st.container(gap=None, key=f"of-{id}"):
        pieces = line(run(one_line(sender, 60), "strong"), run(f"  {words}, {by}", "quiet"))
        draw_marked([pieces], key=f"of-words-{id}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            chips(moment(at, now()))
            st.button(
                "Take back", key=f"back-{id}", type="tertiary", on_click=_take_back, args=(back,)
            )


def _take_back(back: Callable[[], None]) -> None:
    def act() -> bool:
        back()
        return True

    if attempt(act):
        say("done", "It counts no longer.")
    redraw("senders", "item")
