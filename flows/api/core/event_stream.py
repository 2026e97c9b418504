"""Server-sent events as an answer that stays open while nothing comes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from fastapi.responses import StreamingResponse

QUIET_SECONDS = 15.0
"""So long nothing may come before a comment is sent, seconds.

The HTML standard (9.2.7, *Authoring notes*) has a comment sent every 15 seconds or so, since a
proxy between ends a connection on which nothing comes.
"""
COMMENT = ": nothing yet\n\n"
"""A line that begins with a colon is read by every client and means nothing (ibid., 9.2.6)."""


def stream_events(events: AsyncGenerator[str]) -> StreamingResponse:
    """Answer with server-sent events as they come, and with comments while none comes."""
    return StreamingResponse(keep_open(events), media_type="text/event-stream")


async def keep_open(
    events: AsyncGenerator[str], quiet_seconds: float = QUIET_SECONDS
) -> AsyncGenerator[str]:
    """Yield each event, and a comment whenever none has come for `quiet_seconds`.

    Where the reader goes, what makes the events is ended too.
    """
    async with aclosing(events):
        while True:
            coming = asyncio.create_task(_read_next(events))
            try:
                while not coming.done():
                    await asyncio.wait([coming], timeout=quiet_seconds)
                    if not coming.done():
                        yield COMMENT
            finally:
                coming.cancel()
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([coming])
            event = coming.result()
            if event is None:
                return
            yield event


async def _read_next(events: AsyncGenerator[str]) -> str | None:
    """Return the next event, or None behind the last."""
    return await anext(events, None)
