"""The receiver over real sockets: what it takes, what it refuses, and how it says so."""

import asyncio
import smtplib
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from connectors.receiver.listening import listen
from connectors.routes import RouteTable, write_routes
from connectors.spool import Spool
from data.errors import PortTakenError
from data.records.core.organization import Route, RouteMode
from data.settings import load_settings
from tests.mail.gate.conftest import RunningReceiver, Wire
from tests.ports import free_port

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]

#: As it is spooled; over a raw wire the dot would have to be doubled, so `WIRE` has it so.
MAIL = b"From: ann@out.example\r\nSubject: lamp\r\n\r\nIs it in stock?\r\n.dotted\r\n"
WIRE = MAIL.replace(b"\r\n.", b"\r\n..") + b".\r\n"


def client(receiver: RunningReceiver) -> smtplib.SMTP:
    """Return a connected client of the standard library."""
    return smtplib.SMTP("127.0.0.1", receiver.port, local_hostname="client.example", timeout=60)


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
    (entry,) = spool.list_waiting(10)
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


def test_postmaster_without_a_domain_is_always_there(receiver: RunningReceiver, dial: Dial) -> None:
    """It goes to a domain that mail is received for (RFC 5321 4.5.1); the envelope names it."""
    route = Route(pattern="help@harbor.example", organization="harbor")
    write_routes(receiver.settings.routes_file, [route], 2)
    wire = dial(receiver.port)
    wire.say("MAIL FROM:<>")
    assert wire.say("RCPT TO:<Postmaster>").startswith("250")
    assert wire.say("RCPT TO:<postmaster@other.example>").startswith("550")
    wire.say("DATA")
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    spool = receiver.spool
    envelope, _ = spool.read(spool.list_waiting(1)[0])
    assert envelope.rcpt_to == ("Postmaster@harbor.example",)
    table = RouteTable.load(receiver.settings.routes_file)
    found = table.match(envelope.rcpt_to[0])
    assert found is not None
    assert found.mode is RouteMode.HOLD


def test_null_sender_becomes_empty(receiver: RunningReceiver, dial: Dial) -> None:
    """The null reverse-path is spooled as an empty sender."""
    wire = dial(receiver.port)
    wire.begin(sender="")
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    spool = receiver.spool
    assert spool.read(spool.list_waiting(1)[0])[0].mail_from == ""


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
    assert spool.read(spool.list_waiting(1)[0])[0].mail_from == "jürgen@köln.example"


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


async def test_replies_to_pipelined_commands_wait_for_no_acknowledgement(tmp_path: Path) -> None:
    """Nagle's algorithm is off where mail is taken: it cost a pipelining client 40 ms a message."""
    without_delay: asyncio.Queue[int] = asyncio.Queue()

    async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        without_delay.put_nowait(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    (sockets,) = listen(load_settings(home=tmp_path, smtp_port=free_port()))
    async with await asyncio.start_server(accept, sock=sockets.smtp[0]):
        with socket.create_connection(sockets.smtp[0].getsockname()):
            assert await without_delay.get() == 1


def test_data_ahead_of_354_is_refused(receiver: RunningReceiver, dial: Dial) -> None:
    """Content that is sent before it was asked for ends the session and stores nothing."""
    wire = dial(receiver.port)
    wire.send(b"MAIL FROM:<ann@out.example>\r\nRCPT TO:<help@harbor.example>\r\nDATA\r\n" + WIRE)
    assert [wire.reply()[:3] for _ in range(3)] == ["250", "250", "554"]
    assert receiver.messages() == []


def test_large_message_streams_to_disk(receiver: RunningReceiver) -> None:
    """A message of several megabytes arrives as it was sent."""
    body = b"Subject: big\r\n\r\n" + b"".join(
        b"line %07d %s\r\n" % (n, b"z" * 60) for n in range(70_000)
    )
    with client(receiver) as smtp:
        smtp.sendmail("ann@out.example", ["help@harbor.example"], body)
    assert receiver.messages() == [body]


def test_half_closed_client_gets_its_answer(receiver: RunningReceiver, dial: Dial) -> None:
    """A client that closes its side right after the dot still hears 250."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(WIRE)
    wire.socket.shutdown(socket.SHUT_WR)
    assert wire.reply().startswith("250")


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
    stopper.join(100)
    assert Spool(receiver.settings.spool).waiting() == 1
