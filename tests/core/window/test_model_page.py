"""The page of models, over the real engine: who thinks, a test call, caps, where it is set."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.caps import CapScope
from data.records.core.principals import NewTeam
from data.store.core import teams as team_store
from tests.core.models import chat_api, messages_api
from tests.core.models.wire import StandIn
from tests.core.small import SLUG
from tests.core.window.drawn import button, keys, says
from tests.core.window.real_engine import Engine, engine, window

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


def field(app: AppTest, beginning: str) -> str:
    """Return the key of the one field of the form that begins so."""
    fields = (*app.selectbox, *app.text_input, *app.number_input)
    (key,) = [one.key for one in fields if str(one.key).startswith(f"models-{beginning}")]
    return str(key)


def add_price(app: AppTest) -> str:
    """Return the key of the button for another price."""
    return next(str(one.key) for one in app.button if str(one.key).startswith("models-price-add"))


def test_who_thinks_is_chosen_tried_kept_and_given_up(engine: Engine, window: Opener) -> None:
    """A test call takes what is written; it is kept without a restart; the key is never shown."""
    server = StandIn([chat_api.fills({"answer": "Jupiter."}), chat_api.fills({"answer": "Yes."})])
    engine.run(server.__aenter__())
    app = window("models")
    assert not app.exception
    assert says(app, "No language model is asked")
    assert "model-try-fast" not in keys(app)
    app.selectbox(key=field(app, "provider-")).select("openai").run()
    button(app, "models-save").click().run()
    assert says(app, "o model is named")
    app.text_input(key=field(app, "address-")).set_value(f"{server.url}/v1")
    app.text_input(key=field(app, "fast-")).set_value("lathe-1b")
    app.text_input(key=field(app, "capable-")).set_value("lathe-8b")
    app.text_input(key=field(app, "key-")).set_value("shuttle-key-19ab")
    for _ in range(2):  # beside the three that come by default
        button(app, add_price(app)).click().run()
    for row, name in enumerate(("", "", "", "*", "lathe-8b")):
        app.text_input(key=field(app, f"price-name-{row}-")).set_value(name)
    for kind, price in (("in", 0.25), ("out", 1.5), ("read", 0.1)):
        app.number_input(key=field(app, f"price-{kind}-4-")).set_value(price)
    for kind in ("in", "out"):
        app.number_input(key=field(app, f"price-{kind}-3-")).set_value(0.0)
    app.run()
    button(app, "models-save").click().run()
    assert says(app, "The price of 'lathe-8b' is not whole")
    app.number_input(key=field(app, "price-write-4-")).set_value(0.3).run()
    button(app, "models-test-fast").click().run()
    assert not app.exception
    assert says(app, "Jupiter.")
    assert engine.line.house.settings.llm_provider == "local"
    button(app, "models-save").click().run()
    assert not app.exception
    settings = engine.line.house.settings
    assert (settings.llm_provider, settings.llm_prices) == (
        "openai", ("* 0 0", "lathe-8b 0.25 1.5 0.1 0.3"),
    )  # fmt: skip
    assert settings.model_key() == "shuttle-key-19ab"
    assert app.text_input(key=field(app, "key-")).value == ""
    assert says(app, "A server that speaks chat completions")
    button(app, "model-try-capable").click().run()
    assert says(app, "Yes.")
    assert app.number_input(key=field(app, "price-write-1-")).value == 0.3
    app.text_input(key=field(app, "price-name-1-")).set_value("").run()
    button(app, "models-save").click().run()
    assert engine.line.house.settings.llm_prices == ("* 0 0",), "a row without a name is none"
    button(app, "models-default").click().run()
    assert not app.exception
    assert engine.line.house.settings.llm_provider == "local"
    assert engine.line.house.thinker is None
    engine.run(server.__aexit__(None, None, None))


def test_what_a_file_names_is_told_and_not_changed(engine: Engine, window: Opener) -> None:
    """The page has no form then, and says where to change it."""
    house = engine.line.house
    house.settings = house.settings.model_copy(update={"llm_model": "wren"})
    app = window("models")
    assert says(app, "It is set in postern.toml or the environment")
    assert "models-save" not in keys(app)


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
    assert says(app, "Give a valid key under")
    assert says(app, "1 call without an answer")
    assert says(app, "the provider does not accept the key (1)")
    engine.run(server.__aexit__(None, None, None))


def test_a_cap_is_set_and_removed(engine: Engine, window: Opener) -> None:
    """It holds at once; an agent that is not there is refused with a sentence."""
    app = window("models")
    assert says(app, "from the settings")
    now, write = engine.line.clock(), engine.line.house.control.write
    team = engine.run(write(team_store.add_team, SLUG, NewTeam(name="Looms"), now))
    app.selectbox(key="cap-scope").select(CapScope.TEAM).run()
    app.selectbox(key="cap-team").select(team.id)
    button(app, "cap-save").click().run()
    assert says(app, "US$ 5.00 a day for this team (Looms)")
    (place,) = [one for one in keys(app) if one.startswith("cap-remove-")]
    button(app, place).click().run()
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
    assert [one["action"] for one in events] == ["set-cap", "remove-cap"] * 2
