"""Mutated mail through the reading processes: none kills a reader, none hangs, memory is bounded.

    python -m benchmarks reading_mutants --messages 100000

The odd messages of `_reading_truth.py` with bytes changed, cut out, doubled and swapped, always the
same ones, go through a pool as the engine has it. Prints how many were read and how many refused,
the longest wait for one page of messages, the readers' memory, and whether any reader was lost.
"""

import argparse
import asyncio
import random
import time
from collections import Counter
from pathlib import Path

from benchmarks._reading_truth import truths
from connectors.parse_pool import ParsePool
from data.errors import UnreadableMailError
from tasks.mail.read import Reading

PAGE = 50
"""Messages that are handed over together."""
WORDS = (
    *(b"\r\n", b"\n\n", b"\0", b"=?utf-8?b?", b"?=", b"--", b";", b'"', b"(", b"<", b"=", b"\xff"),
    *(b"Content-Type: multipart/mixed; boundary=", b"Content-Transfer-Encoding: base64\r\n"),
)


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """Return a message with one to eight changes."""
    content = bytearray(raw)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(content) + 1)
        until = min(len(content), at + chance.randint(1, 40))
        match chance.randrange(4):
            case 0:
                content[at:until] = b""
            case 1:
                content[at:at] = chance.choice(WORDS)
            case 2:
                content[at:at] = content[at:until] * chance.randint(1, 30)
            case _:
                content[at:until] = chance.randbytes(until - at)
    return bytes(content)


async def run(messages: int) -> None:
    """Read them all and print the figures."""
    chance, seeds = random.Random(7), [truth.raw for truth in truths()]
    outcomes: Counter[str] = Counter()
    longest, began = 0.0, time.monotonic()
    async with ParsePool("tasks.mail.read:read", Reading.model_validate_json, processes=1) as pool:
        readers = pool.pids()
        for start in range(0, messages, PAGE):
            count = min(PAGE, messages - start)
            page = [mutated(chance.choice(seeds), chance) for _ in range(count)]
            at = time.monotonic()
            found = await pool.parse_many(page)
            longest = max(longest, time.monotonic() - at)
            outcomes.update(
                "refused" if isinstance(one, UnreadableMailError) else "read" for one in found
            )
        lost, peak = pool.pids() != readers, max(map(peak_megabytes, pool.pids()))
    seconds = time.monotonic() - began
    print(
        f"{messages} mutated messages in {seconds:.0f} s: {outcomes['read']} read, "
        f"{outcomes['refused']} refused; longest page of {PAGE} {longest:.1f} s; "
        f"reader at most {peak:.0f} MiB; readers lost: {'some' if lost else 0}"
    )


def peak_megabytes(pid: int) -> float:
    """Return the most memory that a process has had, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=20_000)
    asyncio.run(run(parser.parse_args().messages))
