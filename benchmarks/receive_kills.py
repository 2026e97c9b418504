"""What a `kill -9` costs: ledger clients send while the receiver is killed again and again.

    python benchmarks/receive_kills.py [--kills 200] [--messages 20000] [--processes 1]
                                       [--signal KILL] [--clients 8] [--folder DIR]

Every 250 is written down; at the end each must be whole in the spool. Copies (the client heard no
250, the spool had the message) are counted: intake knows them by their content and drops them.
"""

import argparse
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mail.gate.conftest import made_processes
from tests.mail.gate.ledger import Ledger


def main() -> None:
    """Run until both the kills and the messages are done, and print the account."""
    parser = argparse.ArgumentParser(description="Kills under load, and what was lost")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--signal", choices=["KILL", "TERM"], default="KILL")
    parser.add_argument("--folder", default=None)
    args = parser.parse_args()
    chance, number = random.Random(11), getattr(signal, f"SIG{args.signal}")
    with tempfile.TemporaryDirectory(dir=args.folder) as home, made_processes() as make:
        receiver = make(Path(home), receiver_processes=args.processes).start()
        began, slowest = time.monotonic(), 0.0
        with Ledger(receiver.port, args.messages, args.clients) as ledger:
            for _ in range(args.kills):
                time.sleep(chance.uniform(0.05, 0.6))
                asked = time.monotonic()
                receiver.end(number)
                slowest = max(slowest, time.monotonic() - asked)
                receiver.start()
            ledger.wait_full(3600)
        receiver.end(signal.SIGTERM)
        lost, twice = ledger.account(Path(home))
        bad = len(receiver.spool().aside.list_reasons())
    print(
        f"{args.kills} x SIG{args.signal} on {args.processes} process(es) in "
        f"{time.monotonic() - began:.0f} s: {len(ledger.acknowledged)} acknowledged, "
        f"{len(lost)} lost, {twice} twice in the spool, {bad} damaged, "
        f"{len(ledger.permanent)} x 5xx, slowest end {slowest:.2f} s"
    )
    raise SystemExit(bool(lost or bad or ledger.permanent))


if __name__ == "__main__":
    main()
