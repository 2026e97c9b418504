"""The pages of agents over the real engine: versions, wording, who may ask, pause, deletion."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.principals import Grant, NewUser
from data.store.core import control, users
from flows.agents.lifecycle import install_catalogue
from tests.core.window.drawn import button, keys, press, says, texts
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def catalogue(engine: Engine) -> None:  # pytest's way of asking for a fixture
    """The organization has the agents of the catalogue."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))


def open_agent(window: Opener, agent: str, part: str) -> AppTest:
    """Return the page of an agent."""
    app = window("agents", **{"agent": agent, "agent-part": part})
    assert not app.exception
    return app


def reword(app: AppTest, words: str, why: str) -> AppTest:
    """Write another prompt, as a person does."""
    (field,) = [one for one in app.text_area if str(one.key).startswith("wording-")]
    field.input(words).run()
    app.text_input(key="wording-reason").input(why).run()
    return button(app, "wording-save").click().run()


def kept(engine: Engine) -> list[str]:
    """Return the notes of Desk's versions, the oldest first."""
    statement = "SELECT note FROM agent_versions WHERE agent = 'desk' ORDER BY version"
    return [row["note"] for row in engine.run(engine.line.rows(statement))]


def test_a_prompt_is_changed_compared_restored_and_taken_back(
    engine: Engine, window: Opener
) -> None:
    """Each change is a version with its author and reason; nothing is overwritten."""
    app = open_agent(window, "desk", "wording")
    reword(app, "You greet everybody with a poem.", "more warmth")
    assert not app.exception
    assert says(app, "version 2 by admin")
    app.segmented_control(key="agent-part").set_value("versions").run()
    shown = "\n".join(texts(app))
    assert "more warmth" in shown
    assert "You greet everybody with a poem." in shown

    press(app, "1")
    app.text_input(key="restore-reason").input("poems are late").run()
    button(app, "agent-restore").click().run()
    assert not app.exception
    assert kept(engine)[1:] == ["more warmth", "poems are late"]
    button(app, "undo-approval").click().run()
    assert kept(engine)[3:] == ["the change was taken back"]
    assert says(app, "version 4 by admin")
    app.segmented_control(key="agent-part").set_value("wording").run()
    (field,) = [one for one in app.text_area if str(one.key).startswith("wording-")]
    assert str(field.value).strip() == "You greet everybody with a poem."


def test_what_somebody_else_saved_meanwhile_is_shown_and_ones_own_words_are_kept(
    engine: Engine, window: Opener
) -> None:
    """Nothing is overwritten unseen; what was written can be put into the field again."""
    first, second = (open_agent(window, "desk", "wording") for _ in range(2))
    reword(first, "You greet everybody with a poem.", "more warmth")
    (field,) = [one for one in second.text_area if str(one.key).startswith("wording-")]
    field.input("You greet nobody.").run()
    assert says(second, "admin has saved version 2 meanwhile.")
    assert "You greet everybody with a poem." in "\n".join(texts(second))
    (field,) = [one for one in second.text_area if str(one.key).startswith("wording-")]
    assert field.value == "You greet nobody."
    second.text_input(key="wording-reason").input("less warmth").run()
    button(second, "wording-save").click().run()
    assert kept(engine)[1:] == ["more warmth", "less warmth"]
    button(second, "undo-approval").click().run()
    (field,) = [one for one in second.text_area if str(one.key).startswith("wording-")]
    assert "poem" in str(field.value)
    assert not second.exception


def test_what_is_no_manifest_is_named_and_not_saved(engine: Engine, window: Opener) -> None:
    """The key that is wrong is said before anybody presses; a tool that is not there, after."""
    app = open_agent(window, "desk", "wording")
    app.segmented_control(key="wording-what").set_value("manifest").run()
    (field,) = [one for one in app.text_area if str(one.key).startswith("wording-")]
    good = str(field.value)
    field.input(re.sub(r"trust_level: \w+", "trust_level: boundless", good)).run()
    assert says(app, "trust_level")
    assert button(app, "wording-save").disabled
    reword(app, good.replace("- queue", "- telepathy"), "try")
    assert says(app, "there is no tool or group 'telepathy'")
    assert len(kept(engine)) == 1
    assert not app.exception


