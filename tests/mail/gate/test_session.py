"""What aiosmtpd's session does between our overrides: its own replies, its parameters, its ends."""

import smtplib
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.receiver import Limits
from connectors.receiver.greeting import write_greeting_name
from connectors.receiver.users import line_for
from tests.mail.gate.conftest import RunningReceiver, Wire, until
from tests.mail.gate.test_receiving import WIRE

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]


@pytest.fixture
def secured(start_receiver: Start, certificate: Path, tmp_path: Path) -> RunningReceiver:
    """Return a receiver with TLS and one user, that waits for five seconds at most."""
    users = tmp_path / "users"
    users.write_text(line_for("desk", "green tea") + "\n")
    limits = Limits(stress_share=0, stress_seconds=5, connections_per_address=1)
    return start_receiver(limits, smtp_tls_certificate=certificate, smtp_users=users)


def encrypted(receiver: RunningReceiver, certificate: Path) -> smtplib.SMTP:
    """Return a client that has done STARTTLS and greeted."""
    smtp = smtplib.SMTP("127.0.0.1", receiver.port, "client.example", timeout=60)
    smtp.starttls(context=ssl.create_default_context(cafile=str(certificate)))
    smtp.ehlo()
    return smtp


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("NOOP", "250 2.0.0"),
        ("RSET", "250 2.0.0"),
        ("VRFY ann@out.example", "252 2.1.5"),
        ("VRFY ann", "252 2.1.5"),
        ("EXPN staff", "502 5.5.1"),
        ("NONSENSE", "500 5.5.1"),
        ("RCPT TO:<help@harbor.example>", "503 5.5.1"),
        ("DATA", "503 5.5.1"),
        ("AUTH PLAIN AGEAYg==", "502 5.5.1"),
        ("STARTTLS", "502 5.5.1"),
        ("QUIT now", "501 5.5.4"),
        ("QUIT", "221 2.0.0"),
        ("MAIL FROM:", "501 5.1.3"),
        ("MAIL TO:<ann@out.example>", "501 5.5.4"),
        ("MAIL FROM:<ann@out.example> SIZE=99999999", "552 5.3.4"),
        ("MAIL FROM:<ann@out.example> SIZE=²", "501 5.5.4"),
        ("MAIL FROM:<ann@out.example> SIZE=1 SIZE=2", "501 5.5.4"),
        ("MAIL FROM:<ann@out.example> BODY=BINARYMIME", "501 5.5.4"),
        ("MAIL FROM:<ann@out.example> SMTPUTF8=yes", "501 5.5.4"),
        ("MAIL FROM:<ann@out.example> RET=FULL", "555 5.5.4"),
        ("mail from:<ann@out.example> body=8bitmime size=9", "250 2.1.0"),
    ],
)
def test_replies_bear_enhanced_codes(
    receiver: RunningReceiver, dial: Dial, command: str, reply: str
) -> None:
    """Replies of the library's have the codes that ENHANCEDSTATUSCODES promises, as ours do."""
    assert dial(receiver.port).say(command).startswith(reply)


def test_greeting_of_helo_has_no_code_before_the_name(
    receiver: RunningReceiver, dial: Dial
) -> None:
    """What follows 250 is the server's name (RFC 5321 section 4.1.1.1, RFC 2034 section 4)."""
    wire = dial(receiver.port)
    assert wire.say("HELO client.example") == f"250 {receiver.settings.smtp_hostname}"
    assert wire.say("MAIL FROM:<ann@out.example> SIZE=9").startswith("501")


def test_a_name_that_is_kept_greets_the_next_client(
    start_receiver: Callable[..., RunningReceiver], dial: Dial
) -> None:
    """The engine writes it while the receiver runs; what the settings name stays."""
    unnamed, named = start_receiver(), start_receiver(smtp_hostname="mx.out.example")
    for receiver in (unnamed, named):
        write_greeting_name(receiver.settings.hostname_file, "mx.harbor.example")
    hello = "HELO client.example"
    assert dial(unnamed.port).say(hello) == "250 mx.harbor.example"
    assert dial(named.port).say(hello) == "250 mx.out.example"
    write_greeting_name(unnamed.settings.hostname_file, "")
    assert dial(unnamed.port).say(hello) == "250 postern.localdomain"


