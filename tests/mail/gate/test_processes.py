"""Several receiver processes on one port."""

import contextlib
import os
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.receiver.listening import listen
from connectors.routes import write_routes
from data.errors import PortTakenError
from data.settings import load_settings
from tests.mail.gate.conftest import ROUTES, ReceiverProcess, until
from tests.ports import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
]
Make = Callable[..., ReceiverProcess]


def send(port: int) -> None:
    """Send one message in a connection of its own."""
    with smtplib.SMTP("127.0.0.1", port, "client.example", timeout=60) as smtp:
        smtp.sendmail("ann@out.example", ["help@harbor.example"], b"a: b\r\n\r\nc\r\n")


def gone(pid: int) -> bool:
    """Return whether a process has ended."""
    with contextlib.suppress(FileNotFoundError):
        return ") Z" in Path(f"/proc/{pid}/stat").read_text()
    return True


def test_dead_process_is_replaced_and_mail_goes_on(make_process: Make) -> None:
    """One of two is killed: no connection is refused, and its successor takes mail again."""
    receiver = make_process(receiver_processes=2).start()
    until(lambda: len(receiver.children()) == 2)
    for _ in range(20):
        send(receiver.port)
    victim = receiver.children()[0]
    os.kill(victim, signal.SIGKILL)
    for _ in range(20):
        send(receiver.port)
    seconds = until(lambda: len(receiver.children()) == 2 and victim not in receiver.children())
    for _ in range(20):
        send(receiver.port)
    print(f"a killed process: 60 of 60 messages taken, successor after {seconds:.2f} s")
    assert receiver.spool().waiting() == 60


def test_processes_count_rates_together(make_process: Make) -> None:
    """A sender has one allowance, however its connections fall to the processes."""
    limits = {"rate_sender": 0.01, "rate_sender_burst": 10, "rate_trusted_senders": True}
    receiver = make_process(receiver_processes=3, **limits).start()
    until(lambda: len(receiver.children()) == 3)
    taken = 0
    for _ in range(40):
        with contextlib.suppress(smtplib.SMTPSenderRefused):
            send(receiver.port)
            taken += 1
    print(f"3 processes, 40 connections, 10 at once allowed: {taken} messages taken")
    assert 10 <= taken <= 12
    assert receiver.spool().waiting() == taken


def test_each_process_has_its_own_log(tmp_path: Path) -> None:
    """The parent and its children write to files of their own, which rotate apart."""
    home = tmp_path / "var"
    write_routes(home / "routes.json", ROUTES, 1)
    given = {"HOME": str(home), "SMTP_PORT": str(free_port()), "RECEIVER_PROCESSES": "2"}
    child = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "receive"],
        env=os.environ | {f"POSTERN_{name}": value for name, value in given.items()},
        stderr=subprocess.DEVNULL,
    )
    logs = [home / "logs" / f"receiver-{number}.jsonl" for number in (1, 2)]
    try:
        until(lambda: all(log.exists() and "receiver_ready" in log.read_text() for log in logs))
    finally:
        child.terminate()
        child.wait(100)
    assert '"process": "receiver-2"' in logs[1].read_text()


def test_a_bug_that_ends_a_process_is_told(tmp_path: Path) -> None:
    """The log says what it was, and not only that the process has ended."""
    code = (
        "import logging, signal\n"
        "from connectors.receiver import run_receiver\n"
        "from data.settings import load_settings\n"
        "logging.basicConfig()\n"
        "signal.alarm(150)\n"
        "def fail(number): raise RuntimeError('a spool of the wrong colour')\n"
        f"run_receiver(load_settings(home={str(tmp_path)!r}, smtp_port={free_port()}, "
        "receiver_processes=2), fail)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        lines = []
        for line in child.stderr:
            lines.append(line)
            if "receiver_died" in line:
                break
        child.terminate()
        assert child.stderr.read() is not None
    assert "a spool of the wrong colour" in "".join(lines)


def test_children_end_with_their_parent(make_process: Make) -> None:
    """When the parent is killed outright its children stop by themselves."""
    receiver = make_process(receiver_processes=2).start()
    until(lambda: len(receiver.children()) == 2)
    children = receiver.children()
    os.kill(receiver.pid, signal.SIGKILL)
    assert receiver.process is not None
    receiver.process.wait(100)
    until(lambda: all(gone(pid) for pid in children))


def test_port_of_somebody_else_is_not_shared(tmp_path: Path) -> None:
    """Several processes share a port with each other, and refuse one that is in use."""
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as other:
        port = other.getsockname()[1]
        settings = load_settings(home=tmp_path, smtp_port=port)
        with pytest.raises(PortTakenError, match="smtp_port"):
            listen(settings, 2)
