"""Looking at what a run of the window has drawn."""

import json
from collections.abc import Iterator
from html import unescape
from math import ceil
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from ui.mail.widgets.case.actions import STAND_BY

LETTER = "postern_letter"
INTERPRETS_NOTHING = frozenset({"text", "code", "bidi_component", "text_input", "text_area"})
"""Elements that draw their text as it is: the first three by design, the fields as values."""


def elements(app: AppTest) -> Iterator[Any]:
    """Yield everything that is drawn, containers too."""
    for root in (app.main, app.sidebar):
        for node in root:
            if isinstance(node, Element | Block):
                yield node


def texts(app: AppTest) -> list[str]:
    """Return all words drawn by what interprets nothing: texts, code, marked lines and lists."""
    words = [str(entry.value) for entry in app.text] + [str(entry.value) for entry in app.code]
    for data in _data(app, "postern_marked"):
        words += ["".join(run["text"] for run in line["runs"]) for line in data["lines"]]
    for data in _data(app, LETTER):
        words += [data["subject"], _numbered(data)]
    for line in lines(app):
        words += [line[name] for name in ("who", "subject", "preview", "why")]
        words += [piece["text"] for piece in (*line["marks"], *line["labels"], *line["when"])]
    for data in _data(app, "postern_undo"):
        words.append(f"{data['text']} {data['ending'].replace('{}', str(ceil(data['left'])))}")
    return words


def lines(app: AppTest) -> list[Any]:
    """Return the lines of all lists on the page, as their component is given them."""
    return [line for data in _data(app, "postern_lines") for line in data]


def opened(app: AppTest) -> list[str]:
    """Return the ids of the lines that are shown as open."""
    return [line["id"] for line in lines(app) if line["opened"]]


def press(app: AppTest, id: str) -> AppTest:
    """Press the line of a list, as the component tells it, and draw what comes of it."""
    for entry in app.get("bidi_component"):
        if entry.proto.component_name == "postern_lines":
            given = json.loads(json.loads(entry.proto.json))
            if id in [line["id"] for line in given]:
                return _trigger(app, entry, "open", id)
    raise AssertionError(f"no list has a line {id!r}")


def tell(app: AppTest, component: str, event: str, value: object) -> AppTest:
    """Have the only component of that name tell of an event, and draw what comes of it."""
    (entry,) = [one for one in app.get("bidi_component") if one.proto.component_name == component]
    return _trigger(app, entry, event, value)


def letter(app: AppTest) -> Any:  # noqa: ANN401
    """Return what the field of the reply is given: subject, body and marks."""
    (data,) = _data(app, LETTER)
    return data


def write(app: AppTest, body: str, event: str = "typed") -> AppTest:
    """Have the field of the reply tell of another text, and draw what comes of it.

    A button that was pressed before, and not run, counts in the same moment.
    """
    (entry,) = [one for one in app.get("bidi_component") if one.proto.component_name == LETTER]
    return _trigger(app, entry, event, {"subject": letter(app)["subject"], "body": body})


def _numbered(data: Any) -> str:  # noqa: ANN401
    """Return a body with the number of its source after each sentence that is cited."""
    body = data["body"]
    cited = [mark for mark in data["marks"] if mark["kind"] == "cited"]
    for mark in sorted(cited, key=lambda mark: -mark["end"]):
        body = f"{body[: mark['end']]}[{mark['number']}]{body[mark['end'] :]}"
    return str(body)


def _trigger(app: AppTest, entry: Any, event: str, value: object) -> AppTest:  # noqa: ANN401
    states = app._tree.get_widget_states()
    pressed = states.widgets.add()
    pressed.id = _make_trigger_id(entry.proto.id, "events")
    pressed.json_trigger_value = json.dumps([{"event": event, "value": value}])
    return app._run(states)


def _data(app: AppTest, name: str) -> Iterator[Any]:
    for entry in app.get("bidi_component"):
        if entry.proto.component_name == name:
            yield json.loads(json.loads(entry.proto.json))


def says(app: AppTest, words: str) -> bool:
    """Return whether `words` are drawn anywhere, our HTML and alerts included."""
    alerts = [str(entry.value) for kind in (app.error, app.warning, app.toast) for entry in kind]
    html = [unescape(str(entry.proto.body)) for entry in app.get("html")]
    plain = [entry.replace("\\", "").replace("\u2060", "") for entry in alerts]
    return any(words in entry for entry in [*texts(app), *plain, *html])


def tick(app: AppTest) -> Any:  # noqa: ANN401
    """Return the box by which a person stands by what is marked red."""
    (box,) = [entry for entry in app.checkbox if entry.label == STAND_BY]
    return box


def button(app: AppTest, key: str) -> Any:  # noqa: ANN401
    """Return the button with that key, for whatever it decides on."""
    found = [entry for entry in app.button if _name(entry) == key]
    assert found, f"no button {key!r}"
    return found[0]


def keys(app: AppTest) -> set[str]:
    """Return the keys of all buttons, without the ids of what they decide on."""
    return {_name(entry) for entry in app.button}


def _name(entry: Any) -> str:  # noqa: ANN401
    return str(entry.key).partition("-of-")[0]
