"""A round of the work on cases: batch behind batch, as long as there is enough for another one."""

import asyncio

from flows.core.house import House
from flows.core.rounds import go_round
from flows.core.run_order import RunTurn
from flows.core.work_pool import LEAST
from flows.core.workspace import Workspace
from flows.inbound import count_workable, inbound
from flows.running.prefect_client import patient_client

LOOK_SECONDS = 0.25
"""How often is looked whether enough has come for another batch."""


async def inbound_round(house: House) -> bool:
    """Run the flow for every organization with something due; return whether there was anything.

    Each organization has one run, and further ones as long as batches are due that work processes
    would get; where a turn is shared they begin behind each other while nobody else waits for it.

    Raises:
        Exception: what a run has raised, once the others have ended.

    """
    runs = _Runs(house)
    try:
        while not house.closing.is_set():
            begun_any = await go_round(house, runs.begin)
            if not begun_any and not await runs.wait():
                break
    except asyncio.CancelledError:
        runs.cut_off()
        raise
    finally:
        await runs.end()
    return bool(runs.begun_for)


class _Runs:
    """The runs of one round."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._turn = house.run_turn_of("inbound")
        self._enough = min(LEAST, house.batch_size)
        self._going: set[asyncio.Task[None]] = set()
        self.begun_for: set[str] = set()
        """Organizations that had a run in this round; another one has to be worth it."""

    async def begin(self, workspace: Workspace) -> bool:
        """Start a run if there is enough to do and room for it; return when the next one may."""
        if self._going and (len(self._going) >= self._turn.most or self._turn.locked()):
            return False
        due = await count_workable(self._house, workspace)
        if due < (self._enough if workspace.slug in self.begun_for else 1):
            return False
        workspace.conveyor.room.clear()
        run = asyncio.create_task(_run(self._turn, workspace.slug, due), name="inbound")
        room = asyncio.create_task(workspace.conveyor.room.wait())
        self._going.add(run)
        self.begun_for.add(workspace.slug)
        try:
            await asyncio.wait((run, room), return_when=asyncio.FIRST_COMPLETED)
        finally:
            room.cancel()
        return True

    async def wait(self) -> bool:
        """Wait a moment for a run to end; return whether there was one to wait for.

        Raises:
            Exception: what a run has raised.

        """
        if not self._going:
            return False
        done, self._going = await asyncio.wait(
            self._going, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        failed = [run.exception() for run in done if not run.cancelled()]
        for error in filter(None, failed):
            raise error
        return True

    def cut_off(self) -> None:
        """Cut the runs off where they are."""
        for run in self._going:
            run.cancel()

    async def end(self) -> None:
        """Let the runs end.

        Raises:
            Exception: what a run has raised.

        """
        for error in await asyncio.gather(*self._going, return_exceptions=True):
            if isinstance(error, Exception):
                raise error


async def _run(turn: RunTurn, slug: str, due: int) -> None:
    async with turn, patient_client():
        await inbound(organization=slug, count=due)
