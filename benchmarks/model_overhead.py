"""The time that Postern adds around a call of a model that takes 2 s.

A stand-in for the Messages API, in a process of its own, waits 2 s before it answers. Measured is
a draft from the question to the settled, validated draft: packing the question, the reservation of
money, the client library, the wire, the form, and the settlement. Cases come one at a time. Between
them the same stand-in is asked barely, by an HTTP client: what that takes beyond 2 s is the
machine's, not ours. Processor time is printed too.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2

from data.records.core.asking import Charge, ModelReply
from data.records.core.parsed_mail import Segments
from data.settings import load_settings
from data.store.core import control
from data.store.core.archive import Archive
from data.store.core.database import Database
from flows.core.thinker import Thinker, make_marker
from flows.core.workspace import Workspace
from flows.mail.thinking.line_agents import DRAFTER
from tasks.mail.draft.draft_form import draft_question, read_draft
from tests.core.models import messages_api
from tests.core.models.wire import StandIn
from tests.mail.mind.examples import (
    ORGANIZATION,
    POLICY,
    SENDER,
    briefing,
    classification,
    intent,
    mail,
)

WAIT, CALLS = 2.0, 10
ASKED = "What does a single kayak cost per day?"
PRICE = "A single kayak costs 31.50 euros per day."
FORM = {"body": PRICE, "citations": [{"sentence": PRICE, "ref": "knowledge:rental-price"}]}


def serve() -> None:
    """Be the stand-in: print its address, and end with standard input."""

    async def run() -> None:
        async with StandIn([messages_api.fills(FORM, wait=WAIT)]) as server:
            print(server.url, flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    asyncio.run(run())


async def measure(url: str, folder: Path, streamed: bool) -> tuple[list[float], list[float], float]:
    """Return the seconds of each draft and of each bare call, and our processor time in each."""
    from connectors.models import open_door

    settings = load_settings(
        llm_provider="anthropic", llm_base_url=url, llm_api_key="none", llm_timeout=30
    )
    door = open_door(settings)
    assert door is not None
    database = Database(folder / f"state-{streamed}.duckdb", "organization")
    workspace = Workspace(
        organization=ORGANIZATION,
        keys=control.make_keys(),
        folder=folder,
        db=database,
        archive=Archive(folder / "archive"),
        knowledge=None,  # type: ignore[arg-type]
    )
    workspace.policy = POLICY
    from flows.core.house import utc_now

    thinker = Thinker(door, settings, utc_now)
    await once(thinker, workspace, 0, streamed)  # loads libraries and connects
    ours, bare, busy = [], [], 0.0
    async with httpx2.AsyncClient(timeout=30) as client:
        await barely(client, url)
        for number in range(1, CALLS + 1):
            before = time.process_time()
            ours.append(await once(thinker, workspace, number, streamed))
            busy += time.process_time() - before
            bare.append(await barely(client, url))
    await door.close()
    database.close()
    return ours, bare, busy / CALLS


async def barely(client: httpx2.AsyncClient, url: str) -> float:
    """Ask the stand-in without Postern; return the seconds."""
    began = time.perf_counter()
    body = {"model": "any", "tools": [{"name": "answer"}], "messages": []}
    (await client.post(f"{url}/v1/messages", json=body)).raise_for_status()
    return time.perf_counter() - began


async def once(thinker: Thinker, workspace: Workspace, number: int, streamed: bool) -> float:
    """Draft once; return the seconds."""
    began = time.perf_counter()
    brief = thinker.read_brief(workspace, DRAFTER.slug)
    said, given = classification(intent(ASKED)), briefing()
    from tests.mail.mind.test_route import REPLY

    question = draft_question(
        [(mail(text=ASKED), Segments(new=ASKED))],
        said,
        (REPLY,),
        given,
        ORGANIZATION,
        (),
        brief=brief,
        marker=make_marker(),
    )
    heard: list[str] = []
    reply: ModelReply = await thinker.ask(
        workspace,
        question,
        Charge(item=f"case-{number}", sender=SENDER.email),
        on_text=heard.append if streamed else None,
    )
    made = read_draft(
        reply.content,
        subject="A question",
        sender=SENDER,
        classification=said,
        briefing=given,
        organization=ORGANIZATION,
        policy=POLICY,
        model=reply.model,
    )
    assert PRICE in made.body
    return time.perf_counter() - began


def main() -> None:
    """Measure whole and streamed answers."""
    command = [sys.executable, "-c", "from benchmarks.model_overhead import serve; serve()"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    try:
        for streamed in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                ours, bare, busy = asyncio.run(measure(url, Path(folder), streamed))
            added = statistics.median(ours) - statistics.median(bare)
            print(
                f"{'streamed' if streamed else 'whole'}: {statistics.median(ours):.3f} s a draft, "
                f"{statistics.median(bare):.3f} s a bare call (medians of {CALLS}): "
                f"{added * 1000:.0f} ms added, {added / WAIT:.1%}; "
                f"{busy * 1000:.0f} ms of processor time ({busy / WAIT:.1%})"
            )
    finally:
        server.stdin.close()
        server.wait(10)


if __name__ == "__main__":
    main()
