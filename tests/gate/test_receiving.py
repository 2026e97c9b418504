"""The receiver over real sockets: what it takes, what it refuses, and how it says so."""

import smtplib
import socket
import ssl
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.receiver import Limits
from connectors.spool import Spool
from data.errors import PortTakenError
from tests.gate.conftest import RunningReceiver, Wire

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]

#: As it is spooled; over a raw wire the dot would have to be doubled, so `WIRE` has it so.
MAIL = b"From: ann@out.example\r\nSubject: lamp\r\n\r\nIs it in stock?\r\n.dotted\r\n"
WIRE = MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n"


def client(receiver: RunningReceiver) -> smtplib.SMTP:
    """Return a connected client of the standard library."""
    return smtplib.SMTP("127.0.0.1", receiver.port, local_hostname="client.example", timeout=15)


def test_accepts_and_spools_with_envelope(receiver: RunningReceiver) -> None:
    """A message sent by an ordinary client is in the spool, byte for byte, when 250 is said."""
    with client(receiver) as smtp:
        smtp.ehlo()
        smtp.mail("ann@out.example")
        smtp.rcpt("help@harbor.example")
        smtp.rcpt("Anyone@Lamps.Example")
        code, text = smtp.data(MAIL)
    assert code == 250
    spool = receiver.spool
    (entry,) = spool.list(10)
    envelope, raw = spool.read(entry)
    assert raw == MAIL
    assert entry.spool_id in text.decode()
    assert envelope.mail_from == "ann@out.example"
    assert envelope.rcpt_to == ("help@harbor.example", "Anyone@Lamps.Example")
    assert (envelope.peer, envelope.helo) == ("127.0.0.1", "client.example")
    assert not envelope.bare_eol


def test_many_messages_in_one_session_keep_their_order(receiver: RunningReceiver) -> None:
    """Messages of one session come out of the spool in the order in which they were sent."""
    bodies = [b"Subject: %d\r\n\r\nnumber %d\r\n" % (n, n) for n in range(25)]
    with client(receiver) as smtp:
        for body in bodies:
            smtp.sendmail("ann@out.example", ["help@harbor.example"], body)
    assert receiver.messages() == bodies


@pytest.mark.parametrize(
    ("address", "reply"),
    [
        ("help@harbor.example", "250 2.1.5"),
        ("HELP+lamp42@Harbor.Example", "250 2.1.5"),
        ("whoever@lamps.example", "250 2.1.5"),
        ("hook@harbor.example", "250 2.1.5"),
        ("Postmaster", "250 2.1.5"),
        ("postmaster@anything.example", "250 2.1.5"),
        ("gone@harbor.example", "550 5.1.1"),
        ("secret@harbor.example", "550 5.7.1"),
        ("unknown@harbor.example", "550 5.1.1"),
        ("@relay.example:help@harbor.example", "250 2.1.5"),
        ('"help"@harbor.example', "250 2.1.5"),
        ("", "501 5.1.3"),
        ("he lp@harbor.example", "501 5.1.3"),
        ("he\x00lp@harbor.example", "501 5.1.7"),
        ("he\rlp@harbor.example", "501 5.1.7"),
        ("help@harbor..example", "501 5.1.3"),
        ("hilfe-ü@lamps.example", "553 5.6.7"),
        ("x" * 300 + "@lamps.example", "501 5.1.3"),
    ],
)
def test_recipient_replies(receiver: RunningReceiver, dial: Dial, address: str, reply: str) -> None:
    """Each recipient is answered by its route's mode, and nonsense by a syntax error."""
    wire = dial(receiver.port)
    wire.say("MAIL FROM:<ann@out.example>")
    assert wire.say(f"RCPT TO:<{address}>").startswith(reply)


def test_null_sender_becomes_empty(receiver: RunningReceiver, dial: Dial) -> None:
    """The null reverse-path is spooled as an empty sender."""
    wire = dial(receiver.port)
    wire.begin(sender="")
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    spool = receiver.spool
    assert spool.read(spool.list(1)[0])[0].mail_from == ""


