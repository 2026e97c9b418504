"""A sender's retries never reach the work queue twice, whatever its relays add on top."""

import random

from connectors.spool import Spool
from data.records.core.envelope import Channel
from data.records.core.organization import Route, RouteMode
from data.store.core import control
from flows.mail.line.gather import gather_bursts
from flows.mail.line.take import take_in_waiting
from tests.core.small import ADDRESS, SLUG, Line, letter

MAILS, TIMES = 40, 3


def put(spool: Spool, number: int, time: int) -> None:
    """Put one copy of a message into the spool, as another connection would bring it."""
    sender = f"contact{number}@heron.example"
    raw = letter(f"Question {number}", sender=sender, message_id=f"<{number}@heron.example>")
    trace = (
        f"Authentication-Results: mx; spf=pass\r\n\tsmtp.helo=relay{time}\r\n"
        f"ARC-Seal: i=1; t={time}\r\nARC-Message-Signature: i=1; b=x{time}\r\n"
        f"ARC-Authentication-Results: i=1; mx; id={time}\r\nReceived-SPF: pass ({time})\r\n"
        f"Received: from relay{time}\r\n\tby mx; id {number}.{time}\r\n"
    )
    spool.put(trace.encode() + raw, channel=Channel.SMTP, mail_from=sender, rcpt_to=(ADDRESS,))


async def test_retries_are_worked_on_once(line: Line) -> None:
    """Every message comes three times, mixed up and over several batches: each is one case."""
    copies = [(number, time) for number in range(MAILS) for time in range(TIMES)]
    random.Random(3).shuffle(copies)
    for start in range(0, len(copies), 25):
        for number, time in copies[start : start + 25]:
            put(line.house.spool, number, time)
        await take_in_waiting(line.house, 7)
    await line.intake()
    await line.workspace.db.write(gather_bursts, line.clock(), 0, 5)

    found = await line.rows("SELECT status, count(*) AS n FROM messages GROUP BY status")
    counts = {row["status"]: row["n"] for row in found}
    (cases,) = await line.rows("SELECT count(*) AS n, count(DISTINCT contact_id) AS c FROM cases")
    twice = cases["n"] - cases["c"]  # type: ignore[operator]
    print(f"{len(copies)} copies of {MAILS} messages: {cases['n']} cases, {twice} twice")
    assert counts == {"processing": MAILS, "stored": MAILS * (TIMES - 1)}
    assert (cases["n"], twice) == (MAILS, 0)


async def test_mail_for_several_recipients_has_one_mode_however_they_are_named(line: Line) -> None:
    """The mode that leaves most open to people counts, in any order and every time."""
    modes = ("accept", "endpoint", "hold", "agent")
    for mode in modes[:3]:
        url = "https://hook.example/in" if mode == "endpoint" else ""
        route = Route(
            pattern=f"{mode}@teasel.example",
            organization=SLUG,
            mode=RouteMode(mode),
            url=url,
            secret="hook" if url else "",
        )
        await line.house.control.write(control.set_route, route)
    await line.house.publish_routes()
    addresses = {mode: f"{mode}@teasel.example" for mode in modes[:3]} | {"agent": ADDRESS}
    for first in range(4):
        for second in range(first, 4):
            named = (addresses[modes[second]], addresses[modes[first]])
            text = letter(f"To {named}", message_id=f"<{first}{second}@heron.example>")
            put = line.house.spool.put(
                text, channel=Channel.SMTP, mail_from="a@heron.example", rcpt_to=named
            )
            await take_in_waiting(line.house, 10)
            (row,) = await line.rows("SELECT mode FROM messages WHERE id = ?", put.spool_id)
            strongest = {"accept": 0, "endpoint": 1, "hold": 2, "agent": 3}
            assert row["mode"] == max(modes[first], modes[second], key=strongest.__getitem__)
