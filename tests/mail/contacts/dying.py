"""A process that erases a contact and dies before one of the steps, by SIGKILL of its own.

Steps: `rows` (before the rows go), `files`, `index`, `clear`, `bytes` (before the file is written
anew), `done` (before the order is forgotten).
"""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from connectors.knowledge import KnowledgeIndex
from data.records.mail.contacts import EraseContact
from data.settings import load_settings
from data.store.core.archive import Archive
from data.store.core.database import Database
from flows.mail.people.erasing import erase
from flows.opening import open_house
from tests.core.small import CUSTOMER, SLUG
from tests.people import person

WRITES = {"rows": 1, "clear": 2, "done": 3}
"""Before which write of an erasure to die, counted from the order itself, 0."""
STEPS = ("rows", "files", "index", "clear", "bytes", "done")


def die() -> None:
    """End as if the kernel had ended it."""
    os.kill(os.getpid(), signal.SIGKILL)


class DeadlyDatabase(Database):
    """Dies before one of its writes, or before it is written anew."""

    step = ""
    writes = 0

    async def write(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Write, until it is time."""
        if self.writes == WRITES.get(self.step):
            die()
        self.writes += 1
        return await super().write(work, *args, **kwargs)

    async def renew(self) -> None:
        """Write anew, unless it is time."""
        if self.step == "bytes":
            die()
        await super().renew()


class DeadlyArchive(Archive):
    """Dies instead of removing anything."""

    def remove(self, sha256: str) -> None:
        """Die."""
        die()


class DeadlyIndex(KnowledgeIndex):
    """Dies instead of being written anew."""

    async def renew(self) -> None:
        """Die."""
        die()


async def work(home: Path, step: str) -> None:
    """Erase the customer's data until the step."""
    house = await open_house(load_settings(home=home, parse_processes=1))
    workspace = await house.get_workspace(SLUG)
    await asyncio.to_thread(workspace.db.close)
    database = DeadlyDatabase(workspace.folder / "state.duckdb", "organization")
    database.step = step
    workspace.db = database
    if step == "files":
        workspace.archive = DeadlyArchive(workspace.folder / "archive")
    if step == "index":
        workspace.knowledge = await DeadlyIndex.open(
            workspace.folder / "knowledge.lance", house.embedder
        )
    await erase(house, workspace, EraseContact(address=CUSTOMER), person("ida"))


def run(home: Path, step: str) -> None:
    """Be that process."""
    asyncio.run(work(home, step))
