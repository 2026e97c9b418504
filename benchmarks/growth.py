"""What grows with the mail: pages, processor time, the state and the engine's memory.

A few hundred messages go the whole way into an empty home. A copy of that home is filled up to
`--messages` (`_grown_state.py`: rows that look like months of mail, not taken in one by one), gets
its night's upkeep, and then takes in as many fresh messages as the empty one did. Prints for both
homes how long each page's call takes in the process of the engine (p50 and p95 by the clock, and
the p50 of processor time, which a busy machine changes less), processor time per fresh message,
octets of state per message, free blocks of the file, and memory. `--home` keeps the two homes and
uses them again. `--distinct` sends mail of which no two texts are the same.
"""

import argparse
import asyncio
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml

from benchmarks._grown_state import copy_once, remember
from benchmarks.line import SAMPLE, backlog, distinct, spent_by, work_off
from data.records.core.envelope import Channel
from data.records.core.organization import Organization
from data.settings import load_settings
from data.store.core import control
from data.store.core.database import Connection
from data.store.core.statements import rows
from flows.core.current import set_house
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.inbound import inbound_batch
from flows.intake import intake_batch
from flows.mail.knowing.mail_search import index_documents, write_documents
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.take import take_in_waiting
from flows.opening import open_house
from flows.sync import sync_one
from flows.upkeep import tidy

WARMING = 128
"""Messages that load models and lexicons before anything is measured."""
ROUNDS = 8
LISTS = {
    "queue": "/queue?limit=50",
    "queue, search": "/queue?limit=50&q=invoice",
    "queue, last page": "/queue?limit=50&offset={cases}",
    "messages": "/messages?limit=50",
    "messages, search": "/messages?limit=50&q=invoice",
    "messages, last page": "/messages?limit=50&offset={messages}",
    "conversations": "/threads?limit=50",
    "conversations, last page": "/threads?limit=50&offset={threads}",
    "quarantine": "/quarantine?limit=50",
    "quarantine, last page": "/quarantine?limit=50&offset={quarantined}",
    "notifications": "/notifications?limit=50",
    "notifications, last page": "/notifications?limit=50&offset={notifications}",
    "overview": "/overview",
    "queue, its counts": "/queue/counts",
    "queue, mine": "/queue?limit=50&view=mine",
    "queue, unassigned": "/queue?limit=50&view=unassigned",
    "report": "/report",
    "policy, what people decided": "/policy/evidence",
    "vigilance": "/vigilance",
    "first steps": "/setup",
    "waiting for them": "/waiting",
    "questions without an answer": "/knowledge/unanswered",
    "agents": "/agents",
    "chats": "/chats",
    "calls": "/calls",
    "tasks": "/tasks",
    "memories": "/memories",
    "outbox": "/outbox?limit=50",
    "tickets": "/tickets?limit=50",
    "questions": "/questions",
    "audit": "/audit?limit=50",
    "knowledge": "/knowledge",
    "proposals": "/proposals",
    "promises": "/promises",
    "models": "/models",
    "examples": "/examples",
    "learning": "/learning",
    "tags": "/tags",
}
ONE = {"case": "/cases/{id}", "message": "/messages/{id}", "conversation": "/threads/{id}"}
COUNTED = """
    SELECT (SELECT count(*) FROM cases
            WHERE state IN ('in_review', 'escalated', 'failed')) AS cases,
           (SELECT count(*) FROM messages) AS messages,
           (SELECT count(*) FROM threads) AS threads,
           (SELECT count(*) FROM messages WHERE status = 'quarantined') AS quarantined,
           (SELECT count(*) FROM notifications) AS notifications
"""


class Ingested(NamedTuple):
    """What a phase of taking in mail says."""

    milliseconds: float
    """Processor time a message, the reading and work processes' included."""
    resident: float
    """MiB that the process holds at its end."""


async def open_workspace(home: Path) -> tuple[House, Workspace]:
    """Open a home, made and loaded with the sample organization where there is none."""
    house = await open_house(load_settings(home=home, coalesce_seconds=0))
    set_house(house)
    organization = Organization(**yaml.safe_load((SAMPLE / "organization.yaml").read_text()))
    if not await house.list_workspaces():
        await house.add_organization(organization)
        workspace = await house.get_workspace(organization.slug)
        shutil.copytree(SAMPLE, workspace.sources, ignore=shutil.ignore_patterns("inbox"))
        await sync_one(house, workspace)
    workspace = await house.get_workspace(organization.slug)
    workspace.policy = workspace.policy.model_copy(update={"coalesce_seconds": 0})
    return house, workspace


