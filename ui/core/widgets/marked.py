"""The component that draws marked text: every piece becomes a text node, so nothing in it acts."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.errors import DuplicateWidgetID

from ui.core.text.text_runs import Run, TextLine, line

MarkedLook = Literal["plain", "letter", "list", "checks", "one"]

_HERE = Path(__file__).parent
_CSS = (_HERE / "marked.css").read_text(encoding="utf-8")
_JS = (_HERE / "marked.js").read_text(encoding="utf-8")


def draw_marked(
    lines: Sequence[TextLine] | Sequence[Run], look: MarkedLook = "plain", key: str | None = None
) -> None:
    """Draw lines of marked text, or one line given as its runs.

    The data goes as JSON; the script beside this file sets it with `textContent` only.
    """
    drawn = [entry if isinstance(entry, TextLine) else None for entry in lines]
    if None in drawn:
        drawn = [line(*(entry for entry in lines if isinstance(entry, Run)))]
    data = {
        "look": look,
        "lines": [entry.model_dump(mode="json") for entry in drawn if entry is not None],
    }
    # The same definition again is no change; it must be there in every run of every session.
    component = st.components.v2.component(
        "postern_marked",
        css=_CSS,
        js=_JS,
    )
    text = json.dumps(data)
    for name in _names(text, key):
        try:
            component(data=text, key=name)
        except DuplicateWidgetID:
            if name == key and key is not None:
                raise
        else:
            return


def _names(text: str, key: str | None) -> Iterator[str | None]:
    """Yield `key`, then made-up ones: two messages of one burst may well say the same."""
    yield key
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    for number in count(2):
        yield f"marked-{digest}-{number}"
