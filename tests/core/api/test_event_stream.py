"""Server-sent events stay open while nothing comes, and end with who reads them."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from flows.api.core.event_stream import COMMENT, keep_open

FOREVER = 1e6


class Source:
    """Events that the test puts, and whether what makes them has ended."""

    def __init__(self) -> None:
        self.put = asyncio.Event()
        self.has_ended = False

    async def events(self) -> AsyncGenerator[str]:
        """Yield one event, then another once the test says so."""
        try:
            yield "data: first\n\n"
            await self.put.wait()
            yield "data: last\n\n"
        finally:
            self.has_ended = True


async def test_comments_are_sent_while_nothing_comes_and_no_event_is_lost() -> None:
    """The last event comes after the comments, once, and then the stream is over."""
    source = Source()
    read = []
    async for event in keep_open(source.events(), quiet_seconds=0.001):
        read.append(event)
        if read.count(COMMENT) == 3:
            source.put.set()
    assert [event for event in read if event != COMMENT] == ["data: first\n\n", "data: last\n\n"]
    assert read[1:4] == [COMMENT] * 3
    assert source.has_ended


async def test_no_comment_is_sent_between_events_that_come_at_once() -> None:
    """Who reads along gets the events alone."""
    source = Source()
    source.put.set()
    read = [event async for event in keep_open(source.events(), FOREVER)]
    assert read == ["data: first\n\n", "data: last\n\n"]


@pytest.mark.parametrize("quiet_seconds", [0.001, FOREVER])
async def test_what_makes_the_events_ends_with_who_reads_them(quiet_seconds: float) -> None:
    """Also while nothing comes; a reader that goes leaves nothing behind."""
    source = Source()
    opened = asyncio.Event()

    async def read() -> None:
        async for _ in keep_open(source.events(), quiet_seconds):
            opened.set()

    reader = asyncio.create_task(read())
    await opened.wait()
    await asyncio.sleep(0.01)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    await asyncio.sleep(0.01)
    assert source.has_ended
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_an_error_of_what_makes_the_events_reaches_who_reads() -> None:
    """It is not taken for the end."""

    async def fail() -> AsyncGenerator[str]:
        yield "data: first\n\n"
        raise RuntimeError("the state is gone")

    with pytest.raises(RuntimeError, match="the state is gone"):
        _ = [event async for event in keep_open(fail(), FOREVER)]