async def work_through(
    house: House, workspace: Workspace, mail: Sequence[tuple[bytes, str, tuple[str, ...]]]
) -> None:
    """Take mail through the whole line, without Prefect."""

    async def intake() -> bool:
        taken = await take_in_waiting(house, house.settings.batch_size)
        return bool(await intake_batch(house, workspace)) or bool(taken)

    async def inbound() -> bool:
        return bool(await inbound_batch(house, workspace))

    house.spool.put_many(mail, channel=Channel.INGEST)
    await work_off(intake, inbound)


async def ingest(home: Path, first: int, count: int, plain: bool) -> Ingested:
    """Take in `count` messages from the `first` on, after a few that load everything."""
    house, workspace = await open_workspace(home)
    try:
        mail = (distinct if plain else backlog)(first + WARMING + count)[first:]
        await work_through(house, workspace, mail[:WARMING])
        others = [*mailroom_of(house).parsers.pids(), *house.work.list_pids()]
        began = time.process_time() + spent_by(others)
        await work_through(house, workspace, mail[WARMING:])
        spent = time.process_time() + spent_by(others) - began
        while await write_documents(workspace):
            pass
        return Ingested(1000 * spent / count, resident())
    finally:
        await house.close()


async def fill(home: Path, messages: int) -> None:
    """Copy what the home holds until it holds about so many messages; then let a night pass."""
    house, workspace = await open_workspace(home)
    try:
        there = int((await workspace.db.read(rows, "SELECT count(*) AS n FROM messages"))[0]["n"])
        await workspace.db.write(remember)
        for number in range(max(0, round(messages / there) - 1), 0, -1):
            await workspace.db.write(copy_once, number)
        while await index_documents(workspace):
            pass
        await tidy(house, workspace)
    finally:
        await house.close()


async def look(home: Path) -> dict[str, tuple[float, float, float]]:
    """Return p50 and p95 by the clock, and p50 of processor time, milliseconds, for each page."""
    from httpx import ASGITransport, AsyncClient

    from flows.api.app import create_app

    house, workspace = await open_workspace(home)
    try:
        token = await house.control.write(control.add_token, "Growth", "admin", None, house.clock())
        counts = (await workspace.db.read(rows, COUNTED))[0]
        offsets = {name: max(0, int(count) - 50) for name, count in counts.items()}
        dice = random.Random(4)
        ids = await workspace.db.read(_ids)
        async with AsyncClient(
            transport=ASGITransport(create_app(house)),
            base_url=f"http://engine/v1/{workspace.slug}",
            headers={"Authorization": f"Bearer {token}"},
        ) as client:
            figures = {}
            for name, path in LISTS.items():
                figures[name] = await _timed(client, [path.format(**offsets)] * ROUNDS)
            for name, path in ONE.items():
                asked = [path.format(id=one) for one in dice.sample(ids[name], 3 * ROUNDS)]
                figures[name] = await _timed(client, asked)
        return figures | {"MiB": (resident(), 0.0, 0.0)}
    finally:
        await house.close()


def _ids(cursor: Connection) -> dict[str, list[str]]:
    tables = {"case": "cases", "message": "messages", "conversation": "threads"}
    return {
        kind: [str(row["id"]) for row in rows(cursor, f"SELECT id FROM {table} ORDER BY 1")]  # noqa: S608  # our names
        for kind, table in tables.items()
    }


async def _timed(client: object, paths: Sequence[str]) -> tuple[float, float, float]:
    from httpx import AsyncClient

    assert isinstance(client, AsyncClient)
    took = []
    for path in [paths[0], *paths]:
        clock, processor = time.perf_counter(), time.process_time()
        answer = await client.get(path)
        took.append((time.perf_counter() - clock, time.process_time() - processor))
        if answer.status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:200]}")
    clocks, processors = zip(*took[1:], strict=True)
    return (
        1000 * float(np.percentile(clocks, 50)),
        1000 * float(np.percentile(clocks, 95)),
        1000 * float(np.percentile(processors, 50)),
    )


