"""Pictures and PDF pages of mail and of letters, looked at over the page: drawn anew."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from data.counting import plural
from data.records.core.parsed_mail import Attachment
from data.records.mail.attaching import EnclosedFile
from data.records.mail.documents import MOST_DRAWN_PAGES, DrawnPage
from data.records.mail.views import MessageView
from data.states import HELD_BY_SCREEN
from ui.core.chips import chips, make_muted
from ui.core.session import guard_refusals
from ui.core.text.inert import make_inert, shorten_middle
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk

_PICTURE_ENDINGS = frozenset({"png", "jpg", "jpeg", "gif", "webp", "bmp"})
_PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"})


def is_offered(message: MessageView, entry: Attachment) -> bool:
    """Return whether a file may have a preview, by its name; the engine looks at its bytes."""
    return is_drawn(entry) and message.status not in HELD_BY_SCREEN


def is_drawn(entry: Attachment | EnclosedFile) -> bool:
    """Return whether a file may have a preview, by its name or type."""
    is_pdf = _ending(entry) == "pdf" or entry.content_type == "application/pdf"
    return is_pdf or is_picture(entry)


def is_picture(entry: Attachment | EnclosedFile) -> bool:
    """Return whether a file is a picture by its name or type, so that there is nothing to read."""
    return _ending(entry) in _PICTURE_ENDINGS or entry.content_type in _PICTURE_TYPES


def _ending(entry: Attachment | EnclosedFile) -> str:
    return entry.filename.rpartition(".")[2].lower()


def preview_button(message: MessageView, entry: Attachment, key: str) -> None:
    """Offer the preview of a file, where there may be one; nothing is drawn before the press."""
    if not is_offered(message, entry):
        return
    name = shorten_middle(entry.filename, 44)
    if st.button(
        "Preview",
        key=key,
        icon=":material/visibility:",
        type="tertiary",
        help=f"Look at {make_inert(name)}, drawn anew without anything of its sender's",
    ):
        st.session_state["preview-page"] = 1
        _look(
            entry.filename,
            partial(mail_desk().messages.draw_page, message.id, entry.sha256),
            partial(mail_desk().messages.attachment, message.id, entry.sha256),
        )


def own_preview_button(
    file: EnclosedFile,
    draw: Callable[[int], DrawnPage],
    content: Callable[[], bytes],
    key: str,
) -> None:
    """Offer the preview of a file of our own, where there may be one."""
    if not is_drawn(file):
        return
    name = make_inert(shorten_middle(file.filename, 44))
    if st.button(
        "Preview", key=key, icon=":material/visibility:", type="tertiary", help=f"Look at {name}"
    ):
        st.session_state["preview-page"] = 1
        _look(file.filename, draw, content)


def download_button(message: MessageView, entry: Attachment, key: str, label: str = "") -> None:
    """Offer a file of a message as a download; it is fetched by the press."""
    _download(
        entry.filename,
        partial(mail_desk().messages.attachment, message.id, entry.sha256),
        key,
        label,
    )


def _download(filename: str, content: Callable[[], bytes], key: str, label: str = "") -> None:
    st.download_button(
        label or "Download",
        data=content,
        file_name=filename,
        mime="application/octet-stream",
        key=key,
        icon=":material/attach_file:" if label else ":material/download:",
        on_click="ignore",
        type="secondary" if label else "tertiary",
    )


@st.dialog("Preview", width="large")
def _look(filename: str, draw: Callable[[int], DrawnPage], content: Callable[[], bytes]) -> None:
    """Draw one page of a file, and the ways to the next and the one before."""
    page = int(st.session_state.get("preview-page", 1))
    words(filename, "who", "preview-name")
    with guard_refusals(leaving=False):
        drawn = draw(page)
        if drawn.pages > 1:
            _turning(page, drawn)
        with st.container(key="preview-page-drawn"):
            st.image(drawn.png, alt=f"{shorten_middle(filename, 44)}, page {page}")
    _download(filename, content, "preview-download")


def _turning(page: int, drawn: DrawnPage) -> None:
    last = min(drawn.pages, MOST_DRAWN_PAGES)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for label, step, icon in (
            ("Page before", -1, ":material/chevron_left:"),
            ("Next page", 1, ":material/chevron_right:"),
        ):
            st.button(
                label,
                key=f"preview-turn-{step}",
                icon=icon,
                type="tertiary",
                disabled=not 1 <= page + step <= last,
                on_click=_turn,
                args=(page + step,),
            )
        more = "" if last == drawn.pages else f"; the first {plural(last, 'page')} are drawn"
        chips(make_muted(f"Page {page} of {drawn.pages}{more}"))


def _turn(page: int) -> None:
    st.session_state["preview-page"] = page
