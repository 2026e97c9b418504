"""Clients that mean harm: memory stays bounded, nothing crashes, nobody else waits."""

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.receiver import Limits
from connectors.receiver.receiver_state import block_of
from tests.mail.gate.conftest import ReceiverProcess, RunningReceiver, Wire
from tests.mail.gate.crowd import MAIL_TO_DATA, MIB, WORDS, flood, resident

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
            client.join(100)
    grown = (resident(pid) - before) / MIB
    print(f"{len(FLOODS)} kinds of floods, 4 clients each: {grown:.0f} MiB more resident memory")
    assert grown < 64


def test_slow_clients_do_not_hold_up_others(
    start_receiver: Callable[..., RunningReceiver], dial: Callable[..., Wire]
) -> None:
    """While forty clients drip, a normal one is served; the slow ones are cut."""
    limits = Limits(command_seconds=4, stress_seconds=4)
    receiver = start_receiver(limits)
    slow = [dial(receiver.port, greet=False) for _ in range(40)]
    for wire in slow:
        wire.send(b"EH")
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"Subject: quick\r\n\r\nx\r\n.\r\n")
    assert wire.reply().startswith("250")
    for each in slow:
        assert each.reply().startswith("220")
        assert each.reply().startswith("421 4.4.2")


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_nonsense_is_answered_in_smtp(
    receiver: RunningReceiver, caplog: pytest.LogCaptureFixture, words: list[bytes]
) -> None:
    """Whatever is sent, every reply is SMTP and the connection ends; no bug is logged."""
    with socket.create_connection(("127.0.0.1", receiver.port), 60) as client:
        client.settimeout(60)
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
