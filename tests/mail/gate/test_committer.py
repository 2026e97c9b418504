"""The committer tells each client once what became of its message, also where it ends meanwhile."""

import asyncio
from pathlib import Path

import pytest

from connectors.receiver.committer import GROUP, THREADS, Committer
from connectors.spool import Spool
from connectors.spool.writer import SpoolWriter
from data.errors import SpoolError
from data.records.core.envelope import Channel, Envelope


def _write_message(spool: Spool, number: int) -> SpoolWriter:
    writer = spool.open_writer(
        channel=Channel.SMTP, mail_from="o@o.example", rcpt_to=["i@i.example"]
    )
    writer.write(f"Subject: gadget {number}\r\n\r\n".encode())
    return writer


async def test_who_waits_when_it_ends_is_told_so(tmp_path: Path) -> None:
    """What was stored is told as stored, what still waits for its turn is refused; none hangs."""
    spool = Spool.create(tmp_path / "spool")
    committer = Committer(spool, asyncio.get_running_loop())
    count = GROUP * (THREADS + 1)
    futures = [committer.commit(_write_message(spool, number)) for number in range(count)]
    await asyncio.sleep(0)  # the first groups have begun
    await asyncio.to_thread(committer.close)
    outcomes = await asyncio.wait_for(asyncio.gather(*futures, return_exceptions=True), 60)
    stored = [outcome for outcome in outcomes if isinstance(outcome, Envelope)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, SpoolError)]
    assert len(stored) + len(refused) == count
    assert len(stored) == spool.waiting() >= GROUP
    assert refused
    assert all("to come again" in str(error) for error in refused)


async def test_a_message_that_comes_when_it_has_ended_is_refused(tmp_path: Path) -> None:
    """It is not kept waiting."""
    spool = Spool.create(tmp_path / "spool")
    committer = Committer(spool, asyncio.get_running_loop())
    committer.close()
    with pytest.raises(SpoolError, match="to come again"):
        await asyncio.wait_for(committer.commit(_write_message(spool, 0)), 10)
    assert spool.waiting() == 0
