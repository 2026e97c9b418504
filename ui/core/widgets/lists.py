"""Lists whose lines are buttons, and the two halves of a page.

A list is one component, however many lines it has: the browser draws a page of 25 lines in a
tenth of the time that it needs for the same lines made of containers, texts and buttons.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.core.chips import Piece, empty
from ui.core.list_navigation import OPENED
from ui.core.text.inert import one_line

_JS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_LINES: ContextVar[list[tuple[dict[str, object], Callable[[str], None]]]] = ContextVar("lines")


def draw_halves(name: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the list's half, which stays in view, and the half of what was opened."""
    with st.container(key=f"halves-{name}"):
        left, right = st.columns([3, 7], gap="medium")
    return left.container(key=f"side-{name}"), right


@contextmanager
def listing(name: str) -> Iterator[None]:
    """Frame the lines of one list, and draw those that `row` adds within."""
    mark = _LINES.set([])
    try:
        yield
        lines = _LINES.get()
    finally:
        _LINES.reset(mark)
    with st.container(key=f"list-{name}", gap=None):
        if lines:
            _draw(f"lines-{name}", [line for line, _ in lines], lines[0][1])


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
    marks: tuple[str, ...] = (),
) -> None:
    """Draw one entry in three lines: the texts inert, the small words made by `ui.core.chips`.

    `marks` stand beside the name, `labels` at the end of the last line. `why` is a sentence of
    ours on why it is where it is; `on_open` is the same for all lines of a list. The whole entry
    is one button, and a screen reader tells what stands in it but for the preview. Outside of a
    `listing` it stands by itself.
    """
    line: dict[str, object] = {
        "id": id,
        "who": one_line(who, 400),
        "subject": subject_line(subject),
        "preview": one_line(preview, 400),
        "why": one_line(why, 400),
        "marks": [mark.data for mark in marks if isinstance(mark, Piece)],
        "labels": [label.data for label in labels if isinstance(label, Piece)],
        "when": [when.data] if isinstance(when, Piece) else [],
        "opened": opened,
    }
    lines = _LINES.get(None)
    if lines is None:
        _draw(f"lines-{id}", [line], on_open)
    else:
        lines.append((line, on_open))


def nothing_open(name: str, what: str) -> None:
    """Draw the other half while nothing of a list is open; `what` is e.g. `a case`.

    Keys are named for the lists of `ui.core.list_navigation`, through which they move.
    """
    with st.container(key="card-nothing"):
        if st.session_state.get(f"ids-{name}"):
            keys = "; J and K move through it" if name in OPENED else ""
            empty("Nothing is open.", f"Choose {what} from the list", keys)
        else:
            empty(
                "Nothing is open.",
                f"Here stands {what}, once the list has one.",
            )


def subject_line(subject: str) -> str:
    """Return a subject on one line, or that there is none."""
    return one_line(subject, 200) or "(no subject)"


def _draw(key: str, lines: list[dict[str, object]], on_open: Callable[[str], None]) -> None:
    def pressed() -> None:
        chosen = st.session_state[key].open
        if isinstance(chosen, str):
            on_open(chosen)

    component = st.components.v2.component("postern_lines", js=_JS, isolate_styles=False)
    component(data=json.dumps(lines), key=key, on_open_change=pressed)
