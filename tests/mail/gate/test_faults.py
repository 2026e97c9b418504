"""A machine that runs out of disk, inodes or descriptors, or whose disk fails: only 4xx."""

import contextlib
import shutil
import signal
import smtplib
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors.spool import Spool
from tests.mail.gate.conftest import ReceiverProcess, RunningReceiver, Wire

pytestmark = pytest.mark.slow
BODY = b"Subject: weight\r\n\r\n" + b"0123456789abcde\r\n" * 1000


@pytest.fixture
def small_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Mount a tiny file system of its own, with the options the test names."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = getattr(request, "param", "size=2m")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a tmpfs is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def offer(port: int, count: int, body: bytes = BODY) -> list[tuple[int, bytes]]:
    """Send messages one after the other; return what each was answered in the end."""
    answers = []
    for _ in range(count):
        with smtplib.SMTP("127.0.0.1", port, "client.example", timeout=60) as smtp:
            try:
                smtp.ehlo()
                for step in (smtp.mail("a@out.example"), smtp.rcpt("help@harbor.example")):
                    if step[0] != 250:
                        answers.append(step)
                        break
                else:
                    answers.append(smtp.data(body))
            except smtplib.SMTPResponseException as error:
                answers.append((error.smtp_code, bytes(str(error.smtp_error), "utf-8")))
    return answers


def until_taken(port: int, seconds: float) -> float:
    """Offer a message until it is taken; return how long that took."""
    began = time.monotonic()
    while offer(port, 1, b"a: b\r\n\r\nc\r\n")[0][0] != 250:
        assert time.monotonic() < began + seconds, "it does not take mail again"
        time.sleep(0.1)
    return time.monotonic() - began


@pytest.mark.parametrize(
    "small_disk", ["size=2m", "size=20m,nr_inodes=60"], indirect=True, ids=["blocks", "inodes"]
)
def test_full_disk_is_452_and_passes(
    small_disk: Path, start_receiver: Callable[..., RunningReceiver]
) -> None:
    """The disk fills up in the middle of messages: 452, every 250 is whole, and it passes."""
    receiver = start_receiver(home=small_disk / "home", message_size_limit=20_000)
    spool = receiver.spool
    answers = offer(receiver.port, 150)
    codes = [code for code, _ in answers]
    assert {*codes} == {250, 452}
    assert all(text.startswith(b"4.3.1") for code, text in answers if code == 452)
    assert len([spool.read(entry) for entry in spool.list_waiting(1000)]) == codes.count(250)
    assert list(spool.tmp.iterdir()) == []
    spool.done(entry.spool_id for entry in spool.list_waiting(1000))
    seconds = until_taken(receiver.port, 60)
    print(
        f"full disk: {codes.count(250)} x 250, {codes.count(452)} x 452, 0 x 5xx, "
        f"takes mail again after {seconds:.2f} s"
    )


def test_disk_that_fills_up_within_messages(small_disk: Path) -> None:
    """Real ENOSPC while writing, with no reserve kept: refused, nothing half is left."""
    spool = Spool.create(small_disk / "spool")
    from connectors.spool import SpoolFullError
    from data.records.core.envelope import Channel

    kept = 0
    with contextlib.suppress(SpoolFullError):
        while kept < 1000:
            spool.put(BODY * 4, channel=Channel.INGEST, mail_from="", rcpt_to=["x@y.example"])
            kept += 1
    assert len([spool.read(entry) for entry in spool.list_waiting(1000)]) == kept
    assert 5 < kept < 1000
    assert list(spool.tmp.iterdir()) == []
    assert spool.health.healthy
    print(f"ENOSPC while writing: {kept} kept whole, nothing half left")


def test_too_few_descriptors_are_421_and_pass(
    make_process: Callable[..., ReceiverProcess],
) -> None:
    """Sixty clients, descriptors for far fewer: the rest hear 421, and it passes."""
    receiver = make_process(open_files=80, smtp_connections=500).start()
    wires = [Wire(receiver.port, greet=False) for _ in range(60)]
    greetings = [wire.reply()[:3] for wire in wires]
    answers = []
    for wire, greeting in zip(wires, greetings, strict=True):
        if greeting == "220":
            wire.say("EHLO client.example")
            wire.begin()
    for wire, greeting in zip(wires, greetings, strict=True):
        if greeting == "220":
            wire.send(BODY * 10 + b".\r\n")
            answers.append(wire.reply()[:3])
        wire.close()
    seconds = until_taken(receiver.port, 60)
    print(
        f"descriptors for 80 files, 60 clients: {greetings.count('220')} served, "
        f"{greetings.count('421')} x 421, 0 x 5xx, again after {seconds:.2f} s"
    )
    assert {*greetings} == {"220", "421"}
    assert {*answers} == {"250"}
    assert receiver.spool().waiting() == len(answers) + 1


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_failing_syncs_under_load_are_never_a_250(
    make_process: Callable[..., ReceiverProcess], tmp_path: Path
) -> None:
    """Every seventh fsync of a running receiver fails: 451 then, and every 250 is in the spool."""
    inject = "inject=fsync:error=EIO:when=6+7"
    receiver = make_process()
    receiver.start("strace", "-f", "-o", "/dev/null", "-e", "trace=fsync", "-e", inject)
    acknowledged, refused = set(), 0
    end = time.monotonic() + 100
    while refused < 12 and time.monotonic() < end:
        ((code, text),) = offer(receiver.port, 1, b"a: b\r\n\r\nc\r\n")
        assert code in {250, 451}
        if code == 250:
            acknowledged.add(text.split()[-1].decode())
        else:
            refused += 1
            time.sleep(0.15)
    receiver.end(signal.SIGTERM)
    kept = {entry.spool_id for entry in receiver.spool().list_waiting(10_000)}
    print(f"EIO: {len(acknowledged)} x 250 all in the spool, {refused} x 451, 0 x 5xx")
    assert acknowledged
    assert refused
    assert acknowledged == kept
