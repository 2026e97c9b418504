"""Events of work that is under way, for whoever listens, from any place on.

They are held in memory while the work goes on and a while afterwards; what counts is in the state.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from data.records.core.streams import StreamEvent

KEPT = 200
"""Streams that have ended and can still be read from any place."""


@dataclass
class Stream:
    """The events of one piece of work, in order."""

    events: list[StreamEvent] = field(default_factory=list)
    first: int = 0
    """The place before the first of them; no event of an earlier try of the work stands behind it.
    It is set before the first event is put."""
    ended: bool = False
    said: str = ""
    """The words so far, without those that were taken back."""
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, event: StreamEvent) -> None:
        """Add an event, and let everybody know who waits for one."""
        self.events.append(event)
        if event.kind == "text":
            self.said += event.text
        elif event.kind == "retract":
            self.said = ""
        self._wake_listeners()

    def end(self) -> None:
        """Say that no event follows."""
        self.ended = True
        self._wake_listeners()

    async def follow_from(self, place: int) -> AsyncIterator[tuple[int, StreamEvent]]:
        """Yield each event behind a place, with its own place, until the work ends.

        Who has events of an earlier try has them taken back first, and gets all of this one.
        """
        while True:
            more = self._more
            last = self.first + len(self.events)
            if place < self.first or (self.ended and place > last):
                if place:
                    yield self.first, StreamEvent(kind="retract")
                place = self.first
            while self.first <= place < self.first + len(self.events):
                yield place + 1, self.events[place - self.first]
                place += 1
            if self.ended:
                return
            await more.wait()

    def _wake_listeners(self) -> None:
        self._more.set()
        self._more = asyncio.Event()


class Streams:
    """Streams by the id of the work."""

    def __init__(self) -> None:
        self._streams: OrderedDict[str, Stream] = OrderedDict()

    def open(self, work_id: str) -> Stream:
        """Begin the stream of a piece of work, and let go of the oldest that have ended."""
        ended = [key for key, stream in self._streams.items() if stream.ended]
        for key in ended[: max(0, len(ended) - KEPT)]:
            del self._streams[key]
        self._streams[work_id] = Stream()
        return self._streams[work_id]

    def find(self, work_id: str) -> Stream | None:
        """Return the stream of a piece of work, while there is one."""
        return self._streams.get(work_id)

    def forget_ended(self) -> None:
        """Let go of what was said in work that has ended; what of it is left is in the state."""
        for key in [key for key, stream in self._streams.items() if stream.ended]:
            del self._streams[key]

    def forget(self, work_id: str) -> None:
        """Let go of the stream of work that is not going on."""
        self._streams.pop(work_id, None)
