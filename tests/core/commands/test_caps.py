"""`postern caps`: listed, set and removed in the state itself while no engine runs."""

import json

import pytest

from tests.core.commands.fixtures import Run


def test_caps_are_set_listed_and_removed(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings' caps are there at first; one that was set stands beside them."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    listed = run("caps", "list")
    assert "US$ 5.00 a day for the organization" in listed.output
    assert "24 requests in all for each message or case" in listed.output
    made = run("caps", "set", "agent", "2.5", "--subject", "drafter", "--period", "hour")
    assert (made.exit_code, "US$ 2.50 an hour for agent 'drafter'" in made.output) == (0, True)
    lifted = run("caps", "set", "sender", "none")
    assert "no cap" in lifted.output
    found = [json.loads(line) for line in run("caps", "list", "--json").output.splitlines()]
    own = {one["cap"]["scope"]: one for one in found if one["set_by"]}
    assert (own["agent"]["cap"]["limit"], own["sender"]["cap"]["limit"]) == (2.5, None)
    assert own["agent"]["set_by"].endswith("on the command line")
    gone = run("caps", "remove", "agent", "--subject", "drafter", "--period", "hour")
    assert gone.exit_code == 0
    assert "drafter" not in run("caps", "list").output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("set", "house", "1"), "scope"),
        (("set", "team", "1", "--subject", "Nobody"), "postern team list"),
        (("set", "agent", "much"), "limit"),
        (("set", "agent", "1", "--subject", "drafty"), "drafty"),
        (("set", "user", "1", "--subject", "Nobody"), "postern user list"),
        (("remove", "turn"), "postern caps list"),
    ],
)
def test_what_is_no_cap_is_refused_with_a_sentence(
    run: Run, organization: str, words: tuple[str, ...], told: str
) -> None:
    """Nothing is set, and the command says what to do."""
    del organization
    refused = run("caps", *words)
    assert refused.exit_code != 0
    assert told in refused.output
    assert '"set_by":"' not in run("caps", "list", "--json").output.replace('"set_by":""', "")


def test_a_model_is_tried_by_command(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a provider it is said what it takes; with one that is away, what to look at."""
    del organization
    alone = run("models", "--test", "fast")
    assert (alone.exit_code, "llm_provider" in alone.output) == (1, True)
    monkeypatch.setenv("LLM_PROVIDER", "openai")
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LLM_MODEL", "lathe-8b")
    monkeypatch.setenv("LLM_PRICES", '["* 0 0"]')
    away = run("models", "--test", "capable")
    assert (away.exit_code, "'llm_base_url'" in away.output) == (1, True)
