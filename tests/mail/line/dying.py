"""A process that works on the spool and dies over one message, while it takes or screens it.

It dies by SIGKILL of its own, as if the kernel had, wherever the message that holds MARK is met.
"""

import asyncio
import os
import signal
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from data.errors import PosternError
from data.records.mail.stage_outputs import Screened
from data.settings import load_settings
from data.store.core.archive import Archive
from flows.core.batch import Batch
from flows.intake import STAGES, intake_batch
from flows.mail.line.take import take_in_waiting
from flows.mail.stages.screen import ScreenStage
from flows.opening import open_house
from tests.core.small import SLUG


class DeadlyArchive(Archive):
    """Keeps raw mail, until it meets the mark."""

    def __init__(self, folder: Path, mark: bytes) -> None:
        super().__init__(folder)
        self._mark = mark

    def keep(self, contents: Iterable[bytes]) -> list[str]:
        """Die over the mark."""
        given = list(contents)
        if any(self._mark in raw for raw in given):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().keep(given)


class DeadlyScreen(ScreenStage):
    """Screens, until it meets the mark."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Screened | PosternError]:
        """Die over the mark."""
        from data.store.mail import messages

        rows = await batch.workspace.db.read(messages.read_messages, ids)
        if any(self._mark in row.subject for row in rows.values()):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().perform(batch, ids)


async def work(home: Path, where: str, mark: str) -> None:
    """Take in and read whatever waits."""
    house = await open_house(
        load_settings(home=home, parse_processes=1, authenticate_senders=False)
    )
    workspace = await house.get_workspace(SLUG)
    stages = STAGES
    if where == "take":
        workspace.archive = DeadlyArchive(workspace.folder / "archive", mark.encode())
    else:
        stages = (STAGES[0], DeadlyScreen(mark), *STAGES[2:])
    while await take_in_waiting(house, 100) or house.spool.waiting():
        pass
    while await intake_batch(house, workspace, stages):
        pass
    await house.close()


def run(home: Path, where: str, mark: str) -> None:
    """Be that process."""
    asyncio.run(work(home, where, mark))
