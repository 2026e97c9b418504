"""Work in threads that nobody leaves alone."""

import asyncio
from typing import TypeVar

ResultT = TypeVar("ResultT")


async def wait_to_the_end(job: "asyncio.Future[ResultT]") -> ResultT:
    """Return what comes of work in a thread; who is cancelled meanwhile goes when it is done.

    A thread cannot be cancelled: what it uses, a file or a lock, must not be given back before.
    """
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        await asyncio.wait([job])
        raise
