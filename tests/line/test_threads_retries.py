"""A sender's retries never reach the work queue twice, whatever its relays add on top."""

import random

from connectors.spool import Spool
from data.records.envelope import Channel
from flows.gather import gather
from flows.take import take
from tests.line.small import ADDRESS, Line, letter

MAILS, TIMES = 40, 3


def put(spool: Spool, number: int, time: int) -> None:
    """Put one copy of a message into the spool, as another connection would bring it."""
    sender = f"contact{number}@heron.example"
    raw = letter(f"Question {number}", sender=sender, message_id=f"<{number}@heron.example>")
    trace = f"Received: from relay{time}\r\n\tby mx; id {number}.{time}\r\n".encode()
    spool.put(trace + raw, channel=Channel.SMTP, mail_from=sender, rcpt_to=(ADDRESS,))


async def test_retries_are_worked_on_once(line: Line) -> None:
    """Every message comes three times, mixed up and over several batches: each is one case."""
    copies = [(number, time) for number in range(MAILS) for time in range(TIMES)]
    random.Random(3).shuffle(copies)
    for start in range(0, len(copies), 25):
        for number, time in copies[start : start + 25]:
            put(line.house.spool, number, time)
        await take(line.house, 7)
    await line.intake()
    await line.workspace.db.write(gather, line.clock(), 0, 5)

    found = await line.rows("SELECT status, count(*) AS n FROM messages GROUP BY status")
    counts = {row["status"]: row["n"] for row in found}
    (cases,) = await line.rows("SELECT count(*) AS n, count(DISTINCT contact_id) AS c FROM cases")
    twice = cases["n"] - cases["c"]  # type: ignore[operator]
    print(f"{len(copies)} copies of {MAILS} messages: {cases['n']} cases, {twice} twice")
    assert counts == {"processing": MAILS, "stored": MAILS * (TIMES - 1)}
    assert (cases["n"], twice) == (MAILS, 0)
