"""What a search of an organization's mail costs, and its index: 100,000 messages, the whole way.

Messages are made of words as frequent as words are (Zipf), with names, addresses, serial numbers
and file names, and put into the real store as intake leaves them; the index is built as the engine
builds it. A search is measured from the typed words to the lines of the first page, as the API
answers it, one after another. Prints the load of the machine beside the figures.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from data.ids import new_id
from data.records.core.organization import Organization
from data.records.core.parsed_mail import Address, Attachment, ParsedMail, Segments
from data.settings import load_settings
from data.store.core.database import Connection
from data.store.core.statements import insert
from data.store.mail import mail_search
from flows.api.mail.message_page import message_page
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.mail_search import index_documents, index_round, write_documents
from flows.mail.line.mail_line import mail_line_of
from flows.opening import open_house
from tasks.mail.read import Reading

SLUG = "mallow"
START = datetime(2024, 1, 2, 9, 0, tzinfo=UTC)
VOCABULARY, ROUNDS, PAGE = 60_000, 8, 50
SYLLABLES = """
    a an be bo ca con da de di en er es fi ga he in ja ka la le li lo ma me mi mo na ne no on or
    pa pe po qua ra re ri ro sa se si so ta te ti to un ve vi wa we zo
""".split()  # noqa: SIM905  # a list of syllables reads best as one


def words(dice: random.Random) -> list[str]:
    """Return made words, short ones first, as frequent words are."""
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        longest = 1 + min(4, len(made) // 200 + 1)
        made["".join(dice.choices(SYLLABLES, k=dice.randint(1, longest + 1)))] = None
    return list(made)


def mails(count: int, known: list[str]) -> Iterator[ParsedMail]:
    """Yield messages, the same ones every time."""
    dice, numbers = random.Random(11), np.random.default_rng(11)
    shares = np.cumsum(1 / np.arange(1, len(known) + 1))
    shares /= shares[-1]
    for number in range(count):
        length = int(numbers.lognormal(4.4, 0.6)) + 10
        said = [known[place] for place in np.searchsorted(shares, numbers.random(length + 5))]
        who = dice.randrange(count // 20 + 1)
        name = f"{known[300 + who % 900].title()} {known[2000 + who % 5000].title()}"
        sender = Address(name=name, email=f"{known[300 + who % 900]}@{known[who % 700]}.example")
        file = Attachment(
            filename=f"{said[0]}_{number}.pdf", content_type="application/pdf", size_bytes=9,
            sha256="0" * 64,
        )  # fmt: skip
        yield ParsedMail(
            subject=" ".join(said[:5]),
            sender=sender,
            senders=(sender,),
            to=(Address(name="Mallow", email="hello@mallow.example"),),
            text=f"{' '.join(said[5:])}\nSerial KT-{number:06d}-B",
            attachments=(file,) if number % 8 == 0 else (),
        )


def put(cursor: Connection, made: list[ParsedMail], first: int) -> None:
    """Write messages as intake leaves them."""
    records: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    for place, mail in enumerate(made):
        at = START + timedelta(minutes=first + place)
        item = new_id(at)
        assert mail.sender is not None  # made above
        records.append(
            {
                "id": item,
                "status": "draft_ready",
                "mode": "agent",
                "channel": "ingest",
                "mail_from": mail.sender.email,
                "rcpt_to": ["hello@mallow.example"],
                "received_at": at,
                "envelope": "{}",
                "content_key": item,
                "raw_sha256": item,
                "size_bytes": 1,
                "sender_email": mail.sender.email,
                "sender_name": mail.sender.name,
                "subject": mail.subject,
                "preview": mail.text[:160],
                "attachments": len(mail.attachments),
                "due_at": at,
            }
        )
        reading = Reading(mail=mail, segments=Segments(new=mail.text))
        steps.append(
            {
                "item_id": item,
                "stage": "parse",
                "attempt": 1,
                "status": "done",
                "output": reading.model_dump_json(exclude_defaults=True),
                "started_at": at,
            }
        )
    insert(cursor, "messages", records)
    insert(cursor, "steps", steps)
    mail_search.note(cursor, [record["id"] for record in records], START)


def asked(known: list[str]) -> dict[str, list[str]]:
    """Return searches by kind."""
    return {
        "a serial number": ["KT-000777-B", "kt001234b", "KT-0042"],
        "a rare word": [known[9_000], known[20_000], known[41_000]],
        "a common word": [known[60], known[120], known[300]],
        "the most common words": [known[0], known[1], known[3]],
        "two words": [f"{known[250]} {known[90]}", f"{known[3_000]} {known[12]}"],
        "three words": [f"{known[40]} {known[55]} {known[700]}"],
        "quoted words": [f'"{known[0]} {known[1]}"', f'"{known[20]} {known[4]}"'],
        "a beginning": [known[5_000][:4], known[9_000][:5]],
        "a sender": [f"from:{known[310]}@{known[10]}.example", f"from:{known[777]}"],
        "a file": ["_4096.pdf", f"file:{known[2]}"],
        "words and conditions": [
            f"{known[30]} after:2024-02 before:2024-03 has:attachment",
            f"{known[80]} -{known[2]} is:draft_ready",
        ],
        "conditions alone": ["has:attachment after:2024-02-10", "is:draft_ready"],
    }


async def build(house: House, workspace: Workspace, count: int, known: list[str]) -> None:
    """Fill store and index; print what that takes."""
    source, spent, began = mails(count, known), 0.0, time.monotonic()
    for first in range(0, count, 2_000):
        made = [mail for mail, _ in zip(source, range(min(2_000, count - first)), strict=False)]
        await workspace.db.write(put, made, first)
        then, used = time.monotonic(), time.process_time()
        while await write_documents(workspace):
            pass
        await index_round(house)
        spent += time.process_time() - used
        if first % 20_000 == 0:
            print(f"  {first + 2_000:7} messages, {time.monotonic() - then:.1f} s", flush=True)
    await index_documents(workspace)
    await mail_line_of(workspace).mail_index.merge()
    size = sum(path.stat().st_size for path in (workspace.folder / "mail.lance").rglob("*.*"))
    print(
        f"{count} messages: {time.monotonic() - began:.0f} s in all; documents and index take "
        f"{spent / count * 1000:.2f} ms of processor time a message and {size / count:.0f} octets"
    )


async def look(house: House, workspace: Workspace, typed: str) -> int:
    """Search as the API does; return how many messages match."""
    page = await message_page(house, workspace, typed, limit=PAGE)
    return page.total


async def measure(house: House, workspace: Workspace, known: list[str]) -> None:
    """Print for each kind of search, and for all, milliseconds by the clock and of processor."""
    every: list[tuple[float, float]] = []
    print("  search                 clock: p50     p95   processor: p50     p95   matches")
    for kind, typed in asked(known).items():
        took, totals = [], set()
        for _ in range(ROUNDS):
            for one in typed:
                then, used = time.perf_counter(), time.process_time()
                totals.add(await look(house, workspace, one))
                took.append((time.perf_counter() - then, time.process_time() - used))
        every += took
        print(f"  {kind:22} {shown(took)}   {min(totals)} to {max(totals)}")
    print(f"  {'all':22} {shown(every)}")


def shown(took: list[tuple[float, float]]) -> str:
    """Return p50 and p95 by the clock, and of processor time."""
    clock, processor = zip(*took, strict=True)
    figures = [np.percentile(seconds, q) * 1000 for seconds in (clock, processor) for q in (50, 95)]
    return "{:9.1f} {:7.1f}   {:14.1f} {:7.1f}".format(*figures)


async def main(count: int) -> None:
    """Build, and measure with nothing and with a thousand messages outside of the index."""
    with tempfile.TemporaryDirectory() as folder:
        house = await open_house(load_settings(home=Path(folder) / "var"))
        try:
            organization = Organization(
                slug=SLUG, name="Mallow", addresses=("hello@mallow.example",)
            )
            await house.add_organization(organization)
            workspace = await house.get_workspace(SLUG)
            known = words(random.Random(5))
            await build(house, workspace, count, known)
            for tail in (0, 1_000):
                if tail:
                    extra = list(mails(tail, known[::-1]))
                    await workspace.db.write(put, extra, count)
                    while await write_documents(workspace):
                        pass
                load, cores = os.getloadavg()[0], os.cpu_count()
                print(f"{tail} messages not in the index; load {load:.1f} on {cores} cores")
                await measure(house, workspace, known)
        finally:
            await house.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    asyncio.run(main(parser.parse_args().messages))
