"""What the command line tells of models: figures, and whether the provider is there."""

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from data.settings import load_settings
from flows.cli.application import app
from flows.doctor.findings import examine
from flows.mail.thinking.model_check import check_models
from tests.core.models import messages_api
from tests.core.models.fixtures import KEY
from tests.core.models.wire import StandIn, never


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one organization, and no engine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POSTERN_API_PORT", "9")
    made = ["organization", "add", "harbor", "--name", "Harbor", "--address", "a@harbor.example"]
    assert CliRunner().invoke(app, ["--home", str(tmp_path / "var"), *made]).exit_code == 0
    return tmp_path / "var"


def test_models_are_shown_without_asking_anybody(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself Postern says so; with a provider it tells models, prices and caps, and no key."""
    told = CliRunner().invoke(app, ["--home", str(home), "models"])
    assert told.exit_code == 0, told.output
    assert "thinks by itself" in told.output
    monkeypatch.setenv("LLM_PROVIDER", "anthropic")
    monkeypatch.setenv("LLM_API_KEY", KEY)
    monkeypatch.setenv("LLM_MODEL_FAST", "wren-fast")
    told = CliRunner().invoke(app, ["--home", str(home), "models"])
    assert told.exit_code == 0, told.output
    for words in ("wren-fast", "not set", "claude-sonnet-5-5", "of 5.00"):
        assert words in told.output
    assert KEY not in told.output


def test_without_a_provider_the_doctor_asks_nobody(tmp_path: Path) -> None:
    """The finding says that nothing is asked."""
    (found,) = [f for f in examine(load_settings(home=tmp_path)) if f.name == "models"]
    assert (found.status, "asks nobody" in found.sentence) == ("ok", True)


async def test_the_check_tells_key_model_and_price_apart(tmp_path: Path) -> None:
    """Each trouble is a sentence with what to do; a model whose price is unknown is named."""

    def told(url: str) -> list[tuple[str, str, str]]:
        settings = load_settings(
            home=tmp_path, llm_provider="anthropic", llm_base_url=url, llm_api_key=KEY,
            llm_model="wren",
        )  # fmt: skip
        return list(check_models(settings))

    refused = messages_api.error(401, "authentication_error")
    async with StandIn([never], listing=refused) as server:
        found = await asyncio.to_thread(told, server.url)
    assert found[0] == (
        "wren",
        "The provider does not accept the key.",
        "Give a valid key under Models, or where LLM_API_KEY or 'llm_api_key_file' is set.",
    )
    assert "price is not set" in found[1][1]
    async with StandIn([never], listing=messages_api.listed) as server:
        found = await asyncio.to_thread(told, server.url)
    assert found[0] == ("wren", "", "")
    assert KEY not in str(found)


def test_a_key_may_come_from_a_file(tmp_path: Path) -> None:
    """The file's text is the key; what is given in the environment wins."""
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    assert load_settings(llm_api_key_file=path).model_key() == KEY
    assert load_settings(llm_api_key_file=path, llm_api_key="other").model_key() == "other"
    assert KEY not in repr(load_settings(llm_api_key=KEY))
