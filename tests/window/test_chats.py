"""The page of chats over the real engine: what is empty, what failed, and where sources lead."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from flows.agents.lifecycle import install_catalogue
from tests.window.drawn import says, tell
from tests.window.test_real_engine import (
    Engine,
    answered,
    engine,
    open_new_chat,
    read_transcript,
    window,
)

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def catalogue(engine: Engine) -> None:  # pytest's way of asking for a fixture
    """The organization has the agents of the catalogue."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))


def test_a_page_without_chats_says_how_to_begin_one(window: Opener) -> None:
    """And one that was removed meanwhile leaves the page as if nothing were open."""
    app = window("chats", chat="nothing-by-that-id")
    assert says(app, "No chat yet.")
    assert not app.error
    assert not app.exception


def test_a_failed_answer_says_why_and_is_asked_again(engine: Engine, window: Opener) -> None:
    """What was asked is not said a second time."""
    app = open_new_chat(window, "assistant")
    house, settings = engine.line.house, engine.line.house.settings
    house.settings = settings.model_copy(update={"turn_seconds": 1e-9})
    app.chat_input[0].set_value("Hello").run()
    app.run()
    house.settings = settings
    (asked,) = read_transcript(app)
    (failure,) = asked["failures"]
    assert failure["who"] == "Assistant"
    assert "took longer" in failure["text"]
    tell(app, "postern_transcript", "again", failure["turn"])
    app.run()
    assert answered(app, "Hello")
    assert len(read_transcript(app)) == 2
    assert read_transcript(app)[0]["failures"] == []
    assert not app.exception


def test_a_source_of_knowledge_opens_its_entry(engine: Engine, window: Opener) -> None:
    """The page of knowledge shows it, with its text."""
    app = open_new_chat(window, "librarian")
    app.chat_input[0].set_value("What does an inspection cost?").run()
    app.run()
    source = read_transcript(app)[-1]["sources"][0]
    assert (source["kind"], source["opens"]) == ("knowledge", True)
    tell(app, "postern_transcript", "open", {"kind": "knowledge", "id": source["id"]})
    assert app.session_state["entry"] == source["id"]
    assert says(app, source["title"])
    assert not app.exception


def test_a_source_of_memory_opens_its_item(engine: Engine, window: Opener) -> None:
    """The page of memory shows where it comes from."""
    app = open_new_chat(window, "assistant")
    for words in ("Remember that my desk is on the third floor", "Where is my desk?"):
        app.chat_input[0].set_value(words).run()
        app.run()
    sources = [one for entry in read_transcript(app) for one in entry["sources"]]
    (source,) = [one for one in sources if one["kind"] == "memory"][:1]
    assert source["opens"]
    tell(app, "postern_transcript", "open", {"kind": "memory", "id": source["id"]})
    assert says(app, "Where it comes from")
    assert not app.exception
