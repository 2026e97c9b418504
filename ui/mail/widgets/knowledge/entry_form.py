"""Writing knowledge: one entry's fields and its versions."""

import streamlit as st

from data.records.core.kept_knowledge import (
    LONGEST_ENTRY,
    EntryVersion,
    KeepEntry,
    KeptState,
    TurnEntry,
    WriteEntry,
)
from data.records.core.knowledge import KnowledgeKind
from data.records.core.learning import EntryView
from ui.core.chips import chip, chips, make_muted, moment, section
from ui.core.session import attempt, core_desk, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import LANGUAGES, language
from ui.core.widgets.typed import make_order
from ui.mail.widgets.knowledge.entry_files import entry_files

NEW = "new"
"""What stands for the name of an entry that is being written."""
STATES = {KeptState.KEPT: "written", KeptState.RETIRED: "retired", KeptState.FILE: "given back"}
KINDS = {
    KnowledgeKind.FACT: "a fact",
    KnowledgeKind.PROCEDURE: "how something is done",
    KnowledgeKind.POLICY: "what holds for everybody",
    KnowledgeKind.FAQ: "a question with its answer",
    KnowledgeKind.DECISION: "a decision",
    KnowledgeKind.PREFERENCE: "how something is liked best",
}
_LABELS = {"title": "Title", "body": "Text", "tags": "Words to find it by", "language": "Language"}


def new_entry() -> None:
    """Draw the ways to a new entry: written or pasted, or made of files."""
    written, uploaded = st.tabs(["Write or paste", "From files"])
    with written:
        title = str(st.session_state.get("entry-title-given") or "")
        _form(None, WriteEntry.model_construct(title=title, body=""))
    with uploaded:
        entry_files()


def entry_form(entry: EntryView) -> None:
    """Draw the fields of an entry that is there."""
    if entry.file and not entry.kept:
        words = f"It stands in {entry.file}. Once changed here it is kept here, and the file does "
        st.caption(make_inert(f"{words}not count for it until you give it back.", limit=400))
    elif entry.file:
        st.caption(make_inert(f"Kept here; {entry.file} does not count for it.", limit=300))
    fields = {
        name: getattr(entry, name)
        for name in WriteEntry.model_fields
        if name not in ("belongs_to", "contradicts")
    }
    _form(entry, WriteEntry.model_construct(**fields))


def _form(entry: EntryView | None, written: WriteEntry) -> None:
    key = f"{entry.id}-{entry.version}" if entry else NEW
    st.text_input("Title", written.title, key=f"entry-title-{key}", max_chars=200)
    st.text_area(
        "Text",
        written.body,
        key=f"entry-body-{key}",
        height=260,
        max_chars=LONGEST_ENTRY,
        help="Whole sentences: without a language model a reply is made of them.",
    )
    with st.expander("More of it", key=f"entry-more-{key}"):
        languages = list(dict.fromkeys((*LANGUAGES, written.language)))
        st.selectbox("Language", languages, index=languages.index(written.language),
                     format_func=language, key=f"entry-language-{key}")  # fmt: skip
        kinds = list(KnowledgeKind)
        st.selectbox("What it is", kinds, index=kinds.index(written.kind),
                     format_func=lambda item: KINDS[item], key=f"entry-kind-{key}")  # fmt: skip
        st.checkbox("A reply may tell it", written.public, key=f"entry-public-{key}")
        st.date_input("Valid from", written.valid_from, key=f"entry-from-{key}")
        st.date_input("Valid until", written.valid_until, key=f"entry-until-{key}")
        st.text_input("Words to find it by, with commas", ", ".join(written.tags),
                      key=f"entry-tags-{key}", max_chars=1000)  # fmt: skip
    st.text_input("Why", key=f"entry-note-{key}", max_chars=500,
                  placeholder="For whoever reads the versions")  # fmt: skip
    st.button("Save", key=f"entry-save-{key}", type="primary", on_click=_save,
              args=(entry, written, key))  # fmt: skip


