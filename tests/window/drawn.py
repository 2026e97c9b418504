"""Looking at what a run of the window has drawn."""

import json
from collections.abc import Iterator
from html import unescape
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

INTERPRETS_NOTHING = frozenset({"text", "code", "bidi_component", "text_input", "text_area"})
"""Elements that draw their text as it is: the first three by design, the fields as values."""


def elements(app: AppTest) -> Iterator[Any]:
    """Yield everything that is drawn, containers too."""
    for root in (app.main, app.sidebar):
        for node in root:
            if isinstance(node, Element | Block):
                yield node


def texts(app: AppTest) -> list[str]:
    """Return all words drawn by what interprets nothing: texts, code and marked lines."""
    words = [str(entry.value) for entry in app.text] + [str(entry.value) for entry in app.code]
    drawing = [
        entry for entry in app.get("bidi_component") if "marked" in entry.proto.component_name
    ]
    for entry in drawing:
        data = json.loads(json.loads(entry.proto.json))
        words += ["".join(run["text"] for run in line["runs"]) for line in data["lines"]]
    return words


def says(app: AppTest, words: str) -> bool:
    """Return whether `words` are drawn anywhere, our HTML and alerts included."""
    alerts = [str(entry.value) for kind in (app.error, app.warning, app.toast) for entry in kind]
    html = [unescape(str(entry.proto.body)) for entry in app.get("html")]
    plain = [entry.replace("\\", "").replace("\u2060", "") for entry in alerts]
    return any(words in entry for entry in [*texts(app), *plain, *html])


def button(app: AppTest, key: str) -> Any:  # noqa: ANN401
    """Return the button with that key."""
    return app.button(key=key)


def keys(app: AppTest) -> set[str]:
    """Return the keys of all buttons."""
    return {str(entry.key) for entry in app.button}
