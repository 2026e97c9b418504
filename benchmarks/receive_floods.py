"""What floods cost in memory: lines, commands and recipients without end, and idle connections.

    python benchmarks/receive_floods.py [--gigabytes 2] [--noops 1000000] [--recipients 50000]

Each flood comes from four clients at the same time; a client that is sent away comes again until it
has sent its share. The resident memory of the receiver is looked at ten times a second; the most
that it grew by is printed.
"""

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mail.gate.conftest import made_processes
from tests.mail.gate.crowd import MAIL_TO_DATA, MIB, flood, resident

CLIENTS = 4


class Highest:
    """Looks at the memory of a process until it is told to stop."""

    def __init__(self, pid: int) -> None:
        self._pid, self._over = pid, threading.Event()
        self.before = self.highest = resident(pid)
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            self.highest = max(self.highest, resident(self._pid))

    def stop(self) -> float:
        """Return by how many MiB it grew at most."""
        self._over.set()
        self._thread.join()
        return (self.highest - self.before) / MIB


def pour(port: int, opening: bytes, block: bytes, total: int) -> int:
    """Send blocks from several clients until `total` bytes are out; return the connections used."""
    sent, used, lock = [0], [0], threading.Lock()

    def client() -> None:
        while sent[0] < total:
            gone = flood(port, opening, block, total // CLIENTS)
            with lock:
                sent[0] += max(gone, 1)
                used[0] += 1

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return used[0]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Memory under floods")
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--noops", type=int, default=1_000_000)
    parser.add_argument("--recipients", type=int, default=50_000)
    args = parser.parse_args()
    size = int(args.gigabytes * (1 << 30))
    recipient = b"RCPT TO:<a@lamps.example>\r\n"
    floods = {
        f"endless line, {args.gigabytes:g} GiB": (MAIL_TO_DATA, b"x" * 65_536, size),
        f"line feeds, {args.gigabytes / 8:g} GiB": (MAIL_TO_DATA, b"\n" * 65_536, size // 8),
        f"{args.noops} NOOP": (b"", b"NOOP\r\n" * 100, args.noops * 6),
        f"{args.recipients} RCPT": (
            b"MAIL FROM:<>\r\n", recipient * 50, args.recipients * len(recipient)
        ),
    }  # fmt: skip
    worst = 0.0
    with tempfile.TemporaryDirectory() as home, made_processes() as make:
        given = {"smtp_connections": 1000, "smtp_connections_per_address": 1000}
        receiver = make(Path(home), **given).start()
        for name, (opening, block, total) in floods.items():
            memory, began = Highest(receiver.pid), time.monotonic()
            used = pour(receiver.port, opening, block, total)
            grown = memory.stop()
            worst = max(worst, grown)
            seconds = time.monotonic() - began
            print(f"  {name}: {grown:.0f} MiB more, {used} connections, {seconds:.0f} s")
        receiver.end()
    print(f"memory grew by {worst:.0f} MiB at most (limit 64)")
    raise SystemExit(worst > 64)


if __name__ == "__main__":
    main()
