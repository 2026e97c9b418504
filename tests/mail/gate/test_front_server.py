"""A real Postfix in front of the receiver hands over by LMTP."""

import smtplib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import _receive_postfix as front
from tests.mail.gate.conftest import RunningReceiver, wait_for_port
from tests.ports import free_port


@pytest.mark.slow
@pytest.mark.skipif(bool(front.missing()), reason=front.missing() or "it is there")
def test_postfix_hands_over_by_lmtp(start_receiver: Callable[..., RunningReceiver]) -> None:
    """What Postfix took for us is in our spool, once, and its queue is empty."""
    lmtp, port = free_port(), free_port()
    receiver = start_receiver(lmtp_listen=f"127.0.0.1:{lmtp}")
    settings = f"relay_domains = harbor.example\nrelay_transport = lmtp:inet:127.0.0.1:{lmtp}"
    with front.postfix(None, port, settings) as queue:
        wait_for_port(port)
        with smtplib.SMTP("127.0.0.1", port, "client.example", timeout=60) as smtp:
            for number in range(5):
                body = b"Subject: %d\r\n\r\nthrough the front\r\n.\r\n" % number
                smtp.sendmail("ann@out.example", ["help@harbor.example"], body)
        end = time.monotonic() + 120
        while receiver.spool.waiting() < 5 and time.monotonic() < end:
            time.sleep(0.05)
        spool = receiver.spool
        letters = [spool.read(entry) for entry in spool.list_waiting(50)]
        while any(_queued(queue)) and time.monotonic() < end:
            time.sleep(0.05)
        assert not any(_queued(queue))
    assert sorted(raw.partition(b"Subject: ")[2][:1] for _, raw in letters) == [
        b"0",
        b"1",
        b"2",
        b"3",
        b"4",
    ]
    assert {envelope.rcpt_to for envelope, _ in letters} == {("help@harbor.example",)}
    assert all(raw.endswith(b"through the front\r\n.\r\n") for _, raw in letters)
    print(f"Postfix handed over {len(letters)} of 5 messages by LMTP")


def _queued(queue: Path) -> list[Path]:
    """Return the messages that Postfix still has."""
    folders = ("incoming", "active", "deferred", "maildrop")
    return [path for name in folders for path in (queue / name).rglob("*") if path.is_file()]
