"""A small HTTP/1.1 server on loopback that answers by a script, for the real client libraries.

It keeps every request as it came. One script step is one answer; the last one repeats. Steps can
answer, answer in pieces, wait, break the connection off, or never answer.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One request, as it came over the wire."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    """The body."""

    @property
    def body(self) -> dict[str, Any]:
        """The body as JSON; empty when there is none."""
        return json.loads(self.raw) if self.raw else {}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is sent back."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pieces: tuple[bytes, ...] = (b"{}",)
    """Sent one by one, with `pause` seconds between."""
    wait: float = 0.0
    """Seconds before the first byte."""
    pause: float = 0.0
    cut: bool = False
    """Whether the connection is reset after the pieces, without an end."""


Step = Callable[[Seen], Answer]
"""Makes the answer from the request."""


class StandIn:
    """Listens on a free loopback port; `async with` starts and stops it."""

    def __init__(self, steps: Sequence[Step], listing: Step | None = None) -> None:
        self.steps = list(steps)
        self.listing = listing or plain(404, {})
        """Answers what is asked without a body; it is no step of the script."""
        self.seen: list[Seen] = []
        self.open = 0
        """Requests being answered now."""
        self.most_open = 0
        """Requests that were answered at the same time, at most."""
        self.url = ""
        """Address without a path."""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON of every request that had some."""
        return [seen.body for seen in self.seen if seen.raw]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while (seen := await _read(reader)) is not None:
                number = sum(1 for one in self.seen if one.raw)  # not read again: there are many
                self.seen.append(seen)
                step = self.steps[min(number, len(self.steps) - 1)] if seen.raw else self.listing
                answer = step(seen)
                self.open += 1
                self.most_open = max(self.most_open, self.open)
                try:
                    if not await _send(writer, answer):
                        return
                finally:
                    self.open -= 1
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return
        finally:
            self._tasks.discard(task)
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Seen | None:
    line = await reader.readline()
    if not line:
        return None
    method, path, _ = line.decode("ascii").split(" ", 2)
    headers: dict[str, str] = {}
    while (line := await reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return Seen(method=method, path=path, headers=headers, raw=raw)


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> bool:
    """Send an answer; return whether the connection goes on."""
    await asyncio.sleep(answer.wait)
    headers = {"content-type": "application/json", "transfer-encoding": "chunked", **answer.headers}
    head = f"HTTP/1.1 {answer.status} Scripted\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"{head}\r\n".encode("latin-1"))
    for number, piece in enumerate(answer.pieces):
        if number and answer.pause:
            await asyncio.sleep(answer.pause)
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
    if answer.cut:
        writer.transport.abort()
        return False
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


def plain(status: int, body: object, **headers: str) -> Step:
    """Answer with a status and JSON, whatever is asked; `_` in names of headers becomes `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Answer(status=status, headers=named, pieces=(json.dumps(body).encode(),))


def never(_: Seen) -> Answer:
    """Do not answer for an hour."""
    return Answer(wait=3_600.0)


def broken(_: Seen) -> Answer:
    """Reset the connection before a byte of the body."""
    return Answer(pieces=(), cut=True)
