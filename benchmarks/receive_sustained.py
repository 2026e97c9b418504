"""How many messages a second the receiver takes for a minute, and how long each waits for its 250.

    python benchmarks/receive_sustained.py [--seconds 60] [--sessions 8] [--size 5000]
                                           [--processes 1] [--folder DIR]

Clients of our own send one message a connection, each in a process of its own, for as long as was
asked; every 250 stands for fsync(file), rename and fsync(folder). The rate of every ten seconds is
printed, so that a rate that sinks shows.
"""

import argparse
import asyncio
import multiprocessing
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._receive_client import RECIPIENT, Load
from benchmarks.receive import free_port, postern, wait_for


def send(port: int, args: argparse.Namespace, seconds: float) -> tuple[list[float], list[float]]:
    """Send for so long; return when each 250 came, from the beginning, and after how long."""
    ends: list[float] = []

    class Timed(Load):
        """A load that ends by the clock."""

        def take(self) -> bool:
            """Claim a message as long as there is time."""
            ends.extend([time.monotonic() - began] * (len(self.times) - len(ends)))
            return time.monotonic() < began + seconds

    given = argparse.Namespace(**vars(args), messages=0, per_connection=1, recipient=RECIPIENT)
    load = Timed("127.0.0.1", port, given)
    began = time.monotonic()
    asyncio.run(load.run())
    return ends[: len(load.times)], load.times


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Sustained rate of the receiver")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--sessions", type=int, default=8)
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", default=None, help="where the spool is made")
    args = parser.parse_args()
    port = free_port()
    with (
        postern(args.folder, port, args.processes),
        multiprocessing.get_context("spawn").Pool(1) as pool,
    ):
        wait_for(port)
        pool.apply(send, (port, args, 2.0))  # warms up
        ends, times = pool.apply(send, (port, args, args.seconds))
    for begin in range(0, int(args.seconds), 10):
        count = sum(begin <= end < begin + 10 for end in ends)
        print(f"  {begin:3}-{begin + 10} s: {count / 10:.0f}/s")
    p99 = statistics.quantiles(times, n=100)[98] * 1000
    print(
        f"{args.sessions} sessions, {args.size} bytes: {len(times) / args.seconds:.0f} messages/s "
        f"for {args.seconds:.0f} s, p99 {p99:.0f} ms from connecting to 250"
    )


if __name__ == "__main__":
    main()
