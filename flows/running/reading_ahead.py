"""What comes after a batch is taken in and read while that batch is screened and threaded."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from data.errors import NotFoundError
from data.store.mail import messages
from flows.core.ahead import PATIENCE_SECONDS
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.take import take
from flows.mail.line.tries import deaths_counted

WORTH = 32
"""With fewer messages it is not begun: they are read quickly in their turn."""


@asynccontextmanager
async def reading_ahead(
    house: House, workspace: Workspace, in_turn: Sequence[str]
) -> AsyncIterator[None]:
    """Take in and read what comes after the messages whose turn it is, while the body runs.

    Raises:
        PosternError, OSError: as taking in does; after the body has ended.

    """
    task = asyncio.create_task(_take_and_read(house, workspace, in_turn), name="reading ahead")
    try:
        yield
    except BaseException:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise
    await task


async def _take_and_read(house: House, workspace: Workspace, in_turn: Sequence[str]) -> None:
    limit = house.settings.batch_size
    await take(house, limit)
    hashes = await workspace.db.read(messages.to_read, house.clock(), limit, in_turn)
    if len(hashes) < WORTH or house.spool.tried(hashes):
        return  # who is suspect of killing the engine is read in its own turn
    with deaths_counted(house.spool, list(hashes)) as hopeless:
        if hopeless:
            return
        try:
            raws = await asyncio.to_thread(lambda: [*map(workspace.archive.read, hashes.values())])
        except NotFoundError:
            return
        readings = await house.parsers.parse_many(raws, PATIENCE_SECONDS)
    workspace.ahead.keep(list(hashes.values()), readings)
