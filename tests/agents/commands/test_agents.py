"""`postern agent`: which agents there are, and whether they work; here without an engine."""

import asyncio
import json
from pathlib import Path

from data.settings import load_settings
from flows.agents.lifecycle import install_catalogue
from flows.core.house import House
from tests.core.commands.fixtures import Run


async def _install(home: Path, slug: str) -> None:
    """Install the agents of the catalogue, as an engine does when it starts."""
    house = House(load_settings(home=home))
    await install_catalogue(house, await house.get_workspace(slug))
    await house.close()


def test_before_the_first_start_there_is_none(run: Run, organization: str) -> None:
    """It is said how they come to be there."""
    del organization
    assert "postern up" in run("agent", "list").output


def test_agents_are_listed_paused_and_resumed(run: Run, home: Path, organization: str) -> None:
    """What changes is told and holds; an agent that is not there is refused by name."""
    asyncio.run(_install(home, organization))
    listed = [json.loads(line) for line in run("agent", "list", "--json").output.splitlines()]
    assert [agent["slug"] for agent in listed] == [
        *("analyst", "assistant", "calendar", "desk", "librarian", "rolodex", "taskmaster"),
    ]
    assert {agent["state"] for agent in listed} == {"active"}
    assert run("agent", "pause", "desk").output == "Desk is paused.\n"
    assert "paused" in run("agent", "list").output
    assert run("agent", "resume", "desk").output == "Desk is active.\n"
    assert run("agent", "pause", "--all").output.count(" is paused.\n") == 7
    assert run("agent", "pause", "--all").output == ""
    assert run("agent", "resume", "--all").output.count(" is active.\n") == 7
    for wrong in (("agent", "pause"), ("agent", "resume", "desk", "--all")):
        assert "name one agent, or say --all" in run(*wrong).output
    refused = run("agent", "pause", "butler")
    assert refused.exit_code != 0
    assert "no agent 'butler'" in refused.output


