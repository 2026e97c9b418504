"""A process in which a person decides on stopped messages, until it is killed.

    python -m tests.mail.line.deciding HOME SEED

Prints what was decided as soon as it is, one line `action id` each.
"""

import asyncio
import random
import sys
from pathlib import Path

from data.errors import ConflictError
from data.records.mail.orders import Release
from data.settings import load_settings
from data.store.core.statements import rows
from flows.mail.people import guarding, undoing
from flows.opening import open_house
from tests.core.small import SLUG
from tests.people import person

USER = "ida"
RULE = "direct_override"


async def decide(home: Path, seed: int) -> None:
    """Decide for ever; what cannot be decided just now is passed over."""
    house = await open_house(load_settings(home=home, parse_processes=1))
    workspace = await house.get_workspace(SLUG)
    found = await workspace.db.read(rows, "SELECT id FROM messages ORDER BY id", [])
    ids = [str(row["id"]) for row in found]
    rng = random.Random(seed)
    while True:
        item = rng.choice(ids)
        action = rng.choice(("release", "confirm", "block", "undo", "undo", "spam"))
        try:
            if action == "release":
                await guarding.release(house, workspace, item, person(USER), Release(allow=(RULE,)))
            elif action == "confirm":
                await guarding.confirm(house, workspace, item, person(USER))
            elif action == "block":
                await guarding.block(house, workspace, item, "sender", person(USER))
            elif action == "spam":
                await guarding.correct(house, workspace, item, person(USER), spam=True)
            else:
                await undoing.undo(house, workspace, item, person(USER))
        except ConflictError:
            continue
        print(action, item, flush=True)


if __name__ == "__main__":
    asyncio.run(decide(Path(sys.argv[1]), int(sys.argv[2])))
