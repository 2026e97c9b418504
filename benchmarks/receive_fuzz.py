"""Sessions of nonsense: every answer is SMTP, every session ends, and nothing is leaked.

    python benchmarks/receive_fuzz.py [--sessions 20000] [--minutes 0] [--clients 16] [--seed 1]

Sessions are made of valid commands, halves of commands, wrong bytes and messages, in random order
and cut into random pieces. Counted are answers that are not SMTP, words of Python in an answer,
answers for bugs of ours, and sessions that do not end; the memory and the descriptors of the
receiver are compared from after the first tenth to the end. `--minutes` goes on for so long.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mail.gate.conftest import ReceiverProcess, made_processes
from tests.mail.gate.crowd import MIB, STEPS, nonsense, reply, resident

SECONDS = 20


async def session(port: int, chance: random.Random, seen: Counter[str]) -> None:
    """Say nonsense, and judge what is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    heard = b""
    try:
        async with asyncio.timeout(SECONDS):
            if chance.random() < 0.5:  # goes on to a message, as a client would
                heard += await reply(reader)
                for step in STEPS[: chance.randrange(1, 5)]:
                    writer.write(step)
                    heard += await reply(reader)
            text = nonsense(chance)
            while text:
                size = chance.choice((1, 7, 60, 5000))
                writer.write(text[:size])
                text = text[size:]
                if not chance.randrange(50):
                    await asyncio.sleep(0)
            writer.write_eof()
            while piece := await reader.read(65_536):
                heard += piece
    except TimeoutError:
        seen["did not end"] += 1
    except OSError:
        seen["cut"] += 1
    finally:
        writer.transport.abort()
    for line in heard.split(b"\r\n")[:-1]:
        if not (line[:3].isdigit() and line[:1] in b"2345" and line[3:4] in b" -"):
            seen["not SMTP"] += 1
        if any(word in line for word in (b"Traceback", b"Error:", b"rror(", b".py")):
            seen["leaks"] += 1
        if line.startswith((b"451 4.3.0", b"421 4.3.0")):
            seen["bugs"] += 1
    seen["answers"] += heard.count(b"\r\n")
    seen["accepted"] += heard.count(b"queued as")
    seen["sessions"] += 1


async def load(receiver: ReceiverProcess, args: argparse.Namespace) -> Counter[str]:
    """Run sessions side by side until enough are done."""
    seen: Counter[str] = Counter()
    ends = time.monotonic() + 60 * args.minutes
    first: list[int] = []

    def enough() -> bool:
        return seen["sessions"] >= args.sessions and time.monotonic() >= ends

    async def client(number: int) -> None:
        chance = random.Random(args.seed * 1000 + number)
        while not enough():
            await session(receiver.port, chance, seen)
            if seen["sessions"] >= args.sessions // 10 and not first:
                first[:] = [resident(receiver.pid), descriptors(receiver.pid)]
            if seen["sessions"] % 1000 == 0:
                spool = receiver.spool()
                spool.done(entry.spool_id for entry in spool.list_waiting(100_000))

    await asyncio.gather(*(client(number) for number in range(args.clients)))
    await asyncio.sleep(0.5)
    seen["MiB more"] = round((resident(receiver.pid) - first[0]) / MIB)
    seen["descriptors more"] = max(0, descriptors(receiver.pid) - first[1])
    return seen


def descriptors(pid: int) -> int:
    """Return how many descriptors a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Sessions of nonsense")
    parser.add_argument("--sessions", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, made_processes() as make:
        given = {"smtp_connections": 1000, "smtp_connections_per_address": 1000}
        receiver = make(Path(home), **given).start()
        began = time.monotonic()
        seen = asyncio.run(load(receiver, args))
        alive = receiver.process is not None and receiver.process.poll() is None
        receiver.end()
        damaged = len(receiver.spool().aside.list_reasons())
    wrong = {name: seen[name] for name in ("not SMTP", "leaks", "bugs", "did not end")}
    print(
        f"{seen['sessions']} sessions in {time.monotonic() - began:.0f} s (seed {args.seed}): "
        f"{seen['answers']} answers, {seen['accepted']} messages accepted, {wrong}, "
        f"{seen['MiB more']} MiB and {seen['descriptors more']} descriptors more, "
        f"receiver {'lives' if alive else 'is dead'}"
    )
    raise SystemExit(bool(sum(wrong.values()) or damaged or not alive or seen["MiB more"] > 64))


if __name__ == "__main__":
    main()
