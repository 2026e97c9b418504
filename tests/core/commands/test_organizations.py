"""`postern organization`, without an engine."""

import json
from pathlib import Path

from tests.core.commands.fixtures import Run

SAMPLE = Path(__file__).parents[3] / "data" / "samples" / "fieldfare-audio"


def test_an_organization_is_kept_and_its_routes_published(
    run: Run, home: Path, organization: str
) -> None:
    """What was added is listed, shown, and known to the receiver."""
    listed = run("organization", "list", "--json")
    assert json.loads(listed.stdout)["addresses"] == ["help@harbor.example"]
    assert "help@harbor.example" in run("organization", "show").stdout
    routes = json.loads((home / "routes.json").read_text("utf-8"))["routes"]
    assert [(r["pattern"], r["organization"]) for r in routes] == [
        ("help@harbor.example", organization)
    ]


def test_a_second_organization_keeps_the_first(run: Run, organization: str) -> None:
    """Organizations stand side by side; without a slug one has to be chosen."""
    words = ("--address", "hi@lamps.example", "--timezone", "Europe/Lisbon")
    assert run("organization", "add", "lamps", *words).exit_code == 0
    assert "Europe/Lisbon" in run("organization", "show", "lamps").stdout
    listed = run("organization", "list", "--json").stdout.splitlines()
    assert [json.loads(one)["slug"] for one in listed] == ["harbor", "lamps"]
    unclear = run("organization", "show")
    assert unclear.exit_code == 1
    assert "harbor, lamps" in unclear.output


def test_a_taken_slug_or_address_is_refused(run: Run, organization: str) -> None:
    """Neither the slug nor the mail of another organization can be taken over."""
    slug = run("organization", "add", organization, "--address", "new@harbor.example")
    address = run("organization", "add", "pirates", "--address", "HELP@harbor.example")
    assert (slug.exit_code, address.exit_code) == (1, 1)
    assert "exists already" in slug.output
    assert "'harbor'" in address.output
    assert len(run("organization", "list", "--json").stdout.splitlines()) == 1


def test_from_folder_brings_profile_policy_and_sources(run: Run, home: Path) -> None:
    """A folder gives the profile; options win; sources lie where they are loaded from."""
    made = run(
        "organization", "add", "fieldfare-audio", "--from-folder", SAMPLE, "--language", "nl"
    )
    assert made.exit_code == 0, made.output
    shown = json.loads(run("organization", "show", "--json").stdout)
    assert (shown["name"], shown["language"]) == ("Fieldfare Audio", "nl")
    folder = home / "organizations" / "fieldfare-audio" / "sources"
    assert (folder / "policy.yaml").read_bytes() == (SAMPLE / "policy.yaml").read_bytes()
    assert len(list((folder / "knowledge").glob("*.md"))) >= 30
    assert (folder / "contacts.csv").exists()


def test_a_broken_policy_stops_before_anything_is_made(
    run: Run, home: Path, tmp_path: Path
) -> None:
    """A policy that is not valid leaves no half-made organization behind."""
    (tmp_path / "policy.yaml").write_text("mode: reckless\n", encoding="utf-8")
    given = ("--address", "a@harbor.example", "--from-folder", tmp_path)
    failed = run("organization", "add", "harbor", *given)
    assert failed.exit_code == 1
    assert "policy.yaml" in failed.output
    assert not (home / "organizations" / "harbor").exists()
    assert run("organization", "list", "--json").stdout == ""


def test_sources_are_loaded_on_demand(run: Run, home: Path, organization: str) -> None:
    """A mistake in the policy is told by the command; without an engine it says who loads."""
    told = run("organization", "sync")
    assert told.exit_code == 0
    assert "`postern up` loads" in told.output
    path = home / "organizations" / organization / "sources" / "policy.yaml"
    path.write_text("mode: auto\n", encoding="utf-8")
    failed = run("organization", "sync")
    assert failed.exit_code == 1
    assert "'mode' has to be" in failed.output


def test_an_empty_list_says_how_it_is_filled(run: Run, organization: str) -> None:
    """Somebody who sees nothing yet is told what would be there, and who puts it there."""
    assert organization
    assert "the page Rules" in run("rule", "list").output
    assert "`postern sender allow --help`" in run("sender", "list").output
    assert "`postern token add NAME`" in run("token", "list").output
