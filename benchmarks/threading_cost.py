"""What threading costs: the stage alone, through the real store, for a small and a large mailbox.

Both mailboxes are alike: contacts who begin conversations, answer themselves and us, answer before
their parents come, and name long chains of References. Reading is put into the store beforehand,
so that only the look-ups, the placing and the writing of the stage are measured. Prints seconds
for each size, and their ratio; tenfold mail should cost no more than twenty times as much.
"""

import argparse
import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from connectors.spool import Spool
from data.records.core.organization import Organization
from data.records.core.parsed_mail import Address, ParsedMail, Segments
from data.records.core.screening import Authentication
from data.settings import load_settings
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.journal import Step
from data.store.core.statements import insert, rows
from flows.core.batch import Batch
from flows.core.house import House
from flows.mail.stages.run_stage import run_stage
from flows.mail.stages.thread import ThreadStage
from flows.opening import open_house
from tasks.mail.read import Reading

SLUG = "mallow"
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BATCH = 256


def mailbox(count: int) -> list[tuple[str, Reading]]:
    """Return (sender, reading) of `count` messages, the same every time."""
    dice = random.Random(7)
    chains: list[tuple[str, list[str]]] = []
    made: list[tuple[str, Reading]] = []
    for number in range(count):
        own = f"<{number}@mail.example>"
        if chains and dice.random() < 0.6:
            sender, chain = dice.choice(chains[-400:])
            named, subject = tuple(chain), f"Re: Matter {chain[0]}"
        else:
            sender, chain = f"contact{dice.randrange(count // 5 + 1)}@c.example", []
            chains.append((sender, chain))
            named, subject = (), f"Matter {own}"
        chain.append(own)
        mail = ParsedMail(
            subject=subject,
            sender=Address(email=sender),
            senders=(Address(email=sender),),
            to=(Address(email="hello@mallow.example"),),
            message_id=own,
            in_reply_to=named[-1] if named else None,
            references=named,
            text=f"Message {number}.",
        )
        made.append((sender, Reading(mail=mail, segments=Segments(new=mail.text))))
    for first in range(0, count - 9, 10):  # every tenth pair comes the wrong way round
        made[first], made[first + 1] = made[first + 1], made[first]
    return made


def prepare(cursor: Connection, mails: list[tuple[str, Reading]]) -> list[str]:
    """Write messages as they are after authentication; return their ids in order."""
    records: list[dict[str, Any]] = []
    steps: list[Step] = []
    for number, (sender, reading) in enumerate(mails):
        item, at = f"m{number:07}", START + timedelta(seconds=number)
        records.append(
            {
                "id": item,
                "status": "screening",
                "mode": "agent",
                "channel": "ingest",
                "mail_from": sender,
                "rcpt_to": ["hello@mallow.example"],
                "received_at": at,
                "envelope": "{}",
                "content_key": item,
                "raw_sha256": item,
                "size_bytes": 1,
                "message_id": reading.mail.message_id,
                "sender_email": sender,
                "subject": reading.mail.subject,
                "verdict": "clean",
                "due_at": at,
            }
        )
        for stage, output in (("parse", reading), ("authenticate", Authentication())):
            steps.append(
                Step(
                    item_id=item,
                    stage=stage,
                    attempt=1,
                    status="done",
                    started_at=at,
                    milliseconds=0,
                    output=output.model_dump_json(),
                )
            )
    insert(cursor, "messages", records)
    journal.record_steps(cursor, steps)
    return [str(record["id"]) for record in records]


async def thread_all(house: House, count: int) -> float:
    """Thread a mailbox of `count` messages in batches; return the seconds it took."""
    workspace = await house.get_workspace(SLUG)
    ids = await workspace.db.write(prepare, mailbox(count))
    stage, spent = ThreadStage(), 0.0
    for start in range(0, count, BATCH):
        batch = Batch(house=house, workspace=workspace, ids=ids[start : start + BATCH])
        for name, model in (("parse", Reading), ("authenticate", Authentication)):
            await batch.read_results(name, model)
        clock = time.perf_counter()
        outcome = await run_stage(stage, batch)
        spent += time.perf_counter() - clock
        if outcome["done"] != len(ids[start : start + BATCH]):
            raise SystemExit(f"not everything was threaded: {outcome}")
    (found,) = await workspace.db.read(
        rows,
        "SELECT count(*) AS n, count(DISTINCT thread_id) AS threads FROM messages "
        "WHERE thread_id IS NOT NULL",
    )
    print(
        f"{count:>7} messages, {found['threads']} conversations: {spent:7.2f} s, "
        f"{1000 * spent / count:.2f} ms each"
    )
    return spent


async def measure(count: int) -> float:
    """Thread a mailbox of that size in a home of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "var"
        Spool.create(home / "spool")
        house = await open_house(load_settings(home=home, parse_processes=1))
        try:
            await house.add_organization(
                Organization(slug=SLUG, name="Mallow", addresses=("hello@mallow.example",))
            )
            return await thread_all(house, count)
        finally:
            await house.close()


async def run(small: int, large: int) -> None:
    """Measure both sizes and print the ratio."""
    await measure(min(small, BATCH))  # so that nothing is loaded for the first time below
    first = await measure(small)
    second = await measure(large)
    print(f"{large / small:.0f} times the mail costs {second / first:.1f} times as much")


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", type=int, default=1000)
    options.add_argument("--large", type=int, default=10000)
    given = options.parse_args()
    asyncio.run(run(given.small, given.large))


if __name__ == "__main__":
    main()
