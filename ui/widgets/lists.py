"""Lists whose lines are buttons, and the two halves of a page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.inert import inert, one_line
from ui.widgets.chips import chips
from ui.widgets.plain import words


def halves(name: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the list's half, which stays in view, and the half of what was opened."""
    with st.container(key=f"halves-{name}"):
        left, right = st.columns([3, 7], gap="medium")
    return left.container(key=f"side-{name}"), right


@contextmanager
def listing(name: str) -> Iterator[None]:
    """Frame the lines of one list."""
    with st.container(key=f"list-{name}", gap=None):
        yield


def row(
    id: str,
    who: str,
    subject: str,
    preview: str,
    labels: tuple[str, ...],
    when: str,
    opened: bool,
    on_open: Callable[[str], None],
    why: str = "",
) -> None:
    """Draw one line: the texts inert, `labels` and `when` made by `ui.widgets.chips`.

    `why` is a sentence of ours on why it is where it is.
    The whole line is one button; its name, which only a screen reader tells, says what it opens.
    """
    with st.container(key=f"row-{id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            words(who, "who", f"row-{id}", wrap=False)
            chips(when)
        st.text(subject_line(subject), wrap=False, width="stretch")
        if preview:
            words(preview, "dim", f"row-{id}", wrap=False)
        if why:
            words(why, "why", f"row-{id}", wrap=False)
        chips(*labels)
        st.button(
            inert(f"Open {subject_line(subject)}, {who}", limit=120),
            key=f"open-{'now-' if opened else ''}{id}",
            on_click=on_open,
            args=(id,),
            width="stretch",
        )


def subject_line(subject: str) -> str:
    """Return a subject on one line, or that there is none."""
    return one_line(subject, 200) or "(no subject)"
