"""Knowledge: what drafts may rest on, how it is used, and what was learned and needs a yes."""

from datetime import datetime
from functools import partial

import streamlit as st

from data.counting import plural
from data.errors import NotFoundError
from data.records.core.learning import EntryView
from ui.core import address
from ui.core.chips import chip, chips, empty, facts, make_muted, meter, moment, section
from ui.core.pane import Pane
from ui.core.session import core_desk, guard_refusals
from ui.core.text.clock import day, now
from ui.core.text.text_runs import line, run
from ui.core.text.words import language
from ui.core.widgets import lists
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.moves import bar
from ui.core.widgets.pager import SIZE, first_page, pager, read_page, remember_page
from ui.core.widgets.plain_text import letter, words
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.knowledge import open_questions, proposed, replies
from ui.mail.widgets.knowledge.entry_form import NEW, entry_form, new_entry, turns, versions

WHICH = {
    "": "all entries",
    "found": "used for drafts today",
    "not_found": "not used today",
    "warned": "with a warning",
    "learned": "learned",
    "unused": "never cited",
    "kept": "kept here",
    "retired": "retired",
}


ADDRESS = {"entry": "entry"}
"""What the page's address names, and the session's key of it."""


def show() -> None:
    """Draw the page."""
    if "entry" in st.query_params:
        st.session_state.setdefault("knowledge-what", "entries")
    address.take("knowledge", ADDRESS)
    heading("Knowledge", "What drafts may rest on. Nothing that was learned counts without you.")
    side, right = lists.draw_halves("knowledge")
    with side, guard_refusals():
        choose, draw_list, draw_open = _PARTS[_chosen_part()]
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            _search()
            if choose is not None:
                choose()
        draw_list()
    with right, guard_refusals():
        draw_open()
    address.tell(ADDRESS)


def _chosen_part() -> str:
    """Draw the switch between the entries, what was learned, and the saved replies."""
    waiting = mail_desk().proposals.find("proposed", limit=1).waiting
    chosen = st.segmented_control(
        "What",
        list(_TABS),
        key="knowledge-what",
        default="entries",
        required=True,
        format_func=lambda name: (
            f"Learned · {waiting} wait" if name == "proposals" and waiting else _TABS[name]
        ),
        label_visibility="collapsed",
        persist_state="session",
    )
    return str(chosen)


_TABS = {
    "entries": "Entries",
    "questions": "Unanswered",
    "proposals": "Learned",
    "replies": "Replies",
}


def _search() -> None:
    st.text_input(
        "Search",
        key="knowledge-q",
        type="search",
        placeholder="Search words",
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_pages,
    )


def _choose() -> None:
    st.selectbox(
        "Which",
        list(WHICH),
        key="knowledge-which",
        format_func=lambda name: WHICH[name],
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_pages,
    )


def _first_pages() -> None:
    for key in ("knowledge", "proposals"):
        first_page(key)


def _list() -> None:
    q = str(st.session_state.get("knowledge-q") or "")
    which = str(st.session_state.get("knowledge-which") or "")
    entries_page = read_page(
        "knowledge",
        lambda skipped: core_desk().knowledge.find(q, which, limit=SIZE, offset=skipped),
    )
    remember_page("knowledge", [entry.id for entry in entries_page.items], entries_page.total)
    st.button("New knowledge", key="entry-new", icon=":material/add:", on_click=open_entry,
              args=(NEW,))  # fmt: skip
    if not entries_page.items:
        empty(
            "Nothing here." if q or which else "There is no knowledge yet.",
            "" if q or which else "Write it, or make it of a file that you have.",
        )
        return
    chips(make_muted(plural(entries_page.total, "entry", "entries")))
    at = now()
    with lists.listing("knowledge"):
        for entry in entries_page.items:
            _line(entry, at)
    pager("knowledge", entries_page.total)


