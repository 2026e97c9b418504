"""`postern try`: many messages through the pure stages, in order, by several processes.

Messages are read as they come and answered as soon as they are done, so that a program can hold a
conversation with the command as well as pipe a large file through it; only a few are in memory.
"""

import asyncio
import base64
import binascii
import os
import queue
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from connectors.parse_pool import ParsePool
from data.batches import split_into_batches
from data.errors import NotFoundError, PosternError
from data.settings import Settings
from flows.tryout.stages import STAGES, answer_line, error_line, pack_frame
from flows.tryout.world import World, neutral_world

READS = "flows.tryout.stages:from_frame"
BATCH_MESSAGES, BATCH_BYTES = 64, 8_000_000
BATCHES_UNDER_WAY = 3
TOGETHER_MESSAGES, TOGETHER_BYTES = 32, 400_000
"""The most handed to a process at once, for it screens several in less time than one by one."""
MEMORY_MB = 4096
"""Address space of a process: the small models and what they map, beside the message."""


@dataclass(frozen=True)
class TriedMessage:
    """One message to be tried, or why there is none."""

    id: object
    """Whatever names it in the answer; JSON."""
    raw: bytes = b""
    error: str = ""


Work = Callable[[Sequence[TriedMessage]], Awaitable[list[bytes]]]


def check_until(until: str) -> str:
    """Return the stage's name.

    Raises:
        NotFoundError: there is no such stage; the sentence lists them.

    """
    if until not in STAGES:
        raise NotFoundError(f"there is no stage {until!r}; the stages are {', '.join(STAGES)}")
    return until


def read_lines(lines: Iterable[bytes]) -> Iterator[TriedMessage]:
    """Give the messages of lines `{"id", "raw": base64}` or `{"id", "path"}`; never raises."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read_line(number, line)


def _read_line(number: int, line: bytes) -> TriedMessage:
    try:
        line_fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return TriedMessage(
            None, error=f"line {number} is not JSON: {error}; write one object per line"
        )
    if not isinstance(line_fields, dict):
        return TriedMessage(
            None, error=f"line {number} is no JSON object; give 'id', and 'raw' or 'path'"
        )
    identity = line_fields.get("id")
    raw, path = line_fields.get("raw"), line_fields.get("path")
    try:
        if isinstance(raw, str):
            return TriedMessage(identity, base64.b64decode("".join(raw.split()), validate=True))
        if isinstance(path, str):
            return TriedMessage(identity, Path(path).read_bytes())
    except binascii.Error as error:
        return TriedMessage(
            identity, error=f"'raw' is not base64: {error}; encode the whole message"
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        return TriedMessage(identity, error=f"the file {path!r} cannot be read: {why}")
    return TriedMessage(
        identity, error="the line has neither 'raw' (base64) nor 'path'; give one of them"
    )


async def try_all(
    items: Iterable[TriedMessage],
    until: str,
    settings: Settings,
    world: World | None = None,
    target: str = READS,
    *,
    several: bool = True,
) -> AsyncIterator[bytes]:
    """Give the answer to each message as a line of JSON, in the order of `items`.

    `world` is the neutral one when not given. `items` is read in a thread of its own. `target` is
    what the processes run. There is one for each processor, or a single one unless `several`.

    Raises:
        OutsideTemporaryError: no reading process can be started.

    """
    # Two that share a processor would both be slow with their first mails.
    processes = _cores() if several else 1
    text = (world or world_of(settings)).model_dump_json()
    async with ParsePool(
        target,
        bytes,
        processes=processes,
        cpu_seconds=settings.parse_seconds,
        memory_mb=max(settings.parse_memory_mb, MEMORY_MB),
    ) as pool:

        async def ask(parts: Sequence[Sequence[TriedMessage]]) -> list[list[bytes] | PosternError]:
            frames = [
                pack_frame([(item.id, item.raw) for item in part], until, text) for part in parts
            ]
            return [
                answer if isinstance(answer, PosternError) else answer.split(b"\n")
                for answer in await pool.parse_many(frames)
            ]

        async def work(batch: Sequence[TriedMessage]) -> list[bytes]:
            most = min(TOGETHER_MESSAGES, -(-len(batch) // processes))  # a few are for all of them
            parts = list(
                split_into_batches(
                    batch, lambda item: len(item.raw), most=most, size=TOGETHER_BYTES
                )
            )
            lines: list[bytes] = []
            for part, answer in zip(parts, await ask(parts), strict=True):
                if not isinstance(answer, PosternError):
                    lines += answer
                    continue
                # The process ended on one of them: by itself each says whether it is the one.
                alone = [answer] if len(part) == 1 else await ask([[item] for item in part])
                for item, own in zip(part, alone, strict=True):
                    lines += [answer_line(item.id, own)] if isinstance(own, PosternError) else own
            return lines

        async for line in in_order(items, work):
            yield line


def _cores() -> int:
    """Return how many processors this process may use: in a container fewer than there are."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def in_order(items: Iterable[TriedMessage], work: Work) -> AsyncIterator[bytes]:
    """Give the lines of `work` for batches of `items`, a few batches being under way at once."""
    source = _Source(items)
    tasks: asyncio.Queue[asyncio.Task[list[bytes]] | None] = asyncio.Queue(BATCHES_UNDER_WAY)

    async def feed() -> None:
        try:
            while batch := await asyncio.to_thread(source.take):
                await tasks.put(asyncio.create_task(_answer(batch, work)))
        finally:
            await tasks.put(None)

    feeding = asyncio.create_task(feed())
    try:
        while (task := await tasks.get()) is not None:
            for line in await task:
                yield line
        await feeding
    finally:
        feeding.cancel()


