"""`postern agent`: which agents there are, and whether they work; here without an engine."""

import asyncio
import json
from pathlib import Path

from data.settings import load_settings
from flows.agents.lifecycle import install_catalogue
from flows.core.house import House
from tests.commands.conftest import Run


async def _install(home: Path, slug: str) -> None:
    """Install the agents of the catalogue, as an engine does when it starts."""
    house = House(load_settings(home=home))
    await install_catalogue(house, await house.workspace(slug))
    await house.close()


def test_before_the_first_start_there_is_none(run: Run, organization: str) -> None:
    """It is said how they come to be there."""
    del organization
    assert "postern up" in run("agent", "list").output


def test_agents_are_listed_paused_and_resumed(run: Run, home: Path, organization: str) -> None:
    """What changes is told and holds; an agent that is not there is refused by name."""
    asyncio.run(_install(home, organization))
    listed = [json.loads(line) for line in run("agent", "list", "--json").output.splitlines()]
    assert [agent["slug"] for agent in listed] == ["assistant", "desk", "librarian"]
    assert {agent["state"] for agent in listed} == {"active"}
    assert run("agent", "pause", "desk").output == "Desk is paused.\n"
    assert "paused" in run("agent", "list").output
    assert run("agent", "resume", "desk").output == "Desk is active.\n"
    refused = run("agent", "pause", "butler")
    assert refused.exit_code != 0
    assert "no agent 'butler'" in refused.output
