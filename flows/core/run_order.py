"""Which flow run goes next: in the order asked, and runs of one flow may go beside each other.

Side by side, runs of different flows starve in Prefect's SQLite. Runs of one flow go beside each
other where one computes while another writes; as soon as another flow waits, no more of them begin.
"""

import asyncio
from collections import deque
from types import TracebackType
from typing import Self


class RunOrder:
    """The runs that go, and those that wait, in the order in which they asked."""

    def __init__(self) -> None:
        self._going: list[str] = []
        """The flow of each run that goes; all the same."""
        self._waiting: deque[tuple[str, int, asyncio.Future[None]]] = deque()

    def fits(self, flow: str, most: int) -> bool:
        """Return whether a run may begin beside those that go."""
        same = all(flow_going == flow for flow_going in self._going)
        return not self._going or (same and len(self._going) < most)

    @property
    def waited_for(self) -> bool:
        """Whether a run waits."""
        return bool(self._waiting)

    async def take(self, flow: str, most: int) -> None:
        """Wait until a run of a flow may go, behind all that asked before."""
        if not self._waiting and self.fits(flow, most):
            self._going.append(flow)
            return
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((flow, most, granted))
        try:
            await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                self._grant()
            else:
                self.leave(flow)
            raise

    def leave(self, flow: str) -> None:
        """End a run of a flow, and let go what may go then."""
        self._going.remove(flow)
        self._grant()

    def _grant(self) -> None:
        while self._waiting:
            flow, most, granted = self._waiting[0]
            if not granted.cancelled():
                if not self.fits(flow, most):
                    return
                self._going.append(flow)
                granted.set_result(None)
            self._waiting.popleft()


class RunTurn:
    """What a run of a flow enters with `async with`, to go in its turn; `most` go side by side."""

    def __init__(self, order: RunOrder, flow: str, most: int = 1) -> None:
        self._order, self._flow, self.most = order, flow, most

    def locked(self) -> bool:
        """Whether a run would have to wait now."""
        return self._order.waited_for or not self._order.fits(self._flow, self.most)

    async def __aenter__(self) -> Self:
        """Wait until the run may go."""
        await self._order.take(self._flow, self.most)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the run, and let go what may go then."""
        self._order.leave(self._flow)
