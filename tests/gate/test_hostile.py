"""Clients that mean harm: memory stays bounded, nothing crashes, nobody else waits."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.receiver import Limits
from connectors.receiver.door import block_of
from tests.gate.conftest import ReceiverProcess, RunningReceiver, Wire

MIB = 1 << 20


def resident(pid: int) -> int:
    """Return the resident memory of a process, bytes."""
    fields = Path(f"/proc/{pid}/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) * 1024


def flood(port: int, opening: bytes, block: bytes, total: int) -> None:
    """Send an opening, then a block again and again, until `total` bytes or the end."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as client:
        client.settimeout(5)
        client.recv(1000)
        client.sendall(b"EHLO flood.example\r\n")
        client.recv(1000)
        for line in opening.splitlines(keepends=True):
            client.sendall(line)
            client.recv(1000)
        sent = 0
        while sent < total:
            client.sendall(block)
            sent += len(block)


MAIL_TO_DATA = b"MAIL FROM:<>\r\nRCPT TO:<help@harbor.example>\r\nDATA\r\n"
FLOODS = {
    "endless line in data": (MAIL_TO_DATA, b"x" * 65_536, 60 * MIB),
    "endless bare line feeds": (MAIL_TO_DATA, b"\n" * 65_536, 60 * MIB),
    "endless command": (b"", b"N" * 65_536, 20 * MIB),
    "recipients without end": (b"MAIL FROM:<>\r\n", b"RCPT TO:<a@lamps.example>\r\n" * 1000, MIB),
    "noop without end": (b"", b"NOOP\r\n" * 5000, 5 * MIB),
}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_floods_do_not_grow_memory(receiver_process: ReceiverProcess) -> None:
    """Each flood, from four clients at once, costs the receiver at most 64 MiB in all."""
    receiver_process.start()
    assert receiver_process.process is not None
    pid = receiver_process.process.pid
    before = resident(pid)
    for opening, block, total in FLOODS.values():
        clients = [
            threading.Thread(target=flood, args=(receiver_process.port, opening, block, total))
            for _ in range(4)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join(30)
    grown = (resident(pid) - before) / MIB
    print(f"{len(FLOODS)} kinds of floods, 4 clients each: {grown:.0f} MiB more resident memory")
    assert grown < 64


def test_slow_clients_do_not_hold_up_others(
    start_receiver: Callable[..., RunningReceiver], dial: Callable[..., Wire]
) -> None:
    """While forty clients drip, a normal one is served within a second; the slow ones are cut."""
    limits = Limits(command_seconds=1, stress_seconds=1)
    receiver = start_receiver(limits)
    slow = [dial(receiver.port, greet=False) for _ in range(40)]
    for wire in slow:
        wire.send(b"EH")
    began = time.monotonic()
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"Subject: quick\r\n\r\nx\r\n.\r\n")
    assert wire.reply().startswith("250")
    assert time.monotonic() - began < 1
    for each in slow:
        assert each.reply().startswith("220")
        assert each.reply().startswith("421 4.4.2")
    assert time.monotonic() - began < 3


WORDS = st.sampled_from(
    [
        *(b"EHLO a", b"HELO a", b"MAIL FROM:", b"RCPT TO:", b"<help@harbor.example>", b"<>"),
        *(b"DATA", b"RSET", b"NOOP", b"VRFY a", b"HELP", b"STARTTLS", b"AUTH PLAIN AAAA"),
        *(b"SIZE=9", b" ", b"BODY=8BITMIME", b"SMTPUTF8", b"\r\n", b"\r\n", b"\r\n", b"\n"),
        *(b"\r", b".", b"\0", b"\xff", b"<", b">", b'"', b"\\", b"@", b":", b"=", b"\xc3\xa4"),
        *(b"x" * 3000, b"[1.2.3.4]", b"\x80"),
    ]
)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(WORDS, max_size=40))
def test_any_nonsense_is_answered_in_smtp(
    receiver: RunningReceiver, caplog: pytest.LogCaptureFixture, words: list[bytes]
) -> None:
    """Whatever is sent, every reply is SMTP and the connection ends; no bug is logged."""
    with socket.create_connection(("127.0.0.1", receiver.port), 10) as client:
        client.settimeout(10)
        heard = client.recv(1000)
        client.sendall(b"EHLO fuzz.example\r\n" + b"".join(words))
        client.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionResetError):
            while data := client.recv(65_536):
                heard += data
    assert b"ENHANCEDSTATUSCODES" in heard
    for line in heard.split(b"\r\n")[:-1]:
        assert line[:1] in {b"2", b"3", b"4", b"5"}
        assert line[:3].isdigit()
        assert b"451 4.3.0 Local" not in line
    assert "bug_in_session" not in caplog.text


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
    ],
)
def test_connections_are_counted_by_block(address: str, block: str) -> None:
    """An IPv6 client cannot escape the cap by another address of its own network."""
    assert block_of(address) == block
