"""Files made into entries of knowledge: many at once, each read, shown, chosen from and kept."""

import base64
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple, Protocol

import streamlit as st

from data.counting import plural
from data.records.core.kept_knowledge import (
    LONGEST_ENTRY,
    GivenFile,
    KeepEntry,
    ReadFile,
    WriteEntry,
)
from ui.core.chips import chip, chips, make_muted
from ui.core.session import attempt, core_desk, say
from ui.core.text.inert import make_inert, one_line

LARGEST = 2_900_000
"""Bytes of a file that can be read here."""
MOST_FILES = 20
"""Files that are read at once; each becomes many fields of the page."""
KINDS = ["md", "markdown", "txt", "pdf", "docx", "odt", "html", "htm"]
KEPT = "entry-parts-kept"
"""Where the session remembers which parts of which files are entries already."""


class Uploaded(Protocol):
    """A file that somebody gave, as Streamlit holds it."""

    name: str
    size: int
    file_id: str

    def getvalue(self) -> bytes:
        """Return its bytes."""


class Part(NamedTuple):
    """A part of a file that is to become an entry."""

    filename: str
    file_id: str
    place: int
    entry: WriteEntry


def entry_files() -> None:
    """Read files, and offer each of their parts as an entry, with an outcome for each file."""
    files: list[Uploaded] = st.file_uploader(  # type: ignore[assignment]
        "Markdown, text, PDF, Word or HTML; as many as you like",
        type=KINDS,
        key="entry-file",
        accept_multiple_files=True,
        help=f"At most 2.9 MB each, {MOST_FILES} at once. Nothing is kept before you have seen it.",
    )
    if not files:
        st.session_state.pop("entry-read", None)
        st.session_state.pop(KEPT, None)
        return
    if len(files) > MOST_FILES:
        st.warning(f"The first {MOST_FILES} are read; give the others afterwards.",
                   icon=":material/warning:")  # fmt: skip
    chosen: list[Part] = []
    for file_given in files[:MOST_FILES]:
        chosen += _file(file_given, _read(file_given), alone=len(files) == 1)
    st.button(
        f"Keep {plural(len(chosen), 'entry', 'entries')}",
        key="entry-keep-file",
        type="primary",
        disabled=not chosen,
        on_click=_keep,
        args=(tuple(chosen),),
    )


def _read(file_given: Uploaded) -> ReadFile:
    """Return what a file says; it is read once."""
    files_read: dict[str, ReadFile] = st.session_state.setdefault("entry-read", {})
    if file_given.file_id not in files_read:
        files_read[file_given.file_id] = _read_now(file_given)
    return files_read[file_given.file_id]


def _read_now(file_given: Uploaded) -> ReadFile:
    if file_given.size > LARGEST:
        return ReadFile(trouble="It is larger than 2.9 MB; cut it, or save it as text.")
    content = base64.b64encode(file_given.getvalue()).decode()
    order = GivenFile(filename=file_given.name[-200:], content=content)
    file_read = attempt(lambda: core_desk().knowledge.read_file(order))
    return file_read or ReadFile(trouble="It could not be read; a sentence above says why.")


def _file(file_given: Uploaded, file_read: ReadFile, *, alone: bool) -> list[Part]:
    """Draw one file with its outcome and its parts; return those that are chosen."""
    name, id = file_given.name, file_given.file_id
    parts_kept: set[tuple[str, int]] = st.session_state.get(KEPT, set())
    kept_count = sum(file == id for file, _ in parts_kept)
    with st.container(key=f"card-file-{id}"):
        chips(
            make_muted(one_line(name, 200)),
            chip("cannot be read", "bad") if file_read.trouble else "",
            chip(f"{kept_count} kept", "good") if kept_count else "",
            chip(plural(len(file_read.sections), "part")) if file_read.sections else "",
        )
        if file_read.hidden:
            st.warning("It holds words that its reader does not see; they are left out.",
                       icon=":material/visibility_off:")  # fmt: skip
        if file_read.trouble:
            st.error(make_inert(file_read.trouble, limit=400), icon=":material/error:")
            return []
        if file_read.cut:
            st.warning("There is more in it than was read.", icon=":material/content_cut:")
        places = [
            place for place in range(len(file_read.sections)) if (id, place) not in parts_kept
        ]
        if not places:
            return []
        with st.expander("Its parts, each an entry of its own", expanded=alone, key=f"parts-{id}"):
            entries = [(place, _part(id, place, file_read.sections[place])) for place in places]
        return [Part(name, id, place, entry) for place, entry in entries if entry is not None]


def _part(file: str, place: int, part: WriteEntry) -> WriteEntry | None:
    """Draw a part with its fields; return it as an entry where it is chosen."""
    with st.container(key=f"card-section-{file}-{place}"):
        keep = st.checkbox(
            make_inert(part.title, limit=100), value=True, key=f"section-keep-{file}-{place}"
        )
        title = st.text_input("Title", part.title, key=f"section-title-{file}-{place}",
                              max_chars=200)  # fmt: skip
        body = st.text_area("Text", part.body, key=f"section-body-{file}-{place}", height=150,
                            max_chars=LONGEST_ENTRY)  # fmt: skip
    if not keep or len(title.strip()) < 3 or len(body.strip()) < 3:
        return None
    return WriteEntry.model_validate({**dict(part), "title": title.strip(), "body": body})


def _keep(parts: tuple[Part, ...]) -> None:
    """Keep what is chosen; what is refused stays on the page, and its file is named."""
    parts_kept: set[tuple[str, int]] = st.session_state.setdefault(KEPT, set())
    refused: list[Part] = []
    for part in parts:
        entry_made = attempt(partial(core_desk().knowledge.write, KeepEntry(entry=part.entry)))
        if entry_made is None:
            refused.append(part)
            continue
        parts_kept.add((part.file_id, part.place))
        last = entry_made.id
    saved_count = len(parts) - len(refused)
    if saved_count:
        say("done", f"{plural(saved_count, 'entry', 'entries')} kept: drafts may rest on "
                    f"{'it' if saved_count == 1 else 'them'} from now on.")  # fmt: skip
    for name in _names(refused):
        titles = ", ".join(part.entry.title for part in refused if part.filename == name)
        say("warning", f"Not kept, of {name}: {titles}")
    if not refused:
        st.session_state["entry"] = last
        st.session_state.pop("entry-read", None)
        st.session_state.pop(KEPT, None)


def _names(parts: Iterable[Part]) -> list[str]:
    return list(dict.fromkeys(part.filename for part in parts))
