"""The line itself: a backlog of mixed mail from `ingest` to routed, with Prefect observing.

Prints messages per second, and how much of the time was spent outside the stages' own work: taking
in, committing, and Prefect. Intake and the work on cases go beside each other, as in the engine, so
the stages' times overlap. `--direct` leaves Prefect out, which shows what observing costs. On a
machine that others use the processor time per message says more; `work` are the work processes
(setting `work_processes`), whose memory is printed too. A few messages go through before the clock
starts, because a service imports its libraries and compiles its patterns once. `--distinct` sends
mail of which no two texts are the same, because the played inbox, over and over, flatters whatever
remembers.
"""

import argparse
import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from flows.mail.line.mailroom import mailroom_of

SAMPLE = Path(__file__).parent.parent / "data" / "samples" / "fieldfare-audio"
#: Messages that go through before the clock starts: one round of the played inbox.
WARMING = 120


def distinct(count: int) -> list[tuple[bytes, str, tuple[str, ...]]]:
    """Return `count` plain messages of many trades, each text once; fewer when there are fewer."""
    from training.mails import mails

    made: list[tuple[bytes, str, tuple[str, ...]]] = []
    for number, message in enumerate(mails()[:count]):
        sender, to = f"writer.{number}@example.net", "hello@fieldfare.example"
        head = (
            f"From: <{sender}>\nTo: <{to}>\nSubject: {message.subject or number}\n"
            f"Message-ID: <{number}@example.net>\nDate: Sat, 21 Nov 2026 21:00:00 +0000\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
        )
        raw = f"{head}{message.text}\n".encode().replace(b"\n", b"\r\n")
        made.append((raw, sender, (to,)))
    return made


def backlog(count: int) -> list[tuple[bytes, str, tuple[str, ...]]]:
    """Return `count` messages: the played inbox over and over, each from another sender."""
    import yaml

    entries = yaml.safe_load((SAMPLE / "inbox" / "timeline.yaml").read_text())["entries"]
    made = []
    for number in range(count):
        entry = entries[number % len(entries)]
        raw = (SAMPLE / "inbox" / entry["file"]).read_bytes().replace(b"\r\n", b"\n")
        raw = raw.replace(b"@@DATE@@", b"Sat, 21 Nov 2026 21:00:00 +0000")
        raw = raw.replace(b"@@PAD@@", b"QUJD" * 200)
        sender = entry["envelope_from"]
        if number >= len(entries) and sender:
            local, _, domain = sender.partition("@")
            fresh = f"{local}.{number}@{domain}"
            raw = raw.replace(sender.encode(), fresh.encode())
            raw = raw.replace(b"Message-ID: <", b"Message-ID: <%d." % number, 1)
            raw = raw.replace(b"Message-Id: <", b"Message-Id: <%d." % number, 1)
            sender = fresh
        made.append((raw.replace(b"\n", b"\r\n"), sender, tuple(entry["to"])))
    return made


