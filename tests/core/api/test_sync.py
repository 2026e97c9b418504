"""Loading an organization's files over HTTP: what was wrong with them is in the answer."""

from typing import Any

import pytest

from tests.core.api.fixtures import Api


async def loaded(api: Api) -> dict[str, Any]:
    """Return what the engine says after it has loaded the files now."""
    answer = await api.client.post("/v1/organizations/teasel/sync")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    "thresholds",
    [
        "flag_threshold: 0.9\nquarantine_threshold: 0.5\n",
        "flag_threshold: 7\n",
    ],
)
async def test_thresholds_that_cannot_be_are_told(api: Api, thresholds: str) -> None:
    """The policy before stays, the answer names the file and what is wrong; mended, it is quiet."""
    before = api.line.workspace.policy
    file = api.line.workspace.sources / "policy.yaml"
    good = file.read_text()
    assert await loaded(api) == {"changed": False, "errors": [], "warnings": []}
    file.write_text(good + thresholds)
    for _ in range(2):  # it is told as long as it is wrong
        found = await loaded(api)
        (error,) = found["errors"]
        assert found["changed"] is False
        assert "policy.yaml" in error
        assert "threshold" in error
        assert api.line.workspace.policy == before
    file.write_text(good + "flag_threshold: 0.2\n")
    assert await loaded(api) == {"changed": True, "errors": [], "warnings": []}
    assert api.line.workspace.policy.flag_threshold == 0.2
