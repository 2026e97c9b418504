"""What the receiver answers to more clients than it has room for.

    python benchmarks/receive_overload.py [--clients 400] [--room 200] [--rounds 10]

Each client connects and delivers one message. All of a round come at the same moment; every one
must hear 250 or 421, none a 5xx, and none may be cut without a word.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mail.gate.conftest import made_processes
from tests.mail.gate.crowd import one_of_many


async def load(port: int, clients: int, rounds: int) -> Counter[str]:
    """Return how often each answer was heard."""
    heard: Counter[str] = Counter()
    for _ in range(rounds):
        heard.update(await asyncio.gather(*(one_of_many(port) for _ in range(clients))))
    return heard


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="More clients than there is room for")
    parser.add_argument("--clients", type=int, default=400)
    parser.add_argument("--room", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=10)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, made_processes() as make:
        receiver = make(
            Path(home), smtp_connections=args.room, smtp_connections_per_address=args.room
        ).start()
        began = time.monotonic()
        heard = asyncio.run(load(receiver.port, args.clients, args.rounds))
        seconds = time.monotonic() - began
        receiver.end()
        kept = receiver.spool().waiting()
    bad = sum(count for answer, count in heard.items() if answer not in {"250", "421"})
    print(
        f"{args.rounds} x {args.clients} clients at once, room for {args.room}, {seconds:.1f} s: "
        f"{dict(heard)}, {kept} in the spool, {bad} without a proper answer"
    )
    raise SystemExit(bool(bad or kept < heard["250"]))


if __name__ == "__main__":
    main()