def test_an_agent_is_paused_given_to_one_person_and_deleted(engine: Engine, window: Opener) -> None:
    """What is deleted is on no page, until somebody installs it from the catalogue again."""
    app = open_agent(window, "desk", "work")
    button(app, "agent-pause").click().run()
    assert button(app, "begin-desk").disabled
    button(app, "agent-pause").click().run()
    assert not button(app, "begin-desk").disabled

    app.segmented_control(key="agent-part").set_value("people").run()
    (who,) = app.radio
    who.set_value("some").run()
    (chosen,) = app.multiselect
    chosen.select("admin").run()
    button(app, "assigned-save").click().run()
    assert says(app, "Desk is there for 1 person or team.")
    rows = engine.run(engine.line.rows("SELECT kind FROM agent_assignments WHERE agent = 'desk'"))
    assert [row["kind"] for row in rows] == ["user"]

    button(app, "agent-delete-now").click().run()
    assert not app.exception
    assert "more-desk" not in keys(app)
    button(app, "install-desk").click().run()
    assert "more-desk" in keys(app)


def test_less_of_an_agent_is_for_one_person(engine: Engine, window: Opener) -> None:
    """A tool is taken away from one, and everybody else keeps the agent whole."""
    slower, app = (open_agent(window, "desk", "people") for _ in range(2))
    slower.selectbox[0].select("admin").run()
    (calls,) = [one for one in slower.number_input if "calls" in str(one.key)]
    calls.set_value(2).run()
    (who,) = app.selectbox
    who.select("admin").run()
    (tools,) = app.multiselect
    tools.select(tools.options[0]).run()
    app.selectbox[1].select("looks things up").run()
    button(app, "narrow-save").click().run()
    assert not app.exception
    assert "without 1 tool, it only looks things up" in "\n".join(texts(app))
    statement = "SELECT kind, len(without) AS less, trust FROM agent_assignments"
    rows = engine.run(engine.line.rows(f"{statement} WHERE agent = 'desk' ORDER BY kind"))
    assert [tuple(row.values()) for row in rows] == [("organization", 0, None), ("user", 1, "read")]

    button(slower, "narrow-save").click().run()
    assert says(slower, "somebody has changed meanwhile who may ask Desk")
    assert says(slower, "admin is given it without 1 tool, it only looks things up now.")
    (calls,) = [one for one in slower.number_input if "calls" in str(one.key)]
    assert calls.value == 2
    button(slower, "narrow-save").click().run()
    assert not slower.exception
    shown = "\n".join(texts(slower))
    assert "without 1 tool, it only looks things up, 2 calls at most" in shown


@pytest.fixture
def reviewer(engine: Engine) -> str:
    """Return the token of somebody who may not manage agents."""
    line = engine.line
    grant = Grant(role="reviewer", organization=line.workspace.slug)
    new = NewUser(name="Maud", grants=(grant,))
    user = engine.run(line.house.control.write(users.add_user, new, line.clock()))
    token = line.house.control.write(control.add_token_of, user.id, line.clock())
    return str(engine.run(token))


def test_who_may_not_manage_agents_sees_and_changes_nothing(
    engine: Engine, window: Opener, reviewer: str
) -> None:
    """The versions and the prompt can be read; there is nothing to press."""
    operator, engine.token = engine.token, reviewer
    try:
        app = open_agent(window, "desk", "wording")
        (field,) = [one for one in app.text_area if str(one.key).startswith("wording-")]
        assert field.disabled
        assert not {"wording-save", "agent-pause", "agent-delete-now"} & keys(app)
        app.segmented_control(key="agent-part").set_value("people").run()
        assert "Everybody here" in texts(app)
        assert "assigned-save" not in keys(app)
    finally:
        engine.token = operator


