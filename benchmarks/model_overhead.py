"""The time that Postern adds around a call of a model that takes 2 s.

A stand-in for the Messages API, in a process of its own, waits 2 s before it answers. Measured is
a draft from the question to the settled, validated draft: packing the question, the reservation of
money, the client library, the wire, the form, and the settlement. Cases come one at a time. The
processor time of the same calls is printed too: on a machine that others use, it is what is ours.
"""

import asyncio
import multiprocessing
import statistics
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from data.asking import Reply
from data.records.mail import Segments
from data.settings import load_settings
from data.store import control
from data.store.archive import Archive
from data.store.database import Database
from flows.thinking import Thinker, new_marker
from flows.workspace import Workspace
from tasks.asking.drafting import draft_question, drafted
from tests.mind.examples import ORGANIZATION, POLICY, SENDER, briefing, classification, intent, mail
from tests.models import messages_api
from tests.models.wire import StandIn

WAIT, CALLS = 2.0, 10
ASKED = "What does a single kayak cost per day?"
PRICE = "A single kayak costs 31.50 euros per day."
FORM = {"body": PRICE, "citations": [{"sentence": PRICE, "ref": "knowledge:rental-price"}]}


def serve(told: Connection) -> None:
    """Be the stand-in until the other end says so."""

    async def run() -> None:
        async with StandIn([messages_api.fills(FORM, wait=WAIT)]) as server:
            told.send(server.url)
            await asyncio.get_running_loop().run_in_executor(None, told.recv)

    asyncio.run(run())


async def measure(url: str, folder: Path, streamed: bool) -> list[float]:
    """Return the seconds of each draft beyond those that the model took."""
    from connectors.models import open_door

    settings = load_settings(
        llm_provider="anthropic", llm_base_url=url, llm_api_key="none", llm_timeout=30
    )
    door = open_door(settings)
    assert door is not None
    database = Database(folder / f"state-{streamed}.duckdb", "organization")
    workspace = Workspace(
        organization=ORGANIZATION,
        keys=control.new_keys(),
        folder=folder,
        db=database,
        archive=Archive(folder / "archive"),
        knowledge=None,  # type: ignore[arg-type]
        policy=POLICY,
    )
    from flows.wiring import utc_now

    thinker = Thinker(door, settings, utc_now)
    added = [await once(thinker, workspace, number, streamed) for number in range(CALLS + 1)]
    await door.close()
    database.close()
    return added[1:]  # the first one loads libraries and connects


async def once(thinker: Thinker, workspace: Workspace, number: int, streamed: bool) -> float:
    """Draft once; return the seconds that were not the model's."""
    began = time.perf_counter()
    brief = thinker.brief(workspace, "draft")
    said, given = classification(intent(ASKED)), briefing()
    from tests.mind.test_route import REPLY

    question = draft_question(
        [(mail(text=ASKED), Segments(new=ASKED))],
        said,
        (REPLY,),
        given,
        ORGANIZATION,
        (),
        system=brief.system,
        marker=new_marker(),
        tier=brief.tier,
        budget=brief.budget,
    )
    heard: list[str] = []
    reply: Reply = await thinker.ask(
        workspace,
        question,
        item=f"case-{number}",
        sender=SENDER.email,
        on_text=heard.append if streamed else None,
    )
    made = drafted(
        reply.content,
        subject="A question",
        sender=SENDER,
        said=said,
        briefing=given,
        organization=ORGANIZATION,
        policy=POLICY,
        model=reply.model,
    )
    assert PRICE in made.body
    return time.perf_counter() - began - WAIT


def main() -> None:
    """Measure whole and streamed answers."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    server = spawn.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    url = ours.recv()
    try:
        for streamed in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                busy = time.process_time()
                added = asyncio.run(measure(url, Path(folder), streamed))
                busy = (time.process_time() - busy) / (CALLS + 1)
            kind = "streamed" if streamed else "whole"
            middle, most = statistics.median(added), max(added)
            print(
                f"{kind}: {middle * 1000:.0f} ms added to a call of {WAIT:.0f} s in the median "
                f"({middle / WAIT:.1%}), {most * 1000:.0f} ms at most ({most / WAIT:.1%}), "
                f"{len(added)} calls; {busy * 1000:.0f} ms of processor time a call with loading"
            )
    finally:
        ours.send("end")
        server.join(10)


if __name__ == "__main__":
    main()
