"""The page of models, over the real engine: who thinks, a test call, caps, where it is set."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.caps import CapScope
from tests.models import messages_api
from tests.models.wire import StandIn
from tests.window.drawn import button, keys, says
from tests.window.test_real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def let_a_model_think(engine: Engine, server: StandIn) -> None:
    """Let the engine ask a server that stands in for a provider."""
    engine.run(server.__aenter__())
    house = engine.line.house
    house.settings = house.settings.model_copy(
        update={
            "llm_provider": "anthropic",
            "llm_base_url": server.url,
            "llm_model": "wren",
            "llm_prices": ("* 1 5",),
        }
    )
    vars(house).pop("thinker", None)


def test_without_a_model_the_page_says_what_it_takes(engine: Engine, window: Opener) -> None:
    """There is nobody to test; the lines of the file stand there to copy."""
    del engine
    app = window("models")
    assert not app.exception
    assert says(app, "No language model is asked")
    assert "llm_provider" in app.code[0].value
    assert "model-try-fast" not in keys(app)


def test_a_model_is_tried_and_what_that_cost_is_shown(engine: Engine, window: Opener) -> None:
    """The answer stands there with time, tokens and cost, and the day has one call more."""
    server = StandIn(
        [
            messages_api.fills({"answer": "Jupiter <b>is</b> the largest."}),
            messages_api.error(401, "authentication_error"),
        ]
    )
    let_a_model_think(engine, server)
    app = window("models")
    button(app, "model-try-fast").click().run()
    assert not app.exception
    assert says(app, "Jupiter <b>is</b> the largest.")
    assert says(app, "60 out")
    assert says(app, "tried")
    button(app, "model-try-capable").click().run()
    assert says(app, "The provider does not accept the key.")
    assert says(app, "Set LLM_API_KEY")
    assert says(app, "1 call without an answer")
    engine.run(server.__aexit__(None, None, None))


def test_a_cap_is_set_and_removed(engine: Engine, window: Opener) -> None:
    """It holds at once; an agent that is not there is refused with a sentence."""
    app = window("models")
    assert says(app, "from the settings")
    app.selectbox(key="cap-scope").select(CapScope.AGENT).run()
    app.text_input(key="cap-subject-agent").set_value("drafty")
    app.number_input(key="cap-limit").set_value(2.5)
    button(app, "cap-save").click().run()
    assert not app.exception
    assert says(app, "drafty")
    app.text_input(key="cap-subject-agent").set_value("drafter")
    button(app, "cap-save").click().run()
    assert not app.exception
    assert says(app, "US$ 2.50 a day for agent 'drafter'")
    (place,) = [one for one in keys(app) if one.startswith("cap-remove-")]
    button(app, place).click().run()
    assert not app.exception
    events = engine.run(engine.line.rows("SELECT action FROM audit_events ORDER BY sequence"))
    assert [one["action"] for one in events] == ["set-cap", "remove-cap"]
