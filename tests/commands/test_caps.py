"""`postern caps`: listed, set and removed in the state itself while no engine runs."""

import json

import pytest

from tests.commands.conftest import Run


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
        (("set", "team", "1"), "scope"),
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
