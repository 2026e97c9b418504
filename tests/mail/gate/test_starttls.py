"""STARTTLS: nothing that was said in the clear counts afterwards (RFC 3207, CVE-2011-0411)."""

import contextlib
import smtplib
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mail.gate.conftest import RunningReceiver, Wire

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]
EVIL = b"MAIL FROM:<evil@out.example>\r\n"
RCPT = b"RCPT TO:<help@harbor.example>\r\n"
AHEAD = {
    "one command": [b"STARTTLS\r\n" + EVIL],
    "a whole message": [b"STARTTLS\r\n" + EVIL + RCPT + b"DATA\r\nSubject: x\r\n\r\nx\r\n.\r\n"],
    "half a command": [b"STARTTLS\r\nNO"],
    "a bare line feed": [b"STARTTLS\r\n\n"],
    "after a greeting": [b"EHLO a.example\r\nSTARTTLS\r\n" + EVIL],
    "a second STARTTLS": [b"STARTTLS\r\nSTARTTLS\r\n"],
}
"""What an attacker puts into the packet with STARTTLS, by what it is."""


@pytest.fixture
def secured(start_receiver: Start, certificate: Path) -> RunningReceiver:
    """Return a receiver with a certificate."""
    return start_receiver(smtp_tls_certificate=certificate)


def shake_hands(wire: Wire, certificate: Path) -> ssl.SSLSocket:
    """Begin TLS on a raw connection."""
    context = ssl.create_default_context(cafile=str(certificate))
    return context.wrap_socket(wire.socket, server_hostname="127.0.0.1")


def say(encrypted: ssl.SSLSocket, line: bytes) -> bytes:
    """Say a line and return the first line of the answer."""
    encrypted.sendall(line)
    answer = b""
    while not answer.endswith(b"\r\n"):
        answer += encrypted.recv(1000)
    return answer.split(b"\r\n")[0]


@pytest.mark.parametrize("name", AHEAD)
def test_what_comes_with_starttls_ends_the_session(
    secured: RunningReceiver, dial: Dial, name: str
) -> None:
    """Anything in the packet behind STARTTLS is an attack: 554, and the connection is closed."""
    wire = dial(secured.port)
    for piece in AHEAD[name]:
        wire.send(piece)
    heard = []
    while line := wire.reply():
        heard.append(line[:3])
    assert heard[-1] == "554"
    assert "220" not in heard
    assert secured.messages() == []


@pytest.mark.parametrize("words", [EVIL, b"\r\n", b"NOOP\r\n" * 100, EVIL + RCPT])
def test_what_comes_instead_of_a_handshake_is_never_obeyed(
    secured: RunningReceiver, dial: Dial, words: bytes
) -> None:
    """Words in the clear after 220 break the handshake; not one of them is answered."""
    wire = dial(secured.port)
    assert wire.say("STARTTLS").startswith("220")
    wire.send(words)
    wire.socket.shutdown(socket.SHUT_WR)
    heard = b""
    try:
        while piece := wire.socket.recv(1000):
            heard += piece
    except ConnectionResetError:
        pass
    assert not any(line[:3] in {b"250", b"500", b"503"} for line in heard.split(b"\r\n"))
    assert secured.messages() == []


def test_everything_before_is_forgotten(
    secured: RunningReceiver, dial: Dial, certificate: Path
) -> None:
    """Greeting, sender and recipients from before the handshake do not count after it."""
    wire = dial(secured.port)
    assert wire.say("MAIL FROM:<evil@out.example>").startswith("250")
    assert wire.say("RCPT TO:<help@harbor.example>").startswith("250")
    assert wire.say("STARTTLS").startswith("220")
    with shake_hands(wire, certificate) as encrypted:
        assert say(encrypted, b"DATA\r\n").startswith(b"503")
        assert say(encrypted, RCPT).startswith(b"503")
        assert say(encrypted, EVIL).startswith(b"503")
        assert say(encrypted, b"HELO a.example\r\n").startswith(b"250")
        assert say(encrypted, b"STARTTLS\r\n").startswith(b"502")
        assert say(encrypted, EVIL).startswith(b"250")


def test_a_client_that_greets_with_its_handshake_is_heard(
    secured: RunningReceiver, dial: Dial, certificate: Path
) -> None:
    """What comes encrypted right behind the handshake is not taken for an attack."""
    for _ in range(20):
        wire = dial(secured.port)
        assert wire.say("STARTTLS").startswith("220")
        with shake_hands(wire, certificate) as encrypted:
            assert say(encrypted, b"HELO a.example\r\n").startswith(b"250")


def test_a_client_that_leaves_right_behind_its_handshake_is_no_warning(
    secured: RunningReceiver, dial: Dial, certificate: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its last word and its end come in one packet with the end of the handshake."""
    wire = dial(secured.port)
    assert wire.say("STARTTLS").startswith("220")
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    trusted = ssl.create_default_context(cafile=str(certificate))
    client = trusted.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    while True:
        try:
            client.do_handshake()
            break
        except ssl.SSLWantReadError:
            wire.send(outgoing.read())
            incoming.write(wire.socket.recv(65_536))
    client.write(b"QUIT\r\n")
    with contextlib.suppress(ssl.SSLWantReadError):
        client.unwrap()
    wire.send(outgoing.read())
    while wire.socket.recv(65_536):
        pass
    assert "eof_received" not in caplog.text


def test_an_ordinary_client_delivers_over_tls(secured: RunningReceiver, certificate: Path) -> None:
    """STARTTLS works, is not offered again inside, and the spool says that it was used."""
    trusted = ssl.create_default_context(cafile=str(certificate))
    with smtplib.SMTP("127.0.0.1", secured.port, "client.example", timeout=60) as smtp:
        smtp.ehlo()
        assert smtp.has_extn("starttls")
        smtp.starttls(context=trusted)
        smtp.ehlo()
        assert not smtp.has_extn("starttls")
        smtp.sendmail("ann@out.example", ["help@harbor.example"], b"a: b\r\n\r\nc\r\n")
    spool = secured.spool
    assert spool.read(spool.list_waiting(1)[0])[0].tls