def test_internationalized_address_needs_and_gets_smtputf8(
    receiver: RunningReceiver, dial: Dial
) -> None:
    """A non-ASCII sender is taken with SMTPUTF8 and refused without."""
    wire = dial(receiver.port)
    assert wire.say("MAIL FROM:<jürgen@köln.example>").startswith("553 5.6.7")
    assert wire.say("MAIL FROM:<jürgen@köln.example> SMTPUTF8 BODY=8BITMIME").startswith("250")
    wire.say("RCPT TO:<help@harbor.example>")
    wire.say("DATA")
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    spool = receiver.spool
    assert spool.read(spool.list(1)[0])[0].mail_from == "jürgen@köln.example"


def test_missing_routes_are_a_temporary_failure(receiver: RunningReceiver, dial: Dial) -> None:
    """Without a routes file recipients get 4xx, and are taken again once it is back."""
    path = receiver.settings.routes_file
    content = path.read_bytes()
    path.unlink()
    wire = dial(receiver.port)
    wire.say("MAIL FROM:<ann@out.example>")
    assert wire.say("RCPT TO:<help@harbor.example>").startswith("451 4.3.0")
    path.write_bytes(content)
    assert wire.say("RCPT TO:<help@harbor.example>").startswith("250")


def test_pipelined_commands_are_answered_in_order(receiver: RunningReceiver, dial: Dial) -> None:
    """A group of commands in one packet gets one answer each, also after the final dot."""
    wire = dial(receiver.port)
    wire.send(
        b"MAIL FROM:<ann@out.example>\r\nRCPT TO:<help@harbor.example>\r\n"
        b"RCPT TO:<gone@harbor.example>\r\nDATA\r\n"
    )
    assert [wire.reply()[:3] for _ in range(4)] == ["250", "250", "550", "354"]
    wire.send(WIRE + b"MAIL FROM:<bob@out.example>\r\nNOOP\r\nQUIT\r\n")
    assert [wire.reply()[:3] for _ in range(4)] == ["250", "250", "250", "221"]
    assert wire.reply() == ""


def test_data_ahead_of_354_is_refused(receiver: RunningReceiver, dial: Dial) -> None:
    """Content that is sent before it was asked for ends the session and stores nothing."""
    wire = dial(receiver.port)
    wire.send(b"MAIL FROM:<ann@out.example>\r\nRCPT TO:<help@harbor.example>\r\nDATA\r\n" + WIRE)
    assert [wire.reply()[:3] for _ in range(3)] == ["250", "250", "554"]
    assert receiver.messages() == []


def test_announced_size_is_checked(start_receiver: Start, dial: Dial) -> None:
    """A message that says at MAIL that it is too big is refused there."""
    receiver = start_receiver(message_size_limit=10_000)
    wire = dial(receiver.port)
    assert wire.say("MAIL FROM:<ann@out.example> SIZE=10001").startswith("552 5.3.4")
    assert wire.say("MAIL FROM:<ann@out.example> SIZE=10000").startswith("250")


def test_too_big_message_is_refused_and_the_session_goes_on(
    start_receiver: Start, dial: Dial
) -> None:
    """A message over the limit gets 552 after its end; the next one is taken."""
    receiver = start_receiver(message_size_limit=10_000)
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"a" * 60 + b"\r\n" + b"b" * 9_990 + b"\r\n.\r\n")
    assert wire.reply().startswith("552 5.3.4")
    wire.begin()
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    assert receiver.messages() == [MAIL]


def test_far_too_big_message_is_cut(start_receiver: Start, dial: Dial) -> None:
    """A client that goes on beyond the limit by a tenth is cut, and leaves nothing behind."""
    receiver = start_receiver(message_size_limit=10_000)
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"x" * 12_000)
    assert wire.reply().startswith("552 5.3.4")
    assert wire.reply() == ""
    assert receiver.messages() == []
    assert list(receiver.spool.tmp.iterdir()) == []