def _line(entry: EntryView, at: datetime) -> None:
    lists.row(
        entry.id,
        entry.title,
        entry.source,
        entry.body,
        (
            standing_chip(entry),
            chip("learned", "accent") if entry.learned else "",
            chip("internal", "quiet", "no reply may tell it") if not entry.public else "",
            chip("warning", "warn") if entry.warnings else "",
            make_muted(_cited(entry)),
        ),
        moment(entry.usage.last_used_at, at) if entry.usage.last_used_at else "",
        opened=entry.id == st.session_state.get("entry"),
        on_open=open_entry,
    )


def standing_chip(entry: EntryView) -> str:
    """Return a chip saying whether drafts find an entry today, and why not."""
    if entry.found:
        return chip("in use", "good")
    if entry.retired:
        return chip("retired", "quiet")
    if not entry.trusted:
        return chip("not trusted", "warn")
    if entry.superseded_by:
        return chip("superseded", "quiet")
    return chip("not valid today", "quiet")


def _cited(entry: EntryView) -> str:
    return f"cited {plural(entry.usage.used, 'time')}" if entry.usage.used else "never cited"


def open_entry(id: str) -> None:
    """Open an entry in the right half."""
    st.session_state["entry"] = id


def _open() -> None:
    id, pane = st.session_state.get("entry"), Pane("entry")
    if id == NEW:
        with pane.of(NEW):
            words("New knowledge", "subject", "entry")
            new_entry()
        return
    entry = _of_id(pane, str(id)) if id else None
    with pane.of(*((entry.id, entry.version) if entry else (None,))):
        if entry is None and st.session_state.get("knowledge-what") == "questions":
            with st.container(key="card-nothing"):
                empty("Nothing is open.", "“Write the answer” makes an entry of a question.")
        elif entry is None:
            lists.nothing_open("knowledge", "an entry")
        else:
            _entry(entry)
        bar("knowledge")


def _of_id(pane: Pane, id: str) -> EntryView | None:
    """Return an entry; None where there is none of that name any more."""
    try:
        return pane.read(partial(core_desk().knowledge.entry, id))
    except NotFoundError:
        return None


def _entry(entry: EntryView) -> None:
    words(entry.title, "subject", "entry")
    chips(standing_chip(entry), make_muted(f"{entry.kind.value}, {language(entry.language)}"))
    if entry.warnings:
        draw_marked(
            [line(run(warning), icon="warn") for warning in entry.warnings], "list", key="warned"
        )
    last = entry.usage.last_used_at
    with st.container(key="card-entry"):
        pairs = (
            ("From", entry.source),
            ("Name", entry.id),
            ("Tags", ", ".join(entry.tags)),
            ("Supersedes", ", ".join(entry.supersedes)),
            ("Belongs to", ", ".join(entry.belongs_to)),
            ("Contradicts", ", ".join(entry.contradicts)),
            ("Superseded by", ", ".join(entry.superseded_by)),
        )
        draw_marked(
            [line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs if value], "list"
        )
        facts(
            ("Valid", make_muted(_valid(entry))),
            ("Significance", meter(entry.significance, "")),
            (
                "Fresh",
                meter(entry.freshness, "") if entry.half_life_days else make_muted("does not age"),
            ),
            ("Use", make_muted(_cited(entry))),
            ("Last cited", moment(last, now()) if last else ""),
        )
        section("Text")
        letter(entry.body, f"entry-{entry.id}")
    if entry.learned:
        chips(make_muted("Learned: change it or take it out under “Learned”."))
        return
    if not entry.retired:
        with st.expander("Change it", key=f"entry-change-{entry.id}-{entry.version}"):
            entry_form(entry)
    turns(entry)
    versions(entry)


def _valid(entry: EntryView) -> str:
    since = f"from {day(entry.valid_from)}" if entry.valid_from else ""
    until = f"until {day(entry.valid_until)}" if entry.valid_until else ""
    return " ".join(part for part in (since, until) if part) or "always"


_PARTS = {
    "entries": (_choose, _list, _open),
    "proposals": (proposed.choose_state, proposed.draw_list, proposed.draw_open),
    "questions": (None, open_questions.draw_list, _open),
    "replies": (None, replies.draw_list, replies.draw_open),
}
"""By tab: the filter, the list, and what is open."""

if __name__ == "__main__":
    show()
