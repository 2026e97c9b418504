"""A reading process for attached files, started when the first is asked for."""

import asyncio

from connectors.parse_pool import ParsePool
from data.records.mail.documents import DocumentText

TARGET = "tasks.documents.reading:read_document"


class DocumentPool:
    """Reads one file after the other, under limits of processor time and memory."""

    def __init__(self, cpu_seconds: int, memory_mb: int) -> None:
        self._pool = ParsePool(
            TARGET,
            DocumentText.model_validate_json,
            processes=1,
            cpu_seconds=cpu_seconds,
            memory_mb=memory_mb,
        )
        self._starting = asyncio.Lock()
        self._started = False

    async def read(self, asked: bytes) -> DocumentText:
        """Return what a process makes of a request of `tasks.documents.reading`.

        Raises:
            UnreadableMailError: the file exceeds a limit, or its reader died on it.
            OutsideTemporaryError: no reading process can be started.

        """
        async with self._starting:
            if not self._started:
                await self._pool.__aenter__()
                self._started = True
        return await self._pool.parse(asked)

    async def close(self) -> None:
        """End the process, if there is one."""
        async with self._starting:
            if self._started:
                await self._pool.__aexit__(None, None, None)
                self._started = False
