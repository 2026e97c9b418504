"""`postern organization edit`, without an engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.commands.fixtures import Run


def shown(run: Run) -> dict[str, Any]:
    """Return the profile as it is kept."""
    found: dict[str, Any] = json.loads(run("organization", "show", "--json").stdout)
    return found


def routes(home: Path) -> list[tuple[str, str]]:
    """Return pattern and mode of every route that the receiver reads."""
    found = json.loads((home / "routes.json").read_text("utf-8"))["routes"]
    return [(one["pattern"], one["mode"]) for one in found]


@pytest.mark.usefixtures("organization")
def test_what_changes_is_shown_and_kept_after_a_yes(run: Run, tmp_path: Path) -> None:
    """The diff names old and new; after no everything is as before, after yes it is changed."""
    (tmp_path / "signature.txt").write_text("Harbor\nPier 4\n")
    change = ("organization", "edit", "--set", "tone=Short.", "--set")
    change = (*change, f"signature=@{tmp_path / 'signature.txt'}")
    refused = run(*change, given=b"n\n")
    assert (refused.exit_code, shown(run)["tone"]) == (1, "")
    assert "+tone: Short." in refused.output
    assert run(*change, given=b"y\n").exit_code == 0
    assert (shown(run)["tone"], shown(run)["signature"]) == ("Short.", "Harbor\nPier 4\n")
    again = run(*change)
    assert (again.exit_code, "nothing changes" in again.output) == (0, True)


@pytest.mark.usefixtures("organization")
def test_routes_follow_the_addresses(run: Run, home: Path) -> None:
    """A new address is routed, the route of one given up goes, one set by hand stays."""
    run("route", "set", "desk@harbor.example", "--mode", "hold")
    both = "addresses=help@harbor.example, Desk@harbor.example"
    assert run("organization", "edit", "--set", both, "--yes").exit_code == 0
    assert ("desk@harbor.example", "hold") in routes(home)
    new = run("organization", "edit", "--set", "addresses=info@harbor.example", "--yes")
    assert new.exit_code == 0
    assert routes(home) == [("desk@harbor.example", "hold"), ("info@harbor.example", "agent")]


@pytest.mark.usefixtures("organization")
def test_a_file_with_some_fields_changes_those_alone(run: Run, tmp_path: Path) -> None:
    """People come from a file; what it does not name stays."""
    file = tmp_path / "organization.yaml"
    file.write_text("people: [{name: Ann Reed, email: ann@harbor.example, role: desk}]\n")
    assert run("organization", "edit", "harbor", "--from", file, "--yes").exit_code == 0
    assert [one["name"] for one in shown(run)["people"]] == ["Ann Reed"]
    assert shown(run)["addresses"] == ["help@harbor.example"]


@pytest.mark.usefixtures("organization")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--set", "timezone=Vienna"), "timezone"),
        (("--set", "language=English"), "is no ISO 639-1 code"),
        (("--set", "addresses=harbor.example"), "is no mail address"),
        (("--set", "addresses="), "'addresses' is empty"),
        (("--set", "addresses=a@x.example, A@x.example"), "twice"),
        (("--set", "name= "), "'name' is empty"),
        (("--set", "nmae=Harbor"), "a profile has no 'nmae'"),
        (("--set", "disclosure=A machine helped."), "belongs to policy.yaml"),
        (("--set", "slug=port"), "cannot change"),
        (("--set", "tone"), "is not key=value"),
        (("--set", "signature=@nothing.txt"), "cannot be read"),
        ((), "say what changes"),
    ],
)
def test_what_cannot_be_used_changes_nothing(run: Run, given: tuple[str, ...], said: str) -> None:
    """The sentence names the field and what is wanted."""
    before = shown(run)
    refused = run("organization", "edit", *given, "--yes")
    assert (refused.exit_code, said in refused.output) == (1, True), refused.output
    assert shown(run) == before


@pytest.mark.usefixtures("organization")
def test_mail_of_another_organization_cannot_be_taken(run: Run) -> None:
    """An address that another one answers for is refused, and nothing of the change is kept."""
    run("organization", "add", "lamps", "--address", "hi@lamps.example")
    taken = "addresses=help@harbor.example, hi@lamps.example"
    refused = run("organization", "edit", "harbor", "--set", taken, "--set", "tone=x", "--yes")
    assert refused.exit_code == 1
    assert "belongs to organization 'lamps'" in refused.output
    kept = json.loads(run("organization", "show", "harbor", "--json").stdout)
    assert (kept["addresses"], kept["tone"]) == (["help@harbor.example"], "")