def test_large_message_streams_to_disk(receiver: RunningReceiver) -> None:
    """A message of several megabytes arrives as it was sent."""
    body = b"Subject: big\r\n\r\n" + b"".join(
        b"line %07d %s\r\n" % (n, b"z" * 60) for n in range(70_000)
    )
    with client(receiver) as smtp:
        smtp.sendmail("ann@out.example", ["help@harbor.example"], body)
    assert receiver.messages() == [body]


def test_long_lines_are_taken_up_to_64_kib(receiver: RunningReceiver, dial: Dial) -> None:
    """A line of 64 KiB is taken, one byte more is refused for good."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"y" * 65_536 + b"\r\n.\r\n")
    assert wire.reply().startswith("250")
    wire.begin()
    wire.send(b"y" * 65_537 + b"\r\n.\r\n")
    assert wire.reply().startswith("554 5.6.0")
    assert len(receiver.messages()) == 1


def test_recipients_over_the_cap_get_452(receiver: RunningReceiver, dial: Dial) -> None:
    """The 101st recipient is put off, and the first hundred get the message."""
    wire = dial(receiver.port)
    wire.say("MAIL FROM:<ann@out.example>")
    replies = [wire.say(f"RCPT TO:<r{n}@lamps.example>")[:9] for n in range(103)]
    assert replies == ["250 2.1.5"] * 100 + ["452 4.5.3"] * 3
    wire.say("DATA")
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    spool = receiver.spool
    assert len(spool.read(spool.list(1)[0])[0].rcpt_to) == 100


def test_mail_in_circles_is_refused(receiver: RunningReceiver, dial: Dial) -> None:
    """A message with more than fifty Received lines is refused for good."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"Received: by relay.example\r\n" * 51 + b"\r\nhello\r\n.\r\n")
    assert wire.reply().startswith("554 5.4.6")


def test_connections_from_one_address_are_capped(start_receiver: Start, dial: Dial) -> None:
    """One connection too many gets 421, and a place that becomes free can be used again."""
    receiver = start_receiver(smtp_connections_per_address=2)
    first, _ = dial(receiver.port), dial(receiver.port)
    third = dial(receiver.port, greet=False)
    assert third.reply().startswith("421 4.7.0")
    assert first.say("QUIT").startswith("221")
    time.sleep(0.1)
    dial(receiver.port)


def test_errors_end_the_session(receiver: RunningReceiver, dial: Dial) -> None:
    """After twenty refused commands the client is sent away."""
    wire = dial(receiver.port)
    assert [wire.say("BDAT 1")[:3] for _ in range(21)] == ["500"] * 20 + ["421"]


def test_junk_commands_end_the_session(receiver: RunningReceiver, dial: Dial) -> None:
    """NOOP cannot keep a connection for ever."""
    wire = dial(receiver.port)
    replies = [wire.say("NOOP")[:3] for _ in range(100)]
    assert replies[-1] == "421"
    assert set(replies[:-1]) == {"250"}


def test_commands_must_end_with_crlf(receiver: RunningReceiver, dial: Dial) -> None:
    """A command that ends with a bare LF is not obeyed."""
    wire = dial(receiver.port)
    wire.send(b"NOOP\n")
    assert wire.reply().startswith("500 5.5.2")


def test_endless_command_is_cut(receiver: RunningReceiver, dial: Dial) -> None:
    """A command line without end is refused and the connection closed."""
    wire = dial(receiver.port)
    wire.send(b"N" * 100_000)
    assert wire.reply().startswith("500 5.5.2")


def test_silent_client_times_out(start_receiver: Start, dial: Dial) -> None:
    """A client that says nothing is told 421 after the deadline."""
    receiver = start_receiver(Limits(command_seconds=0.3))
    wire = dial(receiver.port)
    assert wire.reply().startswith("421 4.4.2")


