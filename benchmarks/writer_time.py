"""What a person's decision costs the one writing thread of an organization.

A reply is approved with an edited text of so many letters, against a draft of as many. Printed is
the processor time of the writing thread between the request and its answer: everything but the
rows (to render, sign, check, compare, put on disk) is done elsewhere. The aim is under 5 ms for
10,000 letters.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path

from data.records.mail.orders import Approve
from flows.api.mail.review.case_view import case_view
from flows.mail.leaving.preview import preview_text
from flows.mail.people import reviewing
from tests.core.small import Line, open_line
from tests.people import person

WORDS = ("open", "Monday", "workshop", "hours", "please", "write", "again", "soon", "loom", "yarn")


def text(letters: int, dice: random.Random) -> str:
    """Return a text of about so many letters, in lines."""
    words: list[str] = []
    while sum(len(word) + 1 for word in words) < letters:
        words.append(dice.choice(WORDS))
    return "\n".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12))


async def writing(line: Line) -> float:
    """Return how much processor time the writing thread has used, in seconds."""
    return await line.workspace.db.exclusively(lambda _: time.thread_time())


async def approved(line: Line, case_id: str, body: str) -> float:
    """Approve a case with this text; return what it cost the writing thread, in milliseconds."""
    case = await case_view(line.house, line.workspace, case_id)
    letter, _ = await preview_text(line.workspace, case_id, "Re: hours", body)
    _, signed = letter.preview(line.workspace, line.clock())
    given = Approve(
        version=case.version,
        approval_hash=signed,
        subject="Re: hours",
        body=body,
        confirmed=True,
    )
    before = await writing(line)
    await reviewing.approve(line.house, line.workspace, case_id, given, person("ida"))
    return (await writing(line) - before) * 1000


async def main(letters: int, count: int) -> None:
    """Print the median and the worst of `count` approvals."""
    dice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        async with open_line(Path(folder) / "var") as line:
            for number in range(count):
                line.send(
                    "When is the workshop open?",
                    sender=f"mara{number}@quill.example",
                    message_id=f"<q{number}@quill.example>",
                )
            await line.run()
            cases = [str(row["id"]) for row in await line.rows("SELECT id FROM cases")]
            costs = [await approved(line, case, text(letters, dice)) for case in cases]
    median = statistics.median(costs)
    print(f"{letters} letters, {len(costs)} approvals: {median:.1f} ms (worst {max(costs):.1f})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--letters", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=15)
    given = parser.parse_args()
    asyncio.run(main(given.letters, given.count))
