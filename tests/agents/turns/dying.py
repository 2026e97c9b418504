"""A process in which an agent works on a turn and dies over it, at a place that is named.

It ends by SIGKILL of its own, as if the kernel had; the folder stays as that left it.
"""

import asyncio
import os
import signal
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

from data.records.agents.chats import NewChat, Say
from data.records.core.principals import Grant, NewUser, Principal
from data.records.core.record import Record
from data.records.core.tools import Effect, Item, ToolResult
from data.store.core import users
from flows.agents.chats import begin_chat, say_in_chat
from flows.agents.running import resume_turns
from flows.core.tools import Calling, Tool, Toolbox
from flows.opening import open_house
from tests.agents.tools.declared import declared
from tests.core.small import SLUG, settings_in, settle

PLACES = ("asked", "before", "after")
QUESTION = "What is urgent?"


class Anything(Record):
    """Takes what the queue's tool takes."""

    priority: str = ""


@dataclass(frozen=True)
class Counting:
    """A tool in the place of the queue's, which counts its effects in a file."""

    file: Path
    effect: Effect
    dies: str = ""
    """Where the process ends in a call: `before` its effect or `after` it."""

    def toolbox(self) -> Toolbox:
        """Return it as the only tool."""
        declaration = declared("waiting_cases", group="queue", effect=self.effect)
        return Toolbox([Tool(declaration, Anything, self._work)])

    @property
    def effects(self) -> int:
        """How often it had its effect."""
        return len(self.file.read_text().splitlines()) if self.file.exists() else 0

    async def _work(self, calling: Calling, given: Anything) -> ToolResult:
        del calling, given
        if self.dies == "before":
            die()
        with self.file.open("a") as file:
            file.write("done\n")
            file.flush()
            os.fsync(file.fileno())
        if self.dies == "after":
            die()
        return ToolResult(items=(Item(title="Counted"),), total=1)


def die() -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def ask_and_die(home: Path, place: str, effect: Effect, file: Path) -> None:
    """Ask an agent, and die at a place of its turn."""
    asyncio.run(_ask_and_die(home, place, effect, file))


async def _ask_and_die(home: Path, place: str, effect: Effect, file: Path) -> None:
    house = await open_house(settings_in(home))
    workspace = await house.get_workspace(SLUG)
    now = house.clock()
    wanted = NewUser(name="Ida", grants=(Grant(role="reviewer", organization=SLUG),))
    user = await house.control.write(users.add_user, wanted, now)
    ida: Principal = await house.control.read(users.read_principal, user.id)
    chat = await begin_chat(house, workspace, NewChat(agent="desk"), ida)
    tools = Counting(file, effect, place).toolbox()
    await say_in_chat(house, workspace, tools, chat.id, Say(text=QUESTION), ida)
    if place == "asked":
        die()
    await settle(house)


def work_until_killed(home: Path, file: Path, ready: Event) -> None:
    """Go on with what is left, and ask again and again, until somebody ends this process."""
    asyncio.run(_work_until_killed(home, file, ready))


async def _work_until_killed(home: Path, file: Path, ready: Event) -> None:
    house = await open_house(settings_in(home))
    workspace = await house.get_workspace(SLUG)
    tools = Noting(file).toolbox()
    people = await house.control.read(users.list_users)
    ida = await house.control.read(
        users.read_principal, next(one.id for one in people if one.name == "Ida")
    )
    await resume_turns(house, workspace, tools)
    chat = await begin_chat(house, workspace, NewChat(agent="desk"), ida)
    ready.set()
    while True:
        await say_in_chat(house, workspace, tools, chat.id, Say(text=QUESTION), ida)
        await settle(house)


@dataclass(frozen=True)
class Noting:
    """A tool in the place of the queue's, which notes in a file which call it was called for."""

    file: Path

    def toolbox(self) -> Toolbox:
        """Return it as the only tool."""
        declaration = declared("waiting_cases", group="queue", effect=Effect.INSIDE)
        return Toolbox([Tool(declaration, Anything, self._work)])

    async def _work(self, calling: Calling, given: Anything) -> ToolResult:
        del given
        with self.file.open("a") as file:
            file.write(f"{calling.key}\n")
            file.flush()
            os.fsync(file.fileno())
        return ToolResult(items=(Item(title="Noted"),), total=1)
