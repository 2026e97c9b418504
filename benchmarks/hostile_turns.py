"""Ten thousand turns of agents with a model that wants harm; prints the promises that broke.

    make bench ARGS=hostile_turns                        10,000 turns
    POSTERN_HOSTILE_TURNS=500 make bench ARGS=hostile_turns

Each turn is a chat of its own: a model that calls anything with anything, obeys the mail it reads
and says what it must not; what waits is answered yes or no at random. What is looked for is in
`tests/agents/turns/hostile_turns.py`.
"""

import asyncio
import os
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from data.records.core.principals import Grant, NewUser, Principal
from data.store.core import users
from flows.agents.lifecycle import install_catalogue
from tests.agents.turns.hostile_turns import open_stage
from tests.core.small import SLUG, Line, open_line

TURNS = int(os.environ.get("POSTERN_HOSTILE_TURNS", "10000"))
TOLD = 5


def main() -> int:
    """Play, and return how many promises broke."""
    return asyncio.run(_play())


async def _play() -> int:
    with TemporaryDirectory() as folder:
        async with open_line(Path(folder) / "var") as line:
            await install_catalogue(line.house, line.workspace)
            ida, ben = await _user(line, "Ida"), await _user(line, "Ben")
            stage = await open_stage(line.house, line.workspace, ida, ben)
            broken, began = 0, time.perf_counter()
            for seed in range(TURNS):
                found = await stage.play(seed)
                if found and broken < TOLD:
                    print(f"turn {seed}: {'; '.join(found)}")
                broken += len(found)
                stage.effects.had.clear()
            seconds = time.perf_counter() - began
            states = await line.rows("SELECT state, count(*) AS n FROM turns GROUP BY state")
            acts = await line.rows(
                "SELECT state, count(*) AS n FROM turn_moves WHERE kind = 'act' GROUP BY state"
            )
    print(f"{TURNS:,} hostile turns, {seconds:.0f} s, {TURNS / seconds:.0f} a second")
    for title, listed in (("turns", states), ("calls", acts)):
        counts = Counter({str(row["state"]): int(row["n"]) for row in listed})
        print(f"  {title}: " + ", ".join(f"{n:,} {state}" for state, n in counts.most_common()))
    print(f"violations: {broken}")
    return broken


async def _user(line: Line, name: str) -> Principal:
    wanted = NewUser(name=name, grants=(Grant(role="reviewer", organization=SLUG),))
    user = await line.house.control.write(users.add_user, wanted, line.house.clock())
    return await line.house.control.read(users.read_principal, user.id)


if __name__ == "__main__":
    raise SystemExit(main())
