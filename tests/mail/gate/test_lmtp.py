"""LMTP: how a mail server in front hands over."""

import contextlib
import smtplib
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.receiver.listening import listen
from data.errors import PortTakenError, SettingsError
from data.settings import load_settings
from tests.mail.gate.conftest import ReceiverProcess, RunningReceiver, Wire
from tests.ports import free_port

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]
MAIL = b"Subject: handed over\r\n\r\nhello\r\n"


def lhlo(wire: Wire) -> Wire:
    """Greet as an LMTP client does."""
    assert wire.reply().startswith("220")
    assert "PIPELINING" in wire.say("LHLO front.example")
    return wire


def test_each_recipient_is_answered_after_data(start_receiver: Start, dial: Dial) -> None:
    """Of three recipients two are accepted: two answers after the dot, and one message."""
    port = free_port()
    receiver = start_receiver(lmtp_listen=f"127.0.0.1:{port}")
    wire = lhlo(dial(port, greet=False))
    wire.say("MAIL FROM:<ann@out.example>")
    answers = [
        wire.say(f"RCPT TO:<{address}>")[:3]
        for address in ("help@harbor.example", "gone@harbor.example", "x@lamps.example")
    ]
    assert answers == ["250", "550", "250"]
    assert wire.say("DATA").startswith("354")
    wire.send(MAIL + b".\r\n")
    assert [wire.reply()[:3] for _ in range(2)] == ["250", "250"]
    assert wire.say("NOOP").startswith("250")
    spool = receiver.spool
    (entry,) = spool.list_waiting(5)
    envelope, raw = spool.read(entry)
    assert raw == MAIL
    assert envelope.rcpt_to == ("help@harbor.example", "x@lamps.example")


def test_recipient_given_twice_is_answered_twice(start_receiver: Start, dial: Dial) -> None:
    """Every RCPT that got 250 has its own answer, also when it was the same address."""
    port = free_port()
    start_receiver(lmtp_listen=f"127.0.0.1:{port}")
    wire = lhlo(dial(port, greet=False))
    wire.say("MAIL FROM:<>")
    for _ in range(2):
        wire.say("RCPT TO:<help@harbor.example>")
    wire.say("DATA")
    wire.send(MAIL + b".\r\nQUIT\r\n")
    assert [wire.reply()[:3] for _ in range(3)] == ["250", "250", "221"]


def test_ehlo_and_helo_are_not_lmtp(start_receiver: Start, dial: Dial) -> None:
    """On the LMTP port only LHLO greets, and LHLO greets nowhere else (RFC 2033 section 4.1)."""
    port = free_port()
    receiver = start_receiver(lmtp_listen=f"127.0.0.1:{port}")
    wire = dial(port, greet=False)
    wire.reply()
    assert wire.say("EHLO front.example").startswith("500")
    assert wire.say("HELO front.example").startswith("500")
    assert dial(receiver.port).say("LHLO front.example").startswith("500")


def test_unix_socket(start_receiver: Start, tmp_path: Path) -> None:
    """Over a Unix socket the standard library's client delivers; strangers cannot open it."""
    path = tmp_path / "lmtp.sock"
    receiver = start_receiver(lmtp_listen=f"unix:{path}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    with smtplib.LMTP(str(path), local_hostname="front.example") as client:
        client.sendmail("ann@out.example", ["help@harbor.example"], MAIL)
    assert receiver.messages() == [MAIL]
    spool = receiver.spool
    assert spool.read(spool.list_waiting(1)[0])[0].peer == ""


def test_dead_socket_is_replaced_and_a_live_one_is_not(
    start_receiver: Start, tmp_path: Path
) -> None:
    """What a killed receiver left behind does not hinder the next one; a running one does."""
    path = tmp_path / "lmtp.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    receiver = start_receiver(lmtp_listen=f"unix:{path}")
    settings = load_settings(
        home=tmp_path, smtp_port=free_port(), lmtp_listen=receiver.settings.lmtp_listen
    )
    with pytest.raises(PortTakenError, match="lmtp_listen"):
        listen(settings)


def test_a_live_socket_whose_backlog_is_full_is_in_use(tmp_path: Path) -> None:
    """It is not waited for until it has room."""
    path = tmp_path / "lmtp.sock"
    settings = load_settings(home=tmp_path, smtp_port=free_port(), lmtp_listen=f"unix:{path}")
    with contextlib.ExitStack() as stack:
        busy = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        busy.bind(str(path))
        busy.listen(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                client = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                client.setblocking(False)
                client.connect(str(path))
        with pytest.raises(PortTakenError, match="lmtp_listen"):
            listen(settings)


@pytest.mark.parametrize(
    "text",
    [
        *("2424", "host:", "host:0", "host:x", "unix:/no/such/folder/s"),
        *("mx..example:2424", f"127.0.0.1:{'9' * 5_000}"),
    ],
)
def test_nonsense_in_the_setting_is_named(tmp_path: Path, text: str) -> None:
    """A place that cannot be listened on is an error that names the setting."""
    settings = load_settings(home=tmp_path, smtp_port=free_port(), lmtp_listen=text)
    with pytest.raises(SettingsError, match="lmtp_listen"):
        listen(settings)


def test_receiver_that_cannot_start_leaves_the_socket_of_another(
    start_receiver: Start, make_process: Callable[..., ReceiverProcess], tmp_path: Path
) -> None:
    """A second receiver process on the same socket fails, and the first one's socket stays."""
    path = tmp_path / "lmtp.sock"
    start_receiver(lmtp_listen=f"unix:{path}")
    second = make_process(tmp_path / "other", lmtp_listen=f"unix:{path}")
    assert "lmtp_listen" in second.fail()
    with smtplib.LMTP(str(path), local_hostname="front.example") as client:
        assert client.noop()[0] == 250