def test_slow_sender_is_cut_but_steady_one_succeeds(start_receiver: Start, dial: Dial) -> None:
    """A sender below the least rate is cut; one above it may take longer than any deadline."""
    limits = Limits(data_seconds=0.5, data_grace_seconds=0.5, data_bytes_per_second=200)
    receiver = start_receiver(limits)
    steady, slow = dial(receiver.port), dial(receiver.port)
    steady.begin()
    slow.begin()
    for _ in range(10):
        steady.send(b"x" * 98 + b"\r\n")
        slow.socket.send(b"y")
        time.sleep(0.12)
        if slow.socket in _readable(slow.socket):
            break
    assert slow.reply().startswith("421 4.4.2")
    steady.send(b"x" * 98 + b"\r\n.\r\n")
    assert steady.reply().startswith("250")


def _readable(connection: socket.socket) -> list[socket.socket]:
    import select

    return select.select([connection], [], [], 0)[0]


def test_disconnect_in_the_middle_stores_nothing(receiver: RunningReceiver, dial: Dial) -> None:
    """A client that leaves before the final dot leaves no message and no temporary file."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"x" * 300_000)
    wire.close()
    time.sleep(0.3)
    assert receiver.messages() == []
    assert list(receiver.spool.tmp.iterdir()) == []


def test_half_closed_client_gets_its_answer(receiver: RunningReceiver, dial: Dial) -> None:
    """A client that closes its side right after the dot still hears 250."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(WIRE)
    wire.socket.shutdown(socket.SHUT_WR)
    assert wire.reply().startswith("250")


def test_full_spool_answers_452_and_recovers(start_receiver: Start, dial: Dial) -> None:
    """While messages over the backlog limit wait, MAIL gets 4xx; when they are gone, 250."""
    receiver = start_receiver(spool_limit=1)
    wire = dial(receiver.port)
    wire.begin()
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    time.sleep(0.8)
    assert wire.say("MAIL FROM:<ann@out.example>").startswith("451 4.3.2")
    spool = receiver.spool
    spool.done(entry.spool_id for entry in spool.list(5))
    time.sleep(0.8)
    assert wire.say("MAIL FROM:<ann@out.example>").startswith("250")


def test_taken_port_names_the_setting(receiver: RunningReceiver, tmp_path: Path) -> None:
    """A second receiver on the same port fails with an error that names the setting."""
    import asyncio

    from connectors.receiver import serve
    from data.settings import load_settings

    settings = load_settings(home=tmp_path / "other", smtp_port=receiver.port)
    with pytest.raises(PortTakenError, match="smtp_port"):
        asyncio.run(serve(settings))


def test_stop_finishes_the_message_in_flight(receiver: RunningReceiver, dial: Dial) -> None:
    """A stop sends the idle away with 421 and lets a message that is being sent be finished."""
    import threading

    idle, busy = dial(receiver.port), dial(receiver.port)
    busy.begin()
    busy.send(b"Subject: late\r\n")
    stopper = threading.Thread(target=receiver.stop)
    stopper.start()
    assert idle.reply().startswith("421 4.3.2")
    busy.send(b"\r\nstill here\r\n.\r\n")
    assert busy.reply().startswith("250")
    assert busy.reply().startswith("421 4.3.2")
    stopper.join(10)
    assert Spool(receiver.settings.spool).waiting() == 1


def test_nothing_said_before_tls_counts(
    start_receiver: Start, dial: Dial, certificate: Path
) -> None:
    """STARTTLS works and is spooled; commands sent ahead of the handshake end the session."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    receiver = start_receiver(tls=context)
    trusted = ssl.create_default_context(cafile=str(certificate))
    with client(receiver) as smtp:
        smtp.ehlo()
        smtp.starttls(context=trusted)
        assert smtp.docmd("MAIL", "FROM:<ann@out.example>")[0] == 503
        smtp.sendmail("ann@out.example", ["help@harbor.example"], MAIL)
    spool = receiver.spool
    assert spool.read(spool.list(1)[0])[0].tls
    wire = dial(receiver.port)
    wire.send(b"STARTTLS\r\nMAIL FROM:<evil@out.example>\r\n")
    assert wire.reply().startswith("554 5.5.0")
    assert wire.reply() == ""