def test_chunking_is_neither_offered_nor_taken(receiver: RunningReceiver, dial: Dial) -> None:
    """EHLO names what works, and BDAT is not among it."""
    wire = dial(receiver.port)
    offered = wire.say("EHLO client.example").split("\n")
    assert [line[4:].split(" ")[0] for line in offered[1:]] == [
        "SIZE",
        "8BITMIME",
        "SMTPUTF8",
        "PIPELINING",
        "ENHANCEDSTATUSCODES",
    ]
    assert wire.say("BDAT 5 LAST").startswith("500")


def test_commands_behind_a_message_wait_for_its_answer(
    receiver: RunningReceiver, dial: Dial
) -> None:
    """A second message pipelined behind the first one's dot is taken as its own."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(WIRE + b"MAIL FROM:<>\r\nRCPT TO:<x@lamps.example>\r\nDATA\r\n")
    assert [wire.reply()[:3] for _ in range(4)] == ["250", "250", "250", "354"]
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    spool = receiver.spool
    senders = [spool.read(entry)[0].mail_from for entry in spool.list_waiting(5)]
    assert senders == ["ann@out.example", ""]


@pytest.mark.parametrize("ending", [socket.SHUT_WR, None])
def test_a_handshake_that_never_ends_gives_its_place_back(
    secured: RunningReceiver, dial: Dial, ending: int | None
) -> None:
    """A client that is silent after 220, or has closed its side, is cut, and another let in."""
    wire = dial(secured.port)
    assert wire.say("STARTTLS").startswith("220")
    if ending is not None:
        wire.socket.shutdown(ending)
    assert wire.socket.recv(100) == b""
    until(lambda: dial(secured.port, greet=False).reply().startswith("220"))


def test_a_client_that_is_silent_in_a_login_is_told_421(
    secured: RunningReceiver, certificate: Path
) -> None:
    """The wait for a password has the deadline of any other command."""
    smtp = encrypted(secured, certificate)
    assert smtp.docmd("AUTH LOGIN")[0] == 334
    assert smtp.getreply()[0] == 421
    smtp.close()


def test_login_comes_before_mail_and_once(secured: RunningReceiver, certificate: Path) -> None:
    """AUTH is refused within a message and after a login; its mechanism may be in small letters."""
    with encrypted(secured, certificate) as smtp:
        assert smtp.docmd("MAIL FROM:<ann@out.example>")[0] == 250
        assert smtp.docmd("AUTH PLAIN AGRlc2sAZ3JlZW4gdGVh")[0] == 503
        assert smtp.docmd("RSET")[0] == 250
        assert smtp.docmd("auth plain AGRlc2sAZ3JlZW4gdGVh")[0] == 235
        assert smtp.docmd("AUTH PLAIN AGRlc2sAZ3JlZW4gdGVh")[0] == 503
        smtp.ehlo()
        assert not smtp.has_extn("auth")


def test_help_names_what_can_be_said(
    secured: RunningReceiver, certificate: Path, receiver: RunningReceiver
) -> None:
    """Every command that works here, and none that does not: no AUTH without TLS and users."""
    with smtplib.SMTP("127.0.0.1", receiver.port, "client.example", timeout=60) as smtp:
        plain = smtp.help().decode()
    assert plain.split(": ")[1].split() == [
        "DATA",
        "EHLO",
        "HELO",
        "HELP",
        "MAIL",
        "NOOP",
        "QUIT",
        "RCPT",
        "RSET",
        "VRFY",
    ]
    with encrypted(secured, certificate) as smtp:
        assert {"AUTH", "STARTTLS", "DATA"} <= set(smtp.help().decode().split())
        assert b"AUTH <mechanism>" in smtp.help("auth")