async def measure_state(home: Path) -> dict[str, float]:
    """Return messages, octets of state a message, and the share of free blocks after upkeep."""
    house, workspace = await open_workspace(home)
    try:
        await tidy(house, workspace)
        messages = (await workspace.db.read(rows, "SELECT count(*) AS n FROM messages"))[0]["n"]
        size = (await workspace.db.read(rows, "PRAGMA database_size"))[0]
        return {
            "messages": messages,
            "octets": size["total_blocks"] * size["block_size"] / messages,
            "free": size["free_blocks"] / max(1, size["total_blocks"]),
        }
    finally:
        await house.close()


def resident() -> float:
    """Return what this process holds in memory, MiB."""
    text = Path("/proc/self/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def phase(name: str, home: Path, **given: object) -> dict[str, object]:
    """Run one phase in a process of its own, so that none finds what another left in memory."""
    options = [word for key, value in given.items() for word in (f"--{key}", str(value))]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", "--phase", name, "--home", str(home), *options],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr[-2000:]}")
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def run_phase(given: argparse.Namespace) -> None:
    """Run one phase and print what it says as JSON."""
    given.home.mkdir(parents=True, exist_ok=True)
    if given.phase == "ingest":
        said = asyncio.run(ingest(given.home, given.first, given.count, bool(given.plain)))
        print(json.dumps(said._asdict()))
    elif given.phase == "fill":
        asyncio.run(fill(given.home, given.messages))
        print("{}")
    elif given.phase == "look":
        print(json.dumps(asyncio.run(look(given.home))))
    else:
        print(json.dumps(asyncio.run(measure_state(given.home))))


def compare(folder: Path, messages: int, fresh: int, plain: bool) -> None:
    """Make both homes, measure them, and print what was measured."""
    empty, grown = folder / "empty", folder / "grown"
    first: dict[str, object] = {}
    if not empty.exists():
        first = phase("ingest", empty, first=0, count=fresh, plain=int(plain))
    if not grown.exists():
        shutil.copytree(empty, grown)
        phase("fill", grown, messages=messages)
    seen = {"empty": phase("look", empty), "grown": phase("look", grown)}
    state = phase("state", grown)
    print(
        f"{state['messages']} messages in the grown home; {state['octets']:.0f} octets of state a "
        f"message, {100 * float(str(state['free'])):.0f} % of its blocks free after upkeep"
    )
    print("  page                         empty: p50    p95  cpu    grown: p50    p95  cpu  (ms)")
    for name in (*LISTS, *ONE):
        figures = [*_three(seen["empty"][name]), *_three(seen["grown"][name])]
        print("  {:28} {:10.1f} {:6.1f} {:5.1f} {:10.1f} {:6.1f} {:5.1f}".format(name, *figures))
    print(f"  memory after the pages: {_three(seen['grown']['MiB'])[0]:.0f} MiB")
    if first:
        later = phase("ingest", grown, first=fresh + WARMING, count=fresh, plain=int(plain))
        before, after = float(str(first["milliseconds"])), float(str(later["milliseconds"]))
        print(
            f"processor time of a fresh message: {before:.1f} ms in the empty home, {after:.1f} ms "
            f"in the grown one, {after / before:.2f} times; the engine holds "
            f"{float(str(later['resident'])):.0f} MiB then"
        )


def _three(figures: object) -> Sequence[float]:
    assert isinstance(figures, list)
    return figures


def main() -> None:
    """Run the benchmark, or one phase of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--messages", type=int, default=30_000)
    options.add_argument("--fresh", type=int, default=1_000)
    options.add_argument("--distinct", action="store_true", help="mail without any text twice")
    options.add_argument("--home", type=Path, help="folder of the two homes, kept for next time")
    options.add_argument("--phase", help=argparse.SUPPRESS)
    options.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    options.add_argument("--count", type=int, default=0, help=argparse.SUPPRESS)
    options.add_argument("--plain", type=int, default=0, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.phase:
        run_phase(given)
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(given.home or Path(folder), given.messages, given.fresh, given.distinct)


if __name__ == "__main__":
    main()
