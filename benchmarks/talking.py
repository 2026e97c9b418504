"""Talking to agents: how soon an answer begins, and whether twenty people wait for each other.

    make bench ARGS=talking

The engine's API is served on loopback, and so is a stand-in for the Messages API, in a process of
its own. Printed are, over HTTP as the window asks: an answer without a model, from the question to
its end; the first words of an answer with one, beside what the bare client library takes from the
same stand-in, in turn; and twenty people who ask at once a model that takes two seconds, and six.
"""

import asyncio
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anthropic
import httpx
import uvicorn

from data.records.core.principals import Grant, NewUser
from data.store.core import control, users
from flows.agents.lifecycle import install_catalogue
from tests.core.models import messages_api
from tests.core.models.wire import StandIn
from tests.core.small import SLUG, Line, api_over, open_line
from tests.ports import open_door

PAIRS, PLAIN, PEOPLE, WAITS = 40, 100, 20, (2.0, 6.0)
PLAINLY, OPENLY = "What is urgent?", "Which of the cases that wait would you begin with, and why?"
ANSWER = {"text": "Begin with the loom that smokes: somebody may be hurt. " * 8}


def serve(wait: float) -> None:
    """Be the stand-in: print its address, and end with standard input."""

    async def run() -> None:
        step = messages_api.fills(ANSWER, wait=wait, pause=0.01)
        async with StandIn([step]) as server:
            print(server.url, flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    asyncio.run(run())


@contextmanager
def stand_in(wait: float) -> Iterator[str]:
    """Give the address of a stand-in that waits so many seconds before it begins."""
    code = f"from benchmarks.talking import serve; serve({wait})"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@asynccontextmanager
async def served(folder: Path, **settings: object) -> AsyncIterator[tuple[Line, str]]:
    """Give a line of the tiny organization with its agents, and the address of its API."""
    async with open_line(folder / "var", **settings) as line:
        await install_catalogue(line.house, line.workspace)
        for number in range(5):
            line.send("When is the workshop open?", subject=f"Opening {number}")
        await line.run()
        config = uvicorn.Config(
            api_over(line.house), log_config=None, access_log=False, ws="none", lifespan="off"
        )
        server = uvicorn.Server(config)
        door = open_door()
        serving = asyncio.create_task(server.serve(sockets=[door]))
        try:
            yield line, f"http://127.0.0.1:{door.getsockname()[1]}/v1/{SLUG}"
        finally:
            server.should_exit = True
            await serving


class Person:
    """Somebody with a token, and a chat with the Desk."""

    def __init__(self, url: str, token: str) -> None:
        self.client = httpx.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60
        )
        self.chat = ""

    async def begin(self) -> None:
        """Begin a chat."""
        self.chat = (await self.client.post("/chats", json={"agent": "desk"})).json()["id"]

    async def ask(self, text: str) -> tuple[float, float]:
        """Ask; return the seconds until the first words, and until the end."""
        began, first = time.perf_counter(), math.nan
        said = await self.client.post(f"/chats/{self.chat}/messages", json={"text": text})
        turn = said.json()["turn_id"]
        async with self.client.stream("GET", f"/turns/{turn}/events") as answer:
            async for line in answer.aiter_lines():
                if line == "event: text" and math.isnan(first):
                    first = time.perf_counter() - began
        return first, time.perf_counter() - began


async def person(line: Line, url: str, name: str) -> Person:
    """Return a new user with a token of their own."""
    now = line.house.clock()
    wanted = NewUser(name=name, grants=(Grant(role="reviewer", organization=SLUG),))
    user = await line.house.control.write(users.add_user, wanted, now)
    token = await line.house.control.write(control.add_token_of, user.id, now)
    made = Person(url, token)
    await made.begin()
    return made


async def barely(client: anthropic.AsyncAnthropic) -> float:
    """Return the seconds until the bare client library has the first words of an answer."""
    tool: Any = {"name": "answer", "description": "", "input_schema": {"type": "object"}}
    began = time.perf_counter()
    async with client.messages.stream(
        model="claude",
        max_tokens=3000,
        messages=[{"role": "user", "content": json.dumps({"asked": OPENLY})}],
        tools=[tool],
        tool_choice={"type": "any"},
    ) as stream:
        first = math.nan
        async for event in stream:
            if event.type == "input_json" and math.isnan(first):
                first = time.perf_counter() - began
    return first


def describe_times(seconds: list[float]) -> str:
    """Return median and 95th percentile, in milliseconds."""
    ordered = sorted(seconds)
    return f"p50 {statistics.median(ordered) * 1000:.0f} ms, p95 {_share(ordered):.0f} ms"


def _share(ordered: list[float]) -> float:
    return ordered[math.ceil(len(ordered) * 0.95) - 1] * 1000


async def plainly(folder: Path) -> None:
    """Measure answers without a model."""
    async with served(folder) as (line, url):
        ida = await person(line, url, "Ida")
        await ida.ask(PLAINLY)
        ends = [(await ida.ask(PLAINLY))[1] for _ in range(PLAIN)]
    print(f"without a model, {PLAIN} answers over HTTP: {describe_times(ends)} (aim p95 200)")


async def in_pairs(folder: Path) -> None:
    """Measure the first words with a model beside the bare library."""
    with stand_in(0.2) as model:
        await _in_pairs(folder, model)


async def _in_pairs(folder: Path, model: str) -> None:
    async with served(folder, **_settings(model)) as (line, url):
        ida = await person(line, url, "Ida")
        bare = anthropic.AsyncAnthropic(api_key="none", base_url=model, max_retries=0)
        await ida.ask(OPENLY)
        await barely(bare)
        ours, theirs = [], []
        for _ in range(PAIRS):
            theirs.append(await barely(bare))
            ours.append((await ida.ask(OPENLY))[0])
    more = [one - other for one, other in zip(ours, theirs, strict=True)]
    print(f"first words, {PAIRS} pairs: ours {describe_times(ours)}")
    print(f"  bare library {describe_times(theirs)}")
    print(f"  more than the library: median {statistics.median(more) * 1000:.0f} ms (aim 150)")


async def together(folder: Path) -> None:
    """Measure people who ask at once."""
    for wait in WAITS:
        with stand_in(wait) as model:
            await _together(folder / f"{wait:g}", model, wait)


async def _together(folder: Path, model: str, wait: float) -> None:
    async with served(folder, **_settings(model)) as (line, url):
        people = [await person(line, url, f"Person {number}") for number in range(PEOPLE)]
        alone = await people[0].ask(OPENLY)
        busy = time.process_time()
        asked = await asyncio.gather(*(one.ask(OPENLY) for one in people))
        busy = time.process_time() - busy
    firsts = [first for first, _ in asked]
    print(
        f"{PEOPLE} people at once, a model of {wait:g} s: first words after "
        f"{min(firsts):.2f} to {max(firsts):.2f} s, alone after {alone[0]:.2f} s; "
        f"{busy / PEOPLE * 1000:.0f} ms of processor time a turn, clients with it"
    )


def _settings(model: str) -> dict[str, object]:
    return {
        "llm_provider": "anthropic",
        "llm_base_url": model,
        "llm_api_key": "none",
        "llm_prices": ("* 0 0 0 0",),
    }


def main() -> int:
    """Run all of them."""
    for measure in (plainly, in_pairs, together):
        with TemporaryDirectory() as folder:
            asyncio.run(measure(Path(folder)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
