"""Files of our own on a letter: put on, taken off and opened while it is written, opened after."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from data.counting import plural, size_words
from data.records.mail.attaching import AttachedFile, DetachFile, EnclosedFile
from data.records.mail.views import CaseView, ThreadEntry
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, say
from ui.core.text.inert import make_inert, shorten_middle
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press
from ui.mail.deciding.decisions import OPEN
from ui.mail.widgets.message.previews import own_preview_button

_KEPT_NAME = 200
"""Characters of a name that are sent; the engine says what is too long."""


def attach(case: CaseView) -> None:
    """Draw where files are put on the letter of a case, while it is before a person."""
    if not case.recipients or case.state not in OPEN:
        return
    count = len(case.attachments)
    label = f"Attach · {count}" if count else "Attach"
    key = _key(case)
    panel = f"attach-{key}"  # another one after each turn, so that it closes over what it brought
    with st.popover(label, type="tertiary", key=panel, help="Put files on it"):
        st.file_uploader(
            "Files for this letter",
            accept_multiple_files=True,
            key=key,
            max_upload_size=max(1, int(st.get_option("server.maxUploadSize")) - 1),
            on_change=_attach,
            args=(case, key),
        )


def draw_attached(case: CaseView) -> None:
    """Draw the files of the letter of a case: each is opened, and taken off before it leaves."""
    if not case.attachments:
        return
    with st.container(key="attached", gap="small"):
        for file in case.attachments:
            _file(case, file)


def draw_enclosed(delivery_id: str, files: Sequence[EnclosedFile], place: str) -> None:
    """Draw the files of something in the outbox, each to be opened; `place` is for their keys."""
    with st.container(horizontal=True, gap="small", key=f"enclosed-{place}"):
        for number, file in enumerate(files):
            content = partial(mail_desk().outbox.enclosed_file, delivery_id, file.sha256)
            _download(file, content, f"enclosed-{number}-{place}")
            draw = partial(mail_desk().outbox.draw_enclosed, delivery_id, file.sha256)
            own_preview_button(file, draw, content, f"enclosed-preview-{number}-{place}")


def enclosed_in(entry: ThreadEntry) -> bool:
    """Draw the files of a letter of ours in its conversation; return whether it is one."""
    kind, _, id = entry.ref.partition(":")
    if kind != "delivery" or not entry.attachments:
        return False
    files = [
        EnclosedFile(
            filename=file.filename,
            content_type=file.content_type,
            size_bytes=file.size_bytes,
            sha256=file.sha256,
        )
        for file in entry.attachments
    ]
    draw_enclosed(id, files, f"said-{id}")
    return True


def _file(case: CaseView, file: AttachedFile) -> None:
    with st.container(key=f"attached-one-{file.id}", gap=None):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            content = partial(mail_desk().letters.attached_file, case.id, file.id)
            _download(file, content, f"attached-file-{file.id}")
            draw = partial(mail_desk().letters.draw_attached, case.id, file.id)
            own_preview_button(file, draw, content, f"attached-preview-{file.id}")
            if case.state in OPEN:
                st.button(
                    "Take off",
                    key=double_press.key_of("detach", file.id),
                    type="tertiary",
                    icon=":material/close:",
                    on_click=_detach,
                    args=(case, file),
                )
        if file.warnings:
            warnings = [line(run(one), icon="warn") for one in file.warnings]
            draw_marked(warnings, "list", key=f"warned-{file.id}")


def _download(file: EnclosedFile, content: partial[bytes], key: str) -> None:
    st.download_button(
        f"{make_inert(shorten_middle(file.filename, 44))} · {size_words(file.size_bytes)}",
        data=content,
        file_name=file.filename,
        mime="application/octet-stream",
        key=key,
        icon=":material/attach_file:",
        on_click="ignore",
        type="tertiary",
    )


def _key(case: CaseView) -> str:
    """Return the key of the field; it is another one after each turn, so that it is empty then."""
    return f"files-{case.id}-{st.session_state.get(f'files-turn-{case.id}', 0)}"


def _attach(case: CaseView, key: str) -> None:
    """Put what was chosen on the letter, as far as the engine takes it."""
    given = st.session_state.get(key) or ()
    if not given or double_press.case_on_page() != case.id:
        return
    turn = f"files-turn-{case.id}"
    st.session_state[turn] = st.session_state.get(turn, 0) + 1
    version, count = case.version, 0
    for file in given:
        name, content = str(file.name)[-_KEPT_NAME:], file.getvalue()
        after = attempt(partial(mail_desk().letters.attach_file, case.id, version, name, content))
        if after is not None:
            version, count = after.version, count + 1
    if count:
        say("done", f"{plural(count, 'file')} attached.")
    redraw("queue", "item", "undo")


def _detach(case: CaseView, file: AttachedFile) -> None:
    order = DetachFile(version=case.version)
    if attempt(lambda: mail_desk().letters.detach_file(case.id, file.id, order)):
        say("done", f"{shorten_middle(file.filename, 44)} is taken off.")
    redraw("queue", "item", "undo")
