"""A message over which the engine dies again and again: how late other mail gets meanwhile.

    python benchmarks/engine_deaths.py [--seconds 90] [--every 0.5] [--patience 300]

Runs `postern up` on a home of its own and puts a message into the spool every half second. One of
them is deadly: whenever work on it is counted, the engine is killed with SIGKILL, as the kernel
would when memory runs out. The supervisor starts it again. Printed is how long the other messages
take from the spool to their conversation, before and after the deadly one came, and what became
of it.
"""

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import duckdb
import httpx

from connectors.spool import Spool
from connectors.spool.folder import MAX_TRIES
from data.records.core.envelope import Channel
from tests.core.small import ADDRESS, SLUG, letter, open_line

LATENESS = """
SELECT m.id, epoch(min(e.occurred_at) - m.received_at), m.received_at
FROM messages m JOIN events e ON e.item_id = m.id AND e.state IN ('threaded', 'failed')
GROUP BY m.id, m.received_at
"""


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports: list[int] = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


@contextmanager
def running(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run everything that `postern up` runs, until the block ends."""
    names = ("SMTP", "API", "UI", "PREFECT")
    ports = dict(zip(names, free_ports(4), strict=True))
    env = os.environ | {f"POSTERN_{name}_PORT": str(port) for name, port in ports.items()}
    with (home.parent / "up.log").open("wb") as log:
        up = subprocess.Popen(
            [sys.executable, "-m", "flows.cli", "--home", str(home), "up"],
            env=env,
            stdout=log,
            stderr=log,
        )
        try:
            for url in (f"http://127.0.0.1:{ports['API']}/healthz", f"{ports['PREFECT']}"):
                target = url if "/" in url else f"http://127.0.0.1:{url}/api/health"
                wait_for(target)
            yield up
        finally:
            up.terminate()
            up.wait(60)


def wait_for(url: str, seconds: float = 300) -> None:
    """Wait until somebody answers there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if httpx.get(url, timeout=2, trust_env=False).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.3)
    raise SystemExit(f"nobody answers at {url}")


def engine_of(parent: int) -> int:
    """Return the process id of the engine that a supervisor has started; 0 when there is none."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status = (place / "stat").read_text().rpartition(")")[2].split()
            words = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(status[1]) == parent and b"engine" in words:
            return int(place.name)
    return 0


def counted(spool: Spool, item: str) -> tuple[int, float]:
    """Return how often and when work on a message was counted; zeros when it is not, or no more."""
    count = spool.aside.read_tries([item]).get(item, 0)
    at = spool.aside.read_try_times([item]).get(item, 0.0)
    return (count, at) if 0 < count <= MAX_TRIES and at else (0, 0.0)


def load(home: Path, args: argparse.Namespace) -> tuple[str, int]:
    """Put messages into the spool and kill the engine over one; return its id and the deaths."""
    spool = Spool(home / "spool")
    with running(home) as up:
        time.sleep(5)
        deadly, number, seen = "", 0, {(0, 0.0)}
        began = time.monotonic()
        while (now := time.monotonic() - began) < args.seconds or spool.waiting():
            if now < args.seconds and now >= number * args.every:
                number += 1
                sender = f"person{number}@heron.example"
                raw = letter(f"Question {number}", subject=f"Number {number}", sender=sender)
                put = spool.put(
                    raw, channel=Channel.INGEST, mail_from=sender, rcpt_to=(ADDRESS,), peer=""
                )
                if not deadly and now > args.seconds / 4:
                    deadly = put.spool_id
            engine = engine_of(up.pid) if (mark := counted(spool, deadly)) not in seen else 0
            if engine:
                os.kill(engine, signal.SIGKILL)
                seen.add(mark)
            if now > args.seconds + args.patience:
                break
            time.sleep(0.001)
        time.sleep(20)
    return deadly, len(seen) - 1


def report(home: Path, deadly: str, deaths: int) -> bool:
    """Print how late the others were; return whether none is missing."""
    with duckdb.connect(str(home / "organizations" / SLUG / "state.duckdb"), read_only=True) as db:
        found: dict[str, tuple[float, datetime]] = {
            item: (seconds, at) for item, seconds, at in db.execute(LATENESS).fetchall()
        }
        (everybody,) = db.execute("SELECT count(*) FROM messages").fetchone() or (0,)
        fate = db.execute("SELECT status FROM messages WHERE id = ?", [deadly]).fetchone()
    came = received_at(deadly)
    parts = {
        "before it": sorted(s for s, at in found.values() if at < came),
        "after it": sorted(s for s, at in found.values() if at > came),
    }
    for name, waits in parts.items():
        if waits:
            print(
                f"{name}: {len(waits)} messages, median {waits[len(waits) // 2]:.1f} s, "
                f"90 % within {waits[len(waits) * 9 // 10]:.1f} s, at most {waits[-1]:.1f} s"
            )
    print(f"the engine was killed {deaths} times; the deadly message is {(fate or ['lost'])[0]}")
    return len(found) == everybody and fate is not None and fate[0] == "failed"


def received_at(spool_id: str) -> datetime:
    """Return when a message came, from its id: the first sixteen digits are nanoseconds."""
    return datetime.fromtimestamp(int(spool_id[:16], 16) / 1e9, UTC)


async def prepare(home: Path) -> None:
    """Make a home with the tiny organization."""
    async with open_line(home):
        pass


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--every", type=float, default=0.5)
    parser.add_argument("--patience", type=float, default=300)
    args = parser.parse_args()
    with TemporaryDirectory(prefix="postern-deaths-") as folder:
        home = Path(folder) / "var"
        asyncio.run(prepare(home))
        deadly, deaths = load(home, args)
        good = report(home, deadly, deaths)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
