"""A chat of 2,000 messages beside one of 20: what its page asks for, and a turn in it.

    make bench ARGS=long_chat

The engine's API is served on loopback in this process. Both chats are asked in turn, so that
whatever else the machine does meets both. Printed are medians: of the page's requests (the newest
40 messages, and 40 older ones), and of a turn without a model, from the question to its end; as
time on the clock, and as processor time of this process, client and engine together.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from benchmarks.talking import PLAINLY, Person, person, served
from data.ids import new_id
from data.records.agents.chats import AuthorKind, ChatMessage
from data.store.core.database import Connection
from data.store.core.statements import insert
from flows.core.house import House
from tests.core.small import Line

SHORT, LONG = 20, 2000
PAIRS = 20
WORDS = "The blue loom in the hall wants oil on its left axle, says number {}. "


async def main() -> None:
    """Print the figures."""
    with TemporaryDirectory(prefix="postern-long-chat-") as folder:
        async with served(Path(folder)) as (line, url):
            short, long = [await _chat(line, url, size) for size in (SHORT, LONG)]
            print(
                f"medians of {PAIRS} pairs: a chat of {SHORT} messages / one of {LONG}", flush=True
            )
            acts: dict[str, Callable[[Person], Awaitable[object]]] = {
                "the newest 40 messages": _newest,
                "40 messages before them": _older,
                "a turn without a model": lambda one: one.ask(PLAINLY),
            }
            for name, act in acts.items():
                _print(name, await _pairs(act, short, long))


async def _chat(line: Line, url: str, size: int) -> Person:
    """Return a person with a chat in which so much was said before."""
    made = await person(line, url, f"person {size}")
    await line.workspace.db.write(_fill, line.house, made.chat, size)
    return made


def _fill(cursor: Connection, house: House, chat: str, size: int) -> None:
    """Write messages as if a person and the Desk had talked, a minute between each two."""
    began = house.clock() - timedelta(minutes=size)
    said = [
        ChatMessage(
            id=new_id(began),
            chat_id=chat,
            place=number + 1,
            author=AuthorKind.AGENT if number % 2 else AuthorKind.PERSON,
            author_id="desk",
            author_name="Desk",
            text=WORDS.format(number) * 3,
            turn_id="",
            said_at=began + timedelta(minutes=number),
        )
        for number in range(size)
    ]
    insert(cursor, "chat_messages", [one.model_dump() | {"sources": "[]"} for one in said])


async def _newest(one: Person) -> None:
    await _got(one, 40)


async def _older(one: Person) -> None:
    await _got(one, 40, before=SHORT)


async def _got(one: Person, limit: int, **query: int) -> None:
    answer = await one.client.get(f"/chats/{one.chat}", params={"limit": limit, **query})
    assert answer.status_code == httpx.codes.OK, answer.text
    assert answer.json()["messages"]


async def _pairs(
    act: Callable[[Person], Awaitable[object]], short: Person, long: Person
) -> list[tuple[list[float], list[float]]]:
    """Return, for each of both chats, the seconds on the clock and of the processor."""
    taken: list[tuple[list[float], list[float]]] = [([], []), ([], [])]
    for _ in range(PAIRS):
        for (clock, processor), one in zip(taken, (short, long), strict=True):
            began, computed = time.perf_counter(), time.process_time()
            await act(one)
            clock.append(time.perf_counter() - began)
            processor.append(time.process_time() - computed)
    return taken


def _print(name: str, taken: list[tuple[list[float], list[float]]]) -> None:
    """Print both medians of both chats."""
    wall = " / ".join(f"{statistics.median(clock) * 1000:.1f}" for clock, _ in taken)
    cpu = " / ".join(f"{statistics.median(used) * 1000:.1f}" for _, used in taken)
    print(f"{name}: {wall} ms on the clock; {cpu} ms of the processor", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
