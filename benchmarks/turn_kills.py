"""Two hundred kills in turns of agents: no effect twice, no turn without an end, no chat blocked.

    make bench ARGS=turn_kills
    POSTERN_TURN_KILLS=40 make bench ARGS=turn_kills

A process asks an agent again and again, whose tool notes in a file which call it was called for. It
is ended by SIGKILL at any instant, and the next one goes on with what it left.
"""

import asyncio
import multiprocessing
import os
import random
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from data.records.agents.chats import Say
from data.records.core.principals import Grant, NewUser
from data.store.agents import chats
from data.store.core import users
from data.store.core.statements import rows
from flows.agents.chats import build_viewer, say_in_chat
from flows.agents.lifecycle import install_catalogue
from flows.agents.running import resume_turns
from flows.core.house import House
from flows.opening import open_house
from tests.agents.turns.dying import QUESTION, Noting, work_until_killed
from tests.core.small import SLUG, open_line, settings_in

KILLS = int(os.environ.get("POSTERN_TURN_KILLS", "200"))
LONGEST = 1.5
"""Seconds after which a process is killed at the latest, once it has begun to ask."""


def main() -> int:
    """Kill, and return how many promises broke."""
    with TemporaryDirectory() as folder:
        home, file = Path(folder) / "var", Path(folder) / "calls"
        asyncio.run(_prepare(home))
        rng, began = random.Random(1), time.perf_counter()
        for _ in range(KILLS):
            _work_and_die(home, file, rng.random() * LONGEST)
        seconds = time.perf_counter() - began
        broken, states = asyncio.run(_look(home, file))
        calls = Counter(file.read_text().split())
    twice = sum(count > 1 for count in calls.values())
    print(f"{KILLS} kills in {seconds:.0f} s, {calls.total():,} effects, {twice} of them twice")
    print("  turns: " + ", ".join(f"{count:,} {state}" for state, count in states.items()))
    print(f"violations: {twice + broken}")
    return twice + broken


async def _prepare(home: Path) -> None:
    async with open_line(home) as line:
        await install_catalogue(line.house, line.workspace)
        wanted = NewUser(name="Ida", grants=(Grant(role="reviewer", organization=SLUG),))
        await line.house.control.write(users.add_user, wanted, line.house.clock())


def _work_and_die(home: Path, file: Path, seconds: float) -> None:
    """Let a process work, and end it so many seconds after it has begun to ask."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.agents.turns.dying"])
    ready = context.Event()
    process = context.Process(target=work_until_killed, args=(home, file, ready))
    process.start()
    if not ready.wait(60):
        raise SystemExit("the process did not begin to ask within a minute")
    time.sleep(seconds)
    process.kill()
    process.join()


async def _look(home: Path, file: Path) -> tuple[int, dict[str, int]]:
    """Go on with what is left; return what is broken, and how turns ended.

    Each chat that there is takes a question afterwards.
    """
    house = await open_house(settings_in(home))
    try:
        workspace = await house.get_workspace(SLUG)
        tools = Noting(file).toolbox()
        await resume_turns(house, workspace, tools)
        await _settle(house)
        people = await house.control.read(users.list_users)
        (ida_id,) = [one.id for one in people if one.name == "Ida"]
        ida = await house.control.read(users.read_principal, ida_id)
        viewer = await build_viewer(house, workspace, ida)
        held, _ = await workspace.db.read(chats.list_page, viewer, words="", limit=1000, offset=0)
        blocked = 0
        for chat in held:
            said = await say_in_chat(house, workspace, tools, chat.id, Say(text=QUESTION), ida)
            await _settle(house)
            blocked += await workspace.db.read(chats.find_answer, said.turn_id) is None
        states = await workspace.db.read(
            rows, "SELECT state, count(*) AS n FROM turns GROUP BY state"
        )
    finally:
        await house.close()
    ended = {str(row["state"]): int(row["n"]) for row in states}
    return blocked + ended.get("active", 0), ended


async def _settle(house: House) -> None:
    while house.errands:
        await asyncio.gather(*house.errands, return_exceptions=True)


if __name__ == "__main__":
    raise SystemExit(main())