async def _answer(batch: Sequence[TriedMessage], work: Work) -> list[bytes]:
    good = [item for item in batch if not item.error]
    answers = iter(await work(good)) if good else iter(())
    return [error_line(item.id, item.error) if item.error else next(answers) for item in batch]


class _Source:
    """Reads items ahead in a thread; `take` gives what has come, without waiting for more."""

    def __init__(self, items: Iterable[TriedMessage]) -> None:
        self._items: queue.Queue[TriedMessage | BaseException | None] = queue.Queue(BATCH_MESSAGES)
        self._ended: BaseException | bool = False
        self._thread = threading.Thread(target=self._read, args=(items,), daemon=True)
        self._thread.start()

    def _read(self, items: Iterable[TriedMessage]) -> None:
        try:
            for item in items:
                self._items.put(item)
        except (PosternError, OSError, ValueError) as error:
            self._items.put(error)
        else:
            self._items.put(None)

    def take(self) -> list[TriedMessage]:
        """Wait for an item, then return it with those behind it; empty at the end.

        Raises:
            PosternError: the items could not be read further; those before it were given.

        """
        batch: list[TriedMessage] = []
        size = 0
        while not self._ended and len(batch) < BATCH_MESSAGES and size < BATCH_BYTES:
            try:
                item = self._items.get(block=not batch)
            except queue.Empty:
                break
            if isinstance(item, TriedMessage):
                batch.append(item)
                size += len(item.raw)
            else:
                self._ended = item or True
        if not batch and isinstance(self._ended, BaseException):
            raise self._ended
        return batch


def world_of(settings: Settings, **given: Any) -> World:  # noqa: ANN401  # fields of World
    """Return the neutral world with the settings, and with what is given in its place."""
    names = (
        "context_tokens",
        "context_recent_messages",
        "context_knowledge_entries",
        "owner_answer_hours",
        "trusted_authserv_ids",
    )
    fields = {name: getattr(settings, name) for name in names}
    return neutral_world(datetime.now(UTC)).model_copy(update={**fields, **given})
