"""The pages of agents over the real API, store, index and stages, in process."""

import json
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from flows.agents.lifecycle import install_catalogue
from tests.core.window.drawn import button, lines, says, tell, texts
from tests.core.window.real_engine import Engine, engine, window
from ui.agents.markdown import as_html

__all__ = ["engine", "window"]


def read_transcript(app: AppTest) -> list[dict[str, Any]]:
    """Return the messages that the transcript draws; none where there is no transcript."""
    drawn = [
        one for one in app.get("bidi_component") if one.proto.component_name == "postern_transcript"
    ]
    assert len(drawn) <= 1
    return list(json.loads(json.loads(drawn[0].proto.json))["entries"]) if drawn else []


def answered(app: AppTest, words: str) -> bool:
    """Whether an agent has said these words."""
    return any(one["agent"] and words in one["html"] for one in read_transcript(app))


def open_new_chat(window: Callable[..., AppTest], agent: str) -> AppTest:
    """Return the page of chats with a new one with an agent."""
    app = window("chats")
    button(app, f"begin-{agent}").click().run()
    return app


def test_an_agent_is_asked_by_a_suggestion(engine: Engine, window: Callable[..., AppTest]) -> None:
    """A suggestion is asked with one press; the answer names the case as its source."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    engine.receive(
        "There is smoke coming out of the loom and it smells of burning!", subject="Smoke"
    )
    app = open_new_chat(window, "desk")
    button(app, "suggest-0").click().run()
    app.run()  # the answer may have been said meanwhile
    assert answered(app, "One case is urgent")
    case = engine.run(engine.line.rows("SELECT id FROM cases"))[0]["id"]
    (source,) = read_transcript(app)[-1]["sources"]
    assert (source["id"], source["page"]) == (case, f"/review?case={case}")
    tell(app, "postern_transcript", "open", {"kind": "case", "id": case})
    assert app.session_state["case"] == case


def test_an_agent_shows_what_it_may_and_did(engine: Engine, window: Callable[..., AppTest]) -> None:
    """Its version, trust and tools, on a page of its own."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    app = window("agents")
    button(app, "more-rolodex").click().run()
    assert says(app, "version 1 by Postern")
    assert says(app, "nobody has asked it yet")
    assert "called 0 times" in "\n".join(texts(app))


def test_what_somebody_types_is_answered_and_kept(
    engine: Engine, window: Callable[..., AppTest]
) -> None:
    """The question and its answer stand in the chat, which is named after the question."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    app = open_new_chat(window, "librarian")
    app.chat_input[0].set_value("What does an inspection cost?").run()
    app.run()
    assert answered(app, "35 euros")
    again = window("chats")
    again.session_state["chat"] = app.session_state["chat"]
    again.run()
    assert answered(again, "35 euros")
    assert [line["subject"] for line in lines(again)] == ["What does an inspection cost?"]


def test_several_take_part_and_who_is_named_answers(
    engine: Engine, window: Callable[..., AppTest]
) -> None:
    """In a chat that everybody sees an agent is let in, and answers where it is named."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    app = window("chats")
    app.radio(key="new-kind").set_value("organization").run()
    app.text_input(key="new-title").set_value("Beams").run()
    button(app, "begin-shared").click().run()
    app.selectbox(key="admit-agent").set_value("librarian").run()
    button(app, "admit-agent-now").click().run()
    app.chat_input[0].set_value("The beam is cracked.").run()
    app.chat_input[0].set_value("@librarian what does an inspection cost?").run()
    app.run()
    assert [one["who"] for one in read_transcript(app)] == ["admin", "admin", "Librarian"]
    assert answered(app, "35 euros")


def test_an_answer_is_rated_and_why_is_asked(
    engine: Engine, window: Callable[..., AppTest]
) -> None:
    """Who says that an answer is no help is asked why; the rating is taken back by a press."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    app = open_new_chat(window, "desk")
    app.chat_input[0].set_value("What is urgent?").run()
    answer = read_transcript(app)[-1]["id"]
    tell(app, "postern_transcript", "rate", {"id": answer, "helpful": False})
    app.text_input(key="why-words").set_value("There was smoke.").run()
    button(app, "why-tell").click().run()
    assert read_transcript(app)[-1]["helpful"] is False
    kept = engine.run(engine.line.rows("SELECT message_id, words FROM chat_ratings"))
    assert kept == [{"message_id": answer, "words": "There was smoke."}]
    tell(app, "postern_transcript", "rate", {"id": answer, "helpful": None})
    assert read_transcript(app)[-1]["helpful"] is None


def test_what_an_agent_says_leads_nowhere() -> None:
    """Links, pictures and HTML in an answer stay letters; tables and lists are drawn."""
    html = as_html(
        "| a | b |\n|---|---|\n| 1 | [go](http://evil.example) |\n\n"
        "![x](http://evil.example/p.png) <script>alert(1)</script> <http://evil.example>\n\n"
        "[ref]\n\n[ref]: http://evil.example\n"
    )
    assert "<table>" in html
    assert not any(part in html for part in ("<a", "<img", "<script", "href", "src="))
