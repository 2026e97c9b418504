"""Slow clients: what a normal one notices of them, when they are cut, and who is not.

    python benchmarks/receive_slow.py [--clients 200] [--deadline 5] [--kilobytes 1000] [--rate 10]

Half of the slow clients drip a command, half a message. Beside them a normal client delivers, and
one sends a message of `--kilobytes` at `--rate` kB/s: slow, steady, and above the least rate, so it
must arrive.
"""

import argparse
import asyncio
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from connectors.receiver import Limits
from tests.mail.gate.conftest import RunningReceiver
from tests.mail.gate.crowd import STEPS, deliver, drip, reply


async def steady(port: int, kilobytes: int, rate: float) -> float:
    """Send a message at `rate` kB/s; return the seconds it took until its 250."""
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reply(reader)
    for step in STEPS:
        writer.write(step)
        await reply(reader)
    for sent in range(kilobytes):
        writer.write((b"s" * 98 + b"\r\n") * 10)
        await asyncio.sleep(max(0.0, began + sent / rate - time.monotonic()))
    writer.write(b".\r\n")
    answer = await reply(reader)
    writer.close()
    assert answer.startswith(b"250"), answer
    return time.monotonic() - began


async def load(port: int, args: argparse.Namespace) -> bool:
    """Run everything at the same time and print what came of it; return whether it is good."""
    large = asyncio.create_task(steady(port, args.kilobytes, args.rate))
    slow = [
        asyncio.create_task(drip(port, STEPS[: 4 * (n % 2)], 4 * args.deadline))
        for n in range(args.clients)
    ]
    await asyncio.sleep(0.3)
    normal = []
    while not all(task.done() for task in slow):
        normal.append(await deliver(port))
        await asyncio.sleep(0.05)
    endings = await asyncio.gather(*slow)
    p99 = statistics.quantiles(normal, n=100)[98] * 1000
    longest = max(seconds for seconds, _ in endings)
    cut = sum(line.startswith(b"421") for _, line in endings)
    print(
        f"{args.clients} slow clients: {cut} cut with 421 after {longest:.1f} s at most (deadline "
        f"{args.deadline:g} s); a normal one has its 250 after {p99:.0f} ms (p99 of {len(normal)})"
    )
    print(f"{args.kilobytes} kB at {args.rate:g} kB/s: 250 after {await large:.0f} s")
    return cut == args.clients and longest < 2 * args.deadline and p99 < 1000


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Slow clients")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--deadline", type=float, default=5)
    parser.add_argument("--kilobytes", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=10)
    args = parser.parse_args()
    limits = Limits(
        connections=2 * args.clients,
        connections_per_address=2 * args.clients,
        command_seconds=args.deadline,
        data_seconds=args.deadline,
        data_grace_seconds=args.deadline,
    )
    with TemporaryDirectory() as home:
        receiver = RunningReceiver(Path(home), limits).start()
        good = asyncio.run(load(receiver.port, args))
        receiver.stop()
    raise SystemExit(not good)


if __name__ == "__main__":
    main()