def spent_by(pids: Iterable[int]) -> float:
    """Return the processor time of these processes, seconds (proc(5), fields 14 and 15).

    A reading process that was replaced meanwhile, as on a very busy machine, is left out.
    """
    ticks = 0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> str:
    """Return what a process holds in memory and has to itself, MiB (proc(5), smaps_rollup)."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    size = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in text.splitlines()[1:]}
    return f"{size['Rss']} MiB resident, {size['Pss']} MiB its share"


async def run(
    home: Path, mail: Sequence[tuple[bytes, str, tuple[str, ...]]], port: int, server: int | None
) -> None:
    """Put the mail into the spool, work it off, and print the figures; `server` is Prefect's."""
    from data.settings import load_settings
    from flows.core.prefect_env import set_prefect_environment

    settings = load_settings(home=home, coalesce_seconds=0, prefect_port=port)
    set_prefect_environment(settings)
    os.environ["PREFECT_LOGGING_LEVEL"] = "ERROR"
    import yaml

    from data.records.core.envelope import Channel
    from data.records.core.organization import Organization
    from data.store.core.statements import rows
    from flows.core.current import set_house
    from flows.inbound import inbound_batch
    from flows.intake import intake_batch
    from flows.mail.line.take import take_in_waiting
    from flows.opening import open_house
    from flows.running.inbound_round import inbound_round
    from flows.running.loops import intake_round
    from flows.sync import sync_one

    house = await open_house(settings)
    set_house(house)
    organization = Organization(**yaml.safe_load((SAMPLE / "organization.yaml").read_text()))
    await house.add_organization(organization)
    workspace = await house.get_workspace(organization.slug)
    shutil.copytree(SAMPLE, workspace.sources, ignore=shutil.ignore_patterns("inbox"))
    await sync_one(house, workspace)
    workspace.policy = workspace.policy.model_copy(update={"coalesce_seconds": 0})
    warming, mail = mail[:WARMING], mail[WARMING:]
    count, direct = len(mail), server is None

    async def intake_directly() -> bool:
        taken = await take_in_waiting(house, settings.batch_size)
        return bool(await intake_batch(house, workspace)) or bool(taken)

    async def inbound_directly() -> bool:
        return bool(await inbound_batch(house, workspace))

    async def empty_spool() -> None:
        if direct:
            await work_off(intake_directly, inbound_directly)
        else:
            await work_off(partial(intake_round, house), partial(inbound_round, house))

    def processor_seconds() -> dict[str, float]:
        children = {"readers": mailroom_of(house).parsers.pids(), "work": house.work.list_pids()}
        spent = {"engine": time.process_time(), "Prefect": spent_by([server] if server else [])}
        return spent | {name: spent_by(pids) for name, pids in children.items()}

    house.spool.put_many(warming, channel=Channel.INGEST)
    await empty_spool()
    before, warmed = processor_seconds(), datetime.now(UTC)

    began = time.perf_counter()
    for start in range(0, count, 256):
        house.spool.put_many(mail[start : start + 256], channel=Channel.INGEST)
    ingested = time.perf_counter()
    await empty_spool()
    ended = time.perf_counter()
    cpu = {name: spent - before[name] for name, spent in processor_seconds().items()}
    stages = await workspace.db.read(
        rows,
        "SELECT stage, count(*) AS n, sum(milliseconds) / 1000 AS s FROM steps "
        "WHERE started_at > ? GROUP BY stage ORDER BY min(started_at)",
        [warmed],
    )
    states = await workspace.db.read(
        rows, "SELECT status, count(*) AS n FROM messages GROUP BY status ORDER BY status"
    )
    held = [resident(pid) for pid in house.work.list_pids()]
    await house.close()

    total, inside = ended - began, sum(row["s"] for row in stages)
    print(
        f"{count} messages, {'without' if direct else 'with'} Prefect, batches of "
        f"{settings.batch_size}, after {len(warming)} before the clock"
    )
    print("  " + ", ".join(f"{row['status']} {row['n']}" for row in states))
    print(f"  ingest     {ingested - began:7.2f} s   (fsynced into the spool)")
    for row in stages:
        print(f"  {row['stage']:<13}{row['s']:5.2f} s   {1000 * row['s'] / row['n']:6.2f} ms each")
    rest = "journal, state" if direct else "journal, state, Prefect"
    print(f"  the rest   {ended - ingested - inside:7.2f} s   ({rest}, less what overlapped)")
    print(f"  messages per second          {count / total:6.1f}")
    print(f"  outside the stages' own work {100 * (total - inside) / total:5.1f} %")
    print(f"  memory of each work process  {', '.join(held) or 'none runs'}")
    each = ", ".join(f"{name} {1000 * used / count:.1f}" for name, used in cpu.items())
    print(f"  processor time per message   {1000 * sum(cpu.values()) / count:6.1f} ms ({each})")


async def work_off(
    intake: Callable[[], Awaitable[bool]], *works: Callable[[], Awaitable[bool]]
) -> None:
    """Go round as the engine's loops do, intake and work beside each other, until all is done.

    Like there, the work looks after `POLL_SECONDS` again, or as soon as intake has done something.
    """
    from flows.running.loops import POLL_SECONDS

    taken_in, woken = False, asyncio.Event()

    async def intake_side() -> None:
        nonlocal taken_in
        while await intake():
            woken.set()
        taken_in = True
        woken.set()

    async def inbound_side(work: Callable[[], Awaitable[bool]]) -> None:
        while True:
            last = taken_in
            woken.clear()
            busy = await work()
            if last and not busy:
                return
            if not busy:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), POLL_SECONDS)

    await asyncio.gather(intake_side(), *map(inbound_side, works))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_prefect(home: Path, port: int) -> subprocess.Popen[bytes]:
    """Start a Prefect server of our own, and wait until it answers."""
    from data.settings import load_settings
    from flows.core.prefect_env import build_prefect_environment

    settings = load_settings(home=home, prefect_port=port)
    server = subprocess.Popen(
        [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)],
        env=os.environ | build_prefect_environment(settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(240):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=1).read()
        except OSError:
            time.sleep(0.5)
        else:
            return server
    server.terminate()
    raise SystemExit("the Prefect server did not start")


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--direct", action="store_true", help="leave Prefect out")
    options.add_argument("--distinct", action="store_true", help="mail without any text twice")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home, port = Path(folder) / "var", free_port()
        home.mkdir()
        server = None if given.direct else start_prefect(home, port)
        count = given.count + WARMING
        mail = distinct(count) if given.distinct else backlog(count)
        try:
            asyncio.run(run(home, mail, port, server.pid if server else None))
        finally:
            if server is not None:
                server.terminate()
                server.wait(30)


if __name__ == "__main__":
    main()