def test_one_more_agent_is_made_from_a_template(engine: Engine, window: Opener) -> None:
    """Under a name of its own, which its short name follows; both are on the page."""
    app = window("agents")
    app.selectbox(key="make-template").set_value("desk")
    app.text_input(key="make-name").input("Front Désk").run()
    button(app, "make-agent").click().run()
    assert not app.exception
    assert says(app, "Front Désk can be asked by everybody here.")
    rows = engine.run(engine.line.rows("SELECT slug, name FROM agents WHERE template = 'desk'"))
    assert sorted(row["slug"] for row in rows) == ["desk", "front-desk"]
    assert "begin-front-desk" in keys(app)


def test_an_entry_of_the_library_is_copied_changed_and_taken_out(
    engine: Engine, window: Opener
) -> None:
    """What came with Postern is read only; what is no entry is refused with the reason."""
    app = window("agents")
    app.selectbox(key="library-entry").set_value(("extraction", "decisions")).run()
    assert not app.text_area
    assert "name: decisions" in app.code[0].value
    app.text_input(key="library-name").input("Our looms").run()
    button(app, "library-own").click().run()
    assert says(app, "our-looms is yours to change.")
    (text,) = [field for field in app.text_area if str(field.key).startswith("library-text-")]
    assert "name: our-looms" in text.value
    written = text.value
    text.input(written + "colour: red\n").run()
    app.text_input(key="library-reason").input("for the hall").run()
    button(app, "library-save").click().run()
    assert says(app, "colour")
    (text,) = [field for field in app.text_area if str(field.key).startswith("library-text-")]
    text.input(written.replace("review: true", "review: false")).run()
    button(app, "library-save").click().run()
    assert says(app, "our-looms has version 2.")
    button(app, "library-out-now").click().run()
    assert says(app, "our-looms is out of the library.")
    rows = engine.run(engine.line.rows("SELECT version, content FROM library_entries"))
    assert sorted((row["version"], bool(row["content"])) for row in rows) == [
        (1, True), (2, True), (3, False),
    ]  # fmt: skip


def test_an_agent_is_set_going_by_itself(engine: Engine, window: Opener) -> None:
    """Within its role, in a chat that opens; without one the page says what is missing."""
    app = open_agent(window, "desk", "work")
    assert "own-work" not in keys(app)
    assert any("governance.role" in one.value for one in app.caption)
    app = open_agent(window, "desk", "wording")
    app.segmented_control(key="wording-what").set_value("manifest").run()
    (field,) = [one for one in app.text_area if str(one.key).startswith("wording-")]
    field.input(field.value.replace("governance:", "governance:\n  role: viewer")).run()
    app.text_input(key="wording-reason").input("to work by itself").run()
    button(app, "wording-save").click().run()
    app = open_agent(window, "desk", "work")
    app.text_input(key="own-work").input("What is urgent?").run()
    button(app, "own-work-go").click().run()
    assert not app.exception
    rows = engine.run(engine.line.rows("SELECT by_itself FROM turns"))
    assert rows == [{"by_itself": True}]


def test_what_an_agent_asks_of_a_person_is_answered_on_its_page(
    engine: Engine, window: Opener
) -> None:
    """It is the person's own, and no version of the agent."""
    app = open_agent(window, "desk", "wording")
    app.segmented_control(key="wording-what").set_value("manifest").run()
    (field,) = [one for one in app.text_area if str(one.key).startswith("wording-")]
    question = (
        'configuration_schema:\n- {field: called, label: "Your name?", type: text, required: true, '
        "asked_of: user}"
    )
    field.input(field.value.replace("configuration_schema: []", question)).run()
    app.text_input(key="wording-reason").input("to greet").run()
    button(app, "wording-save").click().run()
    app = open_agent(window, "desk", "settings")
    (asked,) = [one for one in app.text_input if "called" in str(one.key)]
    asked.input("Ida").run()
    button(app, "answers-save").click().run()
    assert not app.exception
    assert says(app, "Desk knows it from its next answer on.")
    rows = engine.run(engine.line.rows("SELECT field, value FROM agent_answers"))
    assert rows == [{"field": "called", "value": '"Ida"'}]
    assert len(kept(engine)) == 2
