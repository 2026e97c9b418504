"""`kill -9` at any instant: what was acknowledged is in the spool; and a stop loses nothing."""

import contextlib
import hashlib
import os
import random
import shutil
import signal
import smtplib
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from connectors.routes import write_routes
from connectors.spool import Spool
from tests.gate.conftest import ROUTES, SERVE, ReceiverProcess, free_port, wait_for_port


class Ledger:
    """Clients that send for as long as they are let, and write down every 250."""

    def __init__(self, port: int, wanted: int) -> None:
        self.acknowledged: dict[str, str] = {}
        self._port, self._wanted = port, wanted
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, args=(n,)) for n in range(6)]

    def __enter__(self) -> "Ledger":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._wanted = 0
        for thread in self._threads:
            thread.join(20)

    @property
    def full(self) -> bool:
        """Whether as many were acknowledged as are wanted."""
        return len(self.acknowledged) >= self._wanted

    def _run(self, number: int) -> None:
        sent = 0
        while not self.full:
            with (
                contextlib.suppress(OSError, smtplib.SMTPException),
                smtplib.SMTP("127.0.0.1", self._port, "client.example", timeout=5) as smtp,
            ):
                for _ in range(20):
                    sent += 1
                    body = b"X-Ledger: %d-%d\r\n\r\n%s\r\n" % (number, sent, b"x" * 3000)
                    smtp.sendmail("l@out.example", ["help@harbor.example"], body)
                    with self._lock:
                        self.acknowledged[hashlib.sha256(body).hexdigest()] = f"{number}-{sent}"
                    if self.full:
                        break
            time.sleep(0.01)


def spooled_hashes(home: Path) -> set[str]:
    """Return the hashes of every readable message in the spool."""
    spool = Spool(home / "spool")
    return {spool.read(entry)[0].sha256 for entry in spool.list(100_000)}


@pytest.mark.slow
def test_killed_receiver_loses_nothing_it_acknowledged(receiver_process: ReceiverProcess) -> None:
    """Five kills under load: every acknowledged message is whole in the spool."""
    chance = random.Random(7)
    receiver_process.start()
    with Ledger(receiver_process.port, 300) as ledger:
        for _ in range(5):
            time.sleep(chance.uniform(0.05, 0.4))
            receiver_process.end(signal.SIGKILL)
            receiver_process.start()
        end = time.monotonic() + 30
        while not ledger.full and time.monotonic() < end:
            time.sleep(0.02)
        assert ledger.full
    receiver_process.end(signal.SIGKILL)
    kept = spooled_hashes(receiver_process.home)
    lost = [name for digest, name in ledger.acknowledged.items() if digest not in kept]
    assert lost == []
    assert Spool(receiver_process.home / "spool").set_aside_list() == []


@pytest.mark.slow
def test_stopped_receiver_loses_nothing_and_exits_in_time(
    receiver_process: ReceiverProcess,
) -> None:
    """SIGTERM under load ends the process with status 0, and nothing acknowledged is missing."""
    receiver_process.start()
    with Ledger(receiver_process.port, 10_000) as ledger:
        time.sleep(0.5)
        began = time.monotonic()
        assert receiver_process.end(signal.SIGTERM) == 0
        assert time.monotonic() - began < 30
    kept = spooled_hashes(receiver_process.home)
    assert ledger.acknowledged
    assert set(ledger.acknowledged) <= kept


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_250_comes_after_both_syncs_and_the_rename(tmp_path: Path) -> None:
    """The system calls in order: fsync of the file, rename, fsync of the folder, then 250."""
    home, port, trace = tmp_path / "home", free_port(), tmp_path / "trace"
    write_routes(home / "routes.json", ROUTES, 1)
    calls = "trace=fsync,rename,renameat,renameat2,sendto,write,openat"
    process = subprocess.Popen(
        [
            *("strace", "-f", "-y", "-s", "64", "-o", str(trace), "-e", calls),
            *(sys.executable, "-c", SERVE, str(home), str(port)),
        ],
        start_new_session=True,
    )
    try:
        wait_for_port(port, 30)
        with smtplib.SMTP("127.0.0.1", port, "client.example", timeout=20) as smtp:
            smtp.sendmail("l@out.example", ["help@harbor.example"], b"Subject: order\r\n\r\nx\r\n")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
    lines = trace.read_text("utf-8", "replace").splitlines()
    answer = _first(lines, "250 2.0.0 Ok: queued as")
    spool_id = lines[answer].partition("queued as ")[2][:26]
    file_sync = _first(lines, "fsync(", str(home / "spool" / "tmp" / spool_id))
    rename = _first(lines, "rename", f"/new/{spool_id}")
    folder_sync = _first(lines[rename:], "fsync(", "/spool/new>") + rename
    assert file_sync < rename < folder_sync < answer


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
        "from data.records.envelope import Channel\n"
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
    assert [entry.spool_id for entry in spool.list(9)] == [spool_id]
    assert list(spool.tmp.iterdir()) == []
