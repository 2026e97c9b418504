"""Reading and drawing processes for attached files, started when the first is asked for."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from connectors.parse_pool import ParsePool
from data.records.mail.documents import DocumentText, DrawnPage

READ_TARGET = "tasks.mail.documents.reading:read_document"
DRAW_TARGET = "tasks.mail.documents.drawing:draw_page"

ResultT = TypeVar("ResultT")


class DocumentPool:
    """Reads and draws one file after the other, under limits of processor time and memory."""

    def __init__(self, cpu_seconds: int, memory_mb: int) -> None:
        self._texts = _LatePool(
            READ_TARGET, DocumentText.model_validate_json, cpu_seconds, memory_mb
        )
        self._pages = _LatePool(DRAW_TARGET, DrawnPage.model_validate_json, cpu_seconds, memory_mb)

    async def read(self, asked: bytes) -> DocumentText:
        """Return what a process makes of a request of `tasks.mail.documents.reading`.

        Raises:
            UnreadableMailError: the file exceeds a limit, or its reader died on it.
            OutsideTemporaryError: no reading process can be started.

        """
        return await self._texts.ask(asked)

    async def draw(self, asked: bytes) -> DrawnPage:
        """Return what a process makes of a request of `tasks.mail.documents.drawing`.

        Raises:
            UnreadableMailError: the file exceeds a limit, or its process died on it.
            OutsideTemporaryError: no drawing process can be started.

        """
        return await self._pages.ask(asked)

    async def close(self) -> None:
        """End the processes that there are."""
        await self._texts.close()
        await self._pages.close()


class _LatePool(Generic[ResultT]):
    """One process with a target, which is started with the first file."""

    def __init__(
        self, target: str, decode: Callable[[bytes], ResultT], cpu_seconds: int, memory_mb: int
    ) -> None:
        self._pool = ParsePool(
            target, decode, processes=1, cpu_seconds=cpu_seconds, memory_mb=memory_mb
        )
        self._starting = asyncio.Lock()
        self._started = False

    async def ask(self, asked: bytes) -> ResultT:
        async with self._starting:
            if not self._started:
                await self._pool.__aenter__()
                self._started = True
        return await self._pool.parse(asked)

    async def close(self) -> None:
        async with self._starting:
            if self._started:
                await self._pool.__aexit__(None, None, None)
                self._started = False
