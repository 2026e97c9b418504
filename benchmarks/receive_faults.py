"""A disk that fails a sync, at every place: the first, the second, … call of each thread.

    python benchmarks/receive_faults.py [--places 50] [--clients 4]

The receiver runs under strace, which lets the n-th fsync of each thread fail with EIO, one n a run.
Counted over all runs: 250s that are not in the spool, permanent refusals, and a second fsync on a
descriptor that had failed.
"""

import argparse
import re
import shutil
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from connectors.spool import Spool
from tests.mail.gate.conftest import made_processes
from tests.mail.gate.ledger import Ledger

CALL = re.compile(r"(\d+) +(fsync|close)\((\d+)(.*)")
RESUMED = re.compile(r"(\d+) +<\.\.\. fsync resumed>(.*)")


def judged(trace: Path) -> tuple[int, int]:
    """Return how many syncs failed, and how many descriptors were synced again after that."""
    failures = again = 0
    failed: set[str] = set()
    pending: dict[str, str] = {}
    for line in trace.read_text("utf-8", "replace").splitlines():
        if found := CALL.match(line):
            thread, call, descriptor, rest = found.groups()
            if call == "close":
                failed.discard(descriptor)
                continue
            again += descriptor in failed
            pending[thread] = descriptor
        elif found := RESUMED.match(line):
            thread, rest = found.groups()
        else:
            continue
        if "EIO" in rest:
            failures += 1
            failed.add(pending[thread])
    return failures, again


def run(place: int, clients: int) -> tuple[int, ...]:
    """Fail syncs; return failed, acknowledged, lost, permanent refusals and repeated syncs."""
    with tempfile.TemporaryDirectory() as folder, made_processes() as make:
        trace, home = Path(folder, "trace"), Path(folder, "home")
        receiver = make(home)
        Spool.create(home / "spool")
        receiver.start(
            *("strace", "-f", "-o", str(trace), "-e", "trace=fsync,close"),
            *("-e", f"inject=fsync:error=EIO:when={place}"),
        )
        with Ledger(receiver.port, 3 * place + 20, clients) as ledger:
            ledger.wait_full(60)
        receiver.end(signal.SIGTERM)
        lost, _ = ledger.account(home)
        return (*judged(trace), len(ledger.acknowledged), len(lost), len(ledger.permanent))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Failed syncs at every place")
    parser.add_argument("--places", type=int, default=50)
    parser.add_argument("--clients", type=int, default=4)
    args = parser.parse_args()
    if shutil.which("strace") is None:
        print("strace is not installed")
        return
    sums = [0, 0, 0, 0, 0]
    for place in range(1, args.places + 1):
        sums = [old + new for old, new in zip(sums, run(place, args.clients), strict=True)]
    failures, again, acknowledged, lost, permanent = sums
    print(
        f"fsync number 1 to {args.places} of each thread failed, {failures} in all: "
        f"{acknowledged} acknowledged, "
        f"{lost} not in the spool, {permanent} x 5xx, {again} descriptors synced again"
    )
    raise SystemExit(bool(lost or permanent or again))


if __name__ == "__main__":
    main()
