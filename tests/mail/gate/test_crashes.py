"""`kill -9` at any instant: what was acknowledged is in the spool; and a stop loses nothing."""

import os
import random
import shutil
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.routes import write_routes
from connectors.spool import Spool
from tests.mail.gate.conftest import ROUTES, SERVE, ReceiverProcess, until, wait_for_port
from tests.mail.gate.ledger import Ledger
from tests.ports import free_port


@pytest.mark.slow
def test_killed_receiver_loses_nothing_it_acknowledged(receiver_process: ReceiverProcess) -> None:
    """Eight kills under load: every acknowledged message is whole in the spool."""
    kills, chance = 8, random.Random(7)
    receiver_process.start()
    with Ledger(receiver_process.port, 500) as ledger:
        for _ in range(kills):
            time.sleep(chance.uniform(0.05, 0.4))
            receiver_process.end(signal.SIGKILL)
            receiver_process.start()
        assert ledger.wait_full(120)
    receiver_process.end(signal.SIGKILL)
    lost, twice = ledger.account(receiver_process.home)
    print(
        f"{kills} kills: {len(ledger.acknowledged)} acknowledged, {len(lost)} lost, {twice} twice"
    )
    assert lost == []
    assert ledger.permanent == []
    assert receiver_process.spool().aside.list_reasons() == []


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_stopped_receiver_loses_nothing_and_exits(
    make_process: Callable[..., ReceiverProcess], processes: int
) -> None:
    """SIGTERM under load, five times: status 0, no 5xx, and nothing acknowledged is missing."""
    receiver = make_process(receiver_processes=processes).start()
    with Ledger(receiver.port, 1_000_000) as ledger:
        for _ in range(5):
            enough = len(ledger.acknowledged) + 11
            until(lambda enough=enough: len(ledger.acknowledged) >= enough)
            os.kill(receiver.pid, signal.SIGTERM)
            assert receiver.process is not None
            assert receiver.process.wait(60) == 0
            receiver.start()
    receiver.end(signal.SIGTERM)
    lost, twice = ledger.account(receiver.home)
    print(
        f"5 stops of {processes} processes: {len(ledger.acknowledged)} acknowledged, "
        f"{len(lost)} lost, {twice} twice"
    )
    assert len(ledger.acknowledged) > 50
    assert (lost, ledger.permanent) == ([], [])


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_250_comes_after_both_syncs_and_the_rename(tmp_path: Path) -> None:
    """The system calls in order: fsync of the file, rename, fsync of the folder, then 250."""
    home, port, trace = tmp_path / "home", free_port(), tmp_path / "trace"
    write_routes(home / "routes.json", ROUTES, 1)
    calls = "trace=fsync,rename,renameat,renameat2,sendto,write,openat"
    count = 12
    process = subprocess.Popen(
        [
            *("strace", "-f", "-y", "-s", "64", "-o", str(trace), "-e", calls),
            *(sys.executable, "-c", SERVE, str(home), str(port)),
        ],
        start_new_session=True,
    )
    try:
        wait_for_port(port)
        with smtplib.SMTP("127.0.0.1", port, "client.example", timeout=60) as smtp:
            for number in range(count):
                raw = f"Subject: order {number}\r\n\r\nx\r\n".encode()
                smtp.sendmail("l@out.example", ["help@harbor.example"], raw)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(100)
    lines = trace.read_text("utf-8", "replace").splitlines()
    answers = [n for n, line in enumerate(lines) if "250 2.0.0 Ok: queued as" in line]
    for answer in answers:
        spool_id = lines[answer].partition("queued as ")[2][:26]
        file_sync = _ended(lines, "fsync(", str(home / "spool" / "tmp" / spool_id))
        rename = _first(lines, "rename", f"/new/{spool_id}")
        folder_sync = _ended(lines[rename:], "fsync(", "/spool/new>") + rename
        assert file_sync < rename < folder_sync < answer
    assert len(answers) == count
    print(f"\n{count} of {count} x 250 after fsync, rename and fsync of the folder")


def _ended(lines: list[str], *parts: str) -> int:
    """Return the number of the line where that system call came back, without an error."""
    begun = _first(lines, *parts)
    if "<unfinished" not in lines[begun]:
        assert lines[begun].endswith("= 0")
        return begun
    thread = lines[begun].split()[0]
    for number, line in enumerate(lines[begun + 1 :], start=begun + 1):
        if line.split()[0] == thread and "fsync resumed" in line:
            assert line.endswith("= 0")
            return number
    raise AssertionError(f"{parts} never came back")


def _first(lines: list[str], *parts: str) -> int:
    """Return the number of the first line that holds all parts."""
    return next(n for n, line in enumerate(lines) if all(part in line for part in parts))


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("nth", [1, 2])
def test_failed_fsync_is_never_a_250(tmp_path: Path, nth: int) -> None:
    """When the disk fails to sync the file or the folder the client gets 4xx and nothing stays."""
    spool = Spool.create(tmp_path / "spool")
    code = (
        "import sys; from pathlib import Path\n"
        "from connectors.spool import Spool, SpoolUnhealthyError\n"
        "from data.records.core.envelope import Channel\n"
        "spool = Spool(Path(sys.argv[1]))\n"
        "def put():\n"
        "    rcpt = ['x@y.example']\n"
        "    return spool.put(b'a: b', channel=Channel.SMTP, mail_from='', rcpt_to=rcpt)\n"
        "for _ in range(2):\n"
        "    try:\n"
        "        put()\n"
        "    except SpoolUnhealthyError:\n"
        "        print('refused', flush=True)\n"
        "spool.check()\n"
        "print(put().spool_id, flush=True)\n"
    )
    inject = f"inject=fsync:error=EIO:when={nth}"
    command = ["strace", "-f", "-o", "/dev/null", "-e", "trace=fsync", "-e", inject]
    done = subprocess.run(
        [*command, sys.executable, "-c", code, str(tmp_path / "spool")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    first, second, spool_id = done.stdout.split()
    assert (first, second) == ("refused", "refused")
    assert [entry.spool_id for entry in spool.list_waiting(9)] == [spool_id]
    assert list(spool.tmp.iterdir()) == []