def _save(entry: EntryView | None, written: WriteEntry, key: str) -> None:
    """Send what stands in the fields now; what is refused stays in them."""

    def held(name: str) -> object:
        return st.session_state.get(f"entry-{name}-{key}")

    title, body = str(held("title") or "").strip(), str(held("body") or "").strip()
    if len(title) < 3 or len(body) < 3:
        say("warning", "Write a title and a text first.")
        return
    fields = {
        **dict(written),
        "title": title,
        "body": body,
        "language": held("language"),
        "kind": held("kind"),
        "public": bool(held("public")),
        "valid_from": held("from"),
        "valid_until": held("until"),
        "tags": tuple(part.strip() for part in str(held("tags") or "").split(",") if part.strip()),
    }
    if entry is not None:
        fields |= {"belongs_to": entry.belongs_to, "contradicts": entry.says_against}
    entry_written = make_order(WriteEntry, fields, _LABELS)
    if entry_written is None:
        return
    order = KeepEntry(
        entry=entry_written,
        was=entry.version if entry else 0,
        note=str(held("note") or ""),
    )
    entry_saved = attempt(
        lambda: (
            core_desk().knowledge.change(entry.id, order)
            if entry
            else core_desk().knowledge.write(order)
        )
    )
    if entry_saved is not None:
        st.session_state["entry"] = entry_saved.id
        if entry is None:
            for name in ("title", "body", "note", "tags"):
                st.session_state.pop(f"entry-{name}-{NEW}", None)
            st.session_state.pop("entry-title-given", None)
        say("done", "Saved: drafts may rest on it from now on.")


def turns(entry: EntryView) -> None:
    """Draw the buttons that retire an entry, bring it back, or give it back to its file."""
    with st.container(horizontal=True, gap="small"):
        if entry.retired:
            st.button("Use it again", key=f"entry-restore-{entry.id}", on_click=_turn,
                      args=(entry, "restore", "Drafts may rest on it again."))  # fmt: skip
        else:
            st.button("Retire", key=f"entry-retire-{entry.id}", on_click=_turn,
                      help="Nothing rests on it any more; it can be brought back.",
                      args=(entry, "retire", "Retired: nothing rests on it any more."))  # fmt: skip
        if entry.file and (entry.kept or entry.retired):
            st.button("Give it back to the file", key=f"entry-back-{entry.id}", on_click=_turn,
                      args=(entry, "hand-back", "The file counts again."))  # fmt: skip


def _turn(entry: EntryView, act: str, sentence: str, restore: int | None = None) -> None:
    order = TurnEntry(was=entry.version, restore=restore)
    if attempt(lambda: core_desk().knowledge.turn(entry.id, act, order)) is not None:
        say("done", sentence)


def versions(entry: EntryView) -> None:
    """Draw what each version changed, and the button that brings it back."""
    if not entry.version:
        return
    with st.expander("Versions", key=f"entry-versions-{entry.id}", on_change="rerun") as drawn:
        if not drawn.open:
            return
        for item in core_desk().knowledge.versions(entry.id).items:
            _version(entry, item)


def _version(entry: EntryView, entry_version: EntryVersion) -> None:
    section(f"Version {entry_version.number}")
    chips(
        chip(STATES[entry_version.state], "quiet"),
        make_muted(f"by {entry_version.author}"),
        moment(entry_version.written_at, now()),
    )
    if entry_version.note:
        st.text(one_line(entry_version.note, 500))
    st.code(
        "\n".join(entry_version.lines) or "(the same wording)", language="diff", wrap_lines=True
    )
    if entry_version.number != entry.version:
        st.button(
            "Let this one count again",
            key=f"entry-again-{entry.id}-{entry_version.number}",
            on_click=_turn,
            args=(entry, "restore", "It counts again, as a new version.", entry_version.number),
        )
