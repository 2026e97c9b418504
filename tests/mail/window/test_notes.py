"""Notes for colleagues, on the page of a case."""

from collections.abc import Callable
from datetime import UTC, datetime

from streamlit.testing.v1 import AppTest

from data.records.mail.notes import NoteView
from tests.core.window import invented
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import World

Opener = Callable[..., AppTest]


def noted(app: AppTest, text: str) -> None:
    """Write a note on the first case."""
    button(app, "panel-note").click().run()
    app.text_area(key="note-text-case-1").input(text).run()
    button(app, "note-now").click().run()


def test_a_note_is_kept_and_stands_beside_the_mail(window: Opener, world: World) -> None:
    """The case stays open; the note has its writer."""
    app = window("review")
    noted(app, "She rang twice today.")
    assert world.done("/case-1/notes") == [{"text": "She rang twice today."}]
    assert app.session_state["case"] == "case-1"
    assert says(app, "She rang twice today.")
    assert "approve" in keys(app)


def test_a_refused_note_stays_in_its_field(window: Opener, world: World) -> None:
    """What names nobody is told, and nothing that was typed is lost."""
    app = window("review")
    noted(app, "@who knows?")
    assert says(app, "names nobody here")
    assert app.text_area(key="note-text-case-1").value == "@who knows?"


def test_whom_a_note_mentions_is_named_once(window: Opener, world: World) -> None:
    """By the whole name or the first one; who is mentioned by an address alone is added."""
    at = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
    first, second = (
        NoteView(
            id=f"n-{number}",
            text=text,
            mentions=("Bo Lund",),
            author_id="user-ida",
            written_by="ida",
            written_at=at,
        )
        for number, text in enumerate(("@bo, call them", "@lund@kettle.example: call them"))
    )
    case = world.cases["case-1"]
    thread = invented.thread().model_copy(update={"notes": (first, second)})
    world.cases["case-1"] = case.model_copy(update={"thread": thread})
    app = window("review")
    assert says(app, "@bo, call them")
    assert not says(app, "@bo, call them @Bo Lund")
    assert says(app, "@lund@kettle.example: call them @Bo Lund")


def test_a_note_goes_along_with_a_case(window: Opener, world: World) -> None:
    """Giving a case away has a field for what the colleague should know."""
    app = window("review")
    button(app, "panel-reassign").click().run()
    app.selectbox(key="assignee-case-1").select("jonas@kettle.example").run()
    app.text_input(key="given-note-case-1").input("VIP").run()
    button(app, "reassign-now").click().run()
    (given,) = world.done("/reassign")
    assert (given["assignee"], given["note"]) == ("jonas@kettle.example", "VIP")
