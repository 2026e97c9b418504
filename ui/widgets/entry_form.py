"""Writing knowledge: one entry's fields, its versions, and a file made into entries."""

import base64
from functools import partial

import streamlit as st

from data.counting import plural
from data.records.core.kept_knowledge import (
    LONGEST_ENTRY,
    EntryVersion,
    GivenFile,
    KeepEntry,
    KeptState,
    ReadFile,
    TurnEntry,
    WriteEntry,
)
from data.records.core.knowledge import KnowledgeKind
from data.records.core.learning import EntryView
from ui.chips import chip, chips, moment, muted, section
from ui.clock import now
from ui.inert import inert, one_line
from ui.session import attempt, desk, say
from ui.words import LANGUAGES, language

NEW = "new"
"""What stands for the name of an entry that is being written."""
LARGEST = 2_900_000
"""Bytes of a file that can be read here."""
STATES = {KeptState.KEPT: "written", KeptState.RETIRED: "retired", KeptState.FILE: "given back"}
KINDS = {
    KnowledgeKind.FACT: "a fact",
    KnowledgeKind.PROCEDURE: "how something is done",
    KnowledgeKind.POLICY: "what holds for everybody",
    KnowledgeKind.FAQ: "a question with its answer",
    KnowledgeKind.DECISION: "a decision",
    KnowledgeKind.PREFERENCE: "how something is liked best",
}


def new_entry() -> None:
    """Draw the ways to a new entry: written or pasted, or made of a file."""
    written, uploaded = st.tabs(["Write or paste", "From a file"])
    with written:
        title = str(st.session_state.get("entry-title-given") or "")
        _form(None, WriteEntry.model_construct(title=title, body=""))
    with uploaded:
        _upload()


def entry_form(entry: EntryView) -> None:
    """Draw the fields of an entry that is there."""
    if entry.file and not entry.kept:
        words = f"It stands in {entry.file}. Once changed here it is kept here, and the file does "
        st.caption(inert(f"{words}not count for it until you give it back.", limit=400))
    elif entry.file:
        st.caption(inert(f"Kept here; {entry.file} does not count for it.", limit=300))
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
    order = KeepEntry(
        entry=WriteEntry.model_validate(fields),
        was=entry.version if entry else 0,
        note=str(held("note") or ""),
    )
    entry_saved = attempt(
        lambda: desk().change_entry(entry.id, order) if entry else desk().write_entry(order)
    )
    if entry_saved is not None:
        st.session_state["entry"] = entry_saved.id
        if entry is None:
            for name in ("title", "body", "note", "tags"):
                st.session_state.pop(f"entry-{name}-{NEW}", None)
            st.session_state.pop("entry-title-given", None)
        say("done", "Saved: drafts may rest on it from now on.")


def _upload() -> None:
    """Read a file, and offer each of its parts as an entry."""
    file_given = st.file_uploader(
        "Markdown, text, PDF, Word or HTML",
        type=["md", "markdown", "txt", "pdf", "docx", "odt", "html", "htm"],
        key="entry-file",
        help="At most 2.9 MB. Nothing is kept before you have seen it.",
    )
    if file_given is None:
        st.session_state.pop("entry-read", None)
        return
    if file_given.size > LARGEST:
        st.error("The file is larger than 2.9 MB; cut it, or save it as text.",
                 icon=":material/error:")  # fmt: skip
        return
    file_read = st.session_state.get("entry-read")
    if not file_read or file_read[0] != file_given.file_id:
        content = base64.b64encode(file_given.getvalue()).decode()
        order = GivenFile(filename=file_given.name[-200:], content=content)
        file_read = (file_given.file_id, desk().read_knowledge_file(order))
        st.session_state["entry-read"] = file_read
    _sections(file_read[0], file_read[1])


def _sections(file: str, read_file: ReadFile) -> None:
    if read_file.hidden:
        st.warning("It holds words that its reader does not see; they are left out.",
                   icon=":material/visibility_off:")  # fmt: skip
    if read_file.trouble:
        st.error(inert(read_file.trouble, limit=400), icon=":material/error:")
        return
    if read_file.cut:
        st.warning("There is more in it than was read.", icon=":material/content_cut:")
    chips(muted(f"{plural(len(read_file.sections), 'part')}; each becomes an entry of its own."))
    chosen = []
    for place, part in enumerate(read_file.sections):
        with st.container(key=f"card-section-{place}"):
            keep = st.checkbox(
                inert(part.title, limit=100), value=True, key=f"section-keep-{file}-{place}"
            )
            title = st.text_input("Title", part.title, key=f"section-title-{file}-{place}",
                                  max_chars=200)  # fmt: skip
            body = st.text_area("Text", part.body, key=f"section-body-{file}-{place}", height=150,
                                max_chars=LONGEST_ENTRY)  # fmt: skip
        if keep and len(title.strip()) >= 3 and len(body.strip()) >= 3:
            fields = {**dict(part), "title": title.strip(), "body": body}
            chosen.append(WriteEntry.model_validate(fields))
    st.button(
        f"Keep {plural(len(chosen), 'entry', 'entries')}",
        key="entry-keep-file",
        type="primary",
        disabled=not chosen,
        on_click=_keep_sections,
        args=(tuple(chosen),),
    )


def _keep_sections(entries: tuple[WriteEntry, ...]) -> None:
    saved_count = 0
    for entry in entries:
        entry_made = attempt(partial(desk().write_entry, KeepEntry(entry=entry)))
        if entry_made is None:
            break
        saved_count += 1
        st.session_state["entry"] = entry_made.id
    if saved_count:
        st.session_state.pop("entry-read", None)
        say("done", f"{plural(saved_count, 'entry', 'entries')} kept: drafts may rest on "
                    f"{'it' if saved_count == 1 else 'them'} from now on.")  # fmt: skip


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
    if attempt(lambda: desk().turn_entry(entry.id, act, order)) is not None:
        say("done", sentence)


def versions(entry: EntryView) -> None:
    """Draw what each version changed, and the button that brings it back."""
    if not entry.version:
        return
    with st.expander("Versions", key=f"entry-versions-{entry.id}", on_change="rerun") as drawn:
        if not drawn.open:
            return
        for item in desk().entry_versions(entry.id).items:
            _version(entry, item)


def _version(entry: EntryView, entry_version: EntryVersion) -> None:
    section(f"Version {entry_version.number}")
    chips(
        chip(STATES[entry_version.state], "quiet"),
        muted(f"by {entry_version.author}"),
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
