"""Killed anywhere in a turn: no message is lost, no effect had twice, no chat blocked."""

import asyncio
import signal
from pathlib import Path

import pytest

from data.records.agents.chats import Say
from data.records.core.tools import Effect
from data.store.agents import chats, turns
from data.store.core import users
from data.store.core.audit_check import verify_log
from data.store.core.database import Connection
from data.store.core.statements import rows
from flows.agents.chats import say_in_chat
from flows.agents.lifecycle import install_catalogue
from flows.agents.running import resume_turns
from flows.core.house import House
from flows.opening import open_house
from tests.agents.turns.dying import PLACES, Counting, ask_and_die
from tests.core.small import SLUG, open_line, settings_in, settle
from tests.processes import exit_status


async def _prepare(home: Path) -> None:
    async with open_line(home) as line:
        await install_catalogue(line.house, line.workspace)


def _only_chat(cursor: Connection) -> tuple[str, str]:
    """Return the id of the only chat and of whose it is."""
    (row,) = rows(cursor, "SELECT id, owner FROM chats")
    return str(row["id"]), str(row["owner"])


async def _said(house: House, chat: str) -> list[str]:
    workspace = await house.get_workspace(SLUG)
    shown, _ = await workspace.db.read(chats.list_messages, chat, before=1000, limit=100)
    return [message.author for message in shown]


@pytest.mark.parametrize("effect", [Effect.NONE, Effect.INSIDE])
@pytest.mark.parametrize("place", PLACES)
async def test_killed_in_a_turn_it_goes_on_and_repeats_no_effect(
    place: str, effect: Effect, tmp_path: Path
) -> None:
    """The next engine ends the turn, and the chat takes the next question."""
    home, file = tmp_path / "var", tmp_path / "effects"
    await _prepare(home)
    assert await asyncio.to_thread(exit_status, ask_and_die, home, place, effect, file) == (
        -signal.SIGKILL
    )
    house = await open_house(settings_in(home))
    try:
        workspace = await house.get_workspace(SLUG)
        chat, owner = await workspace.db.read(_only_chat)
        tool = Counting(file, effect)
        had = tool.effects
        (cut_off,) = await workspace.db.read(turns.list_active)
        assert await resume_turns(house, workspace, tool.toolbox())
        await settle(house)
        ended = await workspace.db.read(turns.read_turn, cut_off.id)
        unknown = effect is Effect.INSIDE and place != "asked"
        assert ended.state == "completed"
        answer = await workspace.db.read(chats.find_answer, cut_off.id)
        assert answer is not None
        assert ("Nobody knows" in answer.text) is unknown
        assert await _said(house, chat) == ["person", "agent"]
        if effect is Effect.INSIDE:
            assert tool.effects == (had if unknown else 1) <= 1
        ida = await house.control.read(users.read_principal, owner)
        await say_in_chat(house, workspace, tool.toolbox(), chat, Say(text="Hello"), ida)
        await settle(house)
        assert (await _said(house, chat))[-2:] == ["person", "agent"]
        assert (await workspace.db.read(verify_log)).faults == {}
    finally:
        await house.close()