def test_an_agent_is_exported_changed_compared_and_restored(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """From its file and back again, each time as one more version."""
    asyncio.run(_install(home, organization))
    file = tmp_path / "desk.yaml"
    run("agent", "export", "desk", str(file))
    file.write_text(file.read_text().replace("name: Desk", "name: Front desk"))
    changed = run("agent", "set", "desk", str(file), "--reason", "a better name")
    assert changed.output == "Front desk (desk) is active, version 2.\n"
    listed = run("agent", "versions", "desk").output
    assert "a better name" in listed
    assert "+name: Front desk" in run("agent", "versions", "desk", "--diff", "2").output
    first = run("agent", "versions", "desk", "--diff", "1").output
    assert first == "Version 1 is the first; there is none before it.\n"
    both = run("agent", "versions", "desk", "--diff", "2", "--template")
    assert (both.exit_code, "name one" in both.stderr) == (1, True)
    unanswered = run("agent", "settings", "desk", "--why", "as they asked")
    assert (unanswered.exit_code, "--answer" in unanswered.stderr) == (1, True)
    run("agent", "export", "desk", str(file), "--version", "1")
    old = run("agent", "set", "desk", str(file), "--reason", "mine", "--version", "1")
    assert "has version 2 by now" in old.stderr
    restored = run("agent", "restore", "desk", "1", "--reason", "as it was")
    assert restored.output == "Desk (desk) is active, version 3.\n"


def test_the_library_is_listed_written_and_taken_from(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """An entry is shown, written as one more wording, and taken out; a template makes agents."""
    asyncio.run(_install(home, organization))
    listed = run("agent", "library", "list").output
    assert "grounded" in listed
    assert "Postern's" in listed
    shown = run("agent", "library", "show", "extraction", "decisions").output
    file = tmp_path / "mine.yaml"
    file.write_text(shown.replace("name: decisions", "name: mine"))
    why = ("--why", "for the hall")
    written = run("agent", "library", "set", "extraction", "mine", str(file), *why)
    assert written.output == "extraction mine has version 1.\n"
    assert "for the hall" in run("agent", "library", "versions", "extraction", "mine").output
    gone = run("agent", "library", "remove", "extraction", "mine").output
    assert gone == "extraction mine is taken out.\n"
    made = run("agent", "install", "desk", "--as", "front", "--name", "Front desk").output
    assert made == "Front desk (front) is active, version 1.\n"


def test_days_show_what_an_agent_did(run: Run, home: Path, organization: str) -> None:
    """A quiet agent has no line for any day, and a figure of nothing."""
    asyncio.run(_install(home, organization))
    told = run("agent", "days", "desk", "--days", "2").output
    assert told.startswith("0 answers asked of desk in 2 days, at US$ 0.0000")
    run("agent", "ask", "desk", "Hello")
    told = run("agent", "days", "desk").output
    assert "answers asked" in told.splitlines()[0]
    assert told.splitlines()[1].split()[1:] == ["1", "0", "0", "0.0000"]
    listed = run("agent", "days", "desk", "--days", "3", "--json").output.splitlines()
    assert [json.loads(line)["turns"] for line in listed] == [0, 0, 1]


def test_an_agent_is_imported_assigned_shown_and_deleted(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """Nobody's until it is assigned, and gone when it is deleted."""
    asyncio.run(_install(home, organization))
    file = tmp_path / "porter.yaml"
    run("agent", "export", "desk", str(file))
    text = file.read_text().replace("slug: desk", "slug: porter")
    file.write_text(text.replace("name: Desk", "name: Porter"))
    run("agent", "import", str(file), "--reason", "for the door")
    assert "Available to nobody" in run("agent", "show", "porter").output
    run("agent", "assign", "porter", "--everybody")
    assert "Available to everybody" in run("agent", "show", "porter").output
    run("user", "add", "Ida Fenn", "--grant", f"viewer@{organization}")
    run("team", "add", "Front", "--member", "ida fenn")
    less = ("--without", "queue", "--trust", "read", "--most-calls", "3")
    told = run("agent", "assign", "porter", "--team", "front", "--user", "Ida Fenn", *less).output
    assert told == "porter is available to 1 team and 1 user.\n"
    kept = "without queue, trusted to read, 3 calls at most"
    log = run("audit", "--action", "assign agent", "--format", "csv").output
    assert log.count(kept) == 2
    shown = run("agent", "show", "porter").output
    assert "Available to team Front, Ida Fenn. Who may ask it has version 2." in shown
    refused = run("agent", "assign", "porter", "--everybody", "--version", "1")
    assert (refused.exit_code, "who may ask Porter" in refused.stderr) == (1, True)
    again = ("agent", "restore", "porter", "1", "--reason", "as it was", "--expected", "9")
    assert "Porter has version 1 by now" in run(*again).stderr
    refused = run("agent", "assign", "porter", "--user", "Nobody")
    assert (refused.exit_code, "there is no user 'Nobody'" in refused.stderr) == (1, True)
    assert "Nothing is different" in run("agent", "versions", "desk", "--template").output
    run("agent", "delete", "porter")
    assert "porter" not in run("agent", "list").output
    assert "for the door" in run("agent", "versions", "porter").output
    assert run("agent", "install", "desk").exit_code != 0


def test_what_is_remembered_is_decided_on_without_an_engine(run: Run, organization: str) -> None:
    """As on the page Memory: worded, let go, known again, and what waits is told."""
    del organization
    kept = run("memory", "remember", "Our gate is green.").output
    assert kept.startswith("added: Our gate is green. (")
    memory = kept.rpartition("(")[2].rstrip(").\n")
    assert "Our gate is green." in run("memory", "search", "Which colour is our gate?").output
    assert run("memory", "retire", memory).output == "It is not recalled any more.\n"
    assert "Nothing is known" in run("memory", "list").output
    assert run("memory", "restore", memory).output == "It is known again.\n"
    assert run("memory", "proposed").output == "Nothing waits for your yes.\n"
    for decide in ("accept", "reject"):
        assert "decided meanwhile" in run("memory", decide, memory).stderr
    assert "only what is yours alone" in run("memory", "share", memory).stderr
