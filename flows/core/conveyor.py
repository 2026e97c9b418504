"""Batches of cases one behind the other: each stage is a station that takes one at a time.

While one batch is being written, the next one is already being computed at a station before it. No
batch passes another, so every stage meets the batches in the order in which they began and finds
what the one before has decided there: open tickets, what leaves today, what was promised. Beyond
its own stage a case depends on its contact and its conversation alone, and what belongs to either
stays behind until the batch that has them in work is through.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

ENTRANCE = "entrance"
"""The first station: here a batch is chosen."""
BEGUN = 2
"""Stations that a batch has passed when the next one may begin: the entrance and one stage."""


class Ride:
    """One batch on its way."""

    def __init__(self, conveyor: "Conveyor") -> None:
        self._conveyor = conveyor
        self._at: asyncio.Lock | None = None
        self._passed = 0
        self.items: frozenset[str] = frozenset()

    async def enter(self, station: str) -> None:
        """Go on to a station as soon as the batch before has left it, and leave the last one."""
        following = self._conveyor.stations[station]
        await following.acquire()
        self.leave()
        self._at = following
        self._passed += 1
        if self._passed == BEGUN + 1:
            self._conveyor.room.set()

    def carry(self, items: Iterable[str]) -> None:
        """Say which items these are; others choose what has nothing to do with them."""
        self.items = frozenset(items)

    def leave(self) -> None:
        """Leave the station."""
        if self._at is not None:
            self._at.release()
            self._at = None


class Conveyor:
    """The stations of one organization, and what is in work."""

    def __init__(self) -> None:
        self.stations: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.room = asyncio.Event()
        """Set when a batch is so far that another one may begin; cleared by who begins it."""
        self._rides: set[Ride] = set()

    @property
    def in_work(self) -> list[str]:
        """The items of every batch that is on its way."""
        return sorted(item for ride in self._rides for item in ride.items)

    @asynccontextmanager
    async def ride(self) -> AsyncIterator[Ride]:
        """Begin at the entrance, as soon as the batch before has left it."""
        ride = Ride(self)
        try:
            await ride.enter(ENTRANCE)
            self._rides.add(ride)
            yield ride
        finally:
            self._rides.discard(ride)
            ride.leave()
