"""What a client may cost: sizes, lines, recipients, connections, commands and time."""

import select
import socket
import time
from collections.abc import Callable

from connectors.receiver import Limits
from tests.mail.gate.conftest import RunningReceiver, Wire, until
from tests.mail.gate.test_receiving import MAIL, WIRE

Start = Callable[..., RunningReceiver]
Dial = Callable[..., Wire]


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
    assert len(spool.read(spool.list_waiting(1)[0])[0].rcpt_to) == 100


def test_mail_in_circles_is_refused(receiver: RunningReceiver, dial: Dial) -> None:
    """A message with more than a hundred Received lines is refused for good."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"Received: by relay.example\r\n" * 101 + b"\r\nhello\r\n.\r\n")
    assert wire.reply().startswith("554 5.4.6")


def test_connections_from_one_address_are_capped(start_receiver: Start, dial: Dial) -> None:
    """One connection too many gets 421, and a place that becomes free can be used again."""
    receiver = start_receiver(smtp_connections_per_address=2)
    first, _ = dial(receiver.port), dial(receiver.port)
    third = dial(receiver.port, greet=False)
    assert third.reply().startswith("421 4.7.0")
    assert first.say("QUIT").startswith("221")
    until(lambda: dial(receiver.port, greet=False).reply().startswith("220"))


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
    wire = dial(receiver.port, greet=False)
    assert wire.reply().startswith("220")
    assert wire.reply().startswith("421 4.4.2")


def test_slow_sender_is_cut_but_steady_one_succeeds(start_receiver: Start, dial: Dial) -> None:
    """A sender below the least rate is cut; one above it may take longer than any deadline."""
    limits = Limits(data_seconds=60, data_grace_seconds=2, data_bytes_per_second=100)
    receiver = start_receiver(limits)
    steady, slow = dial(receiver.port), dial(receiver.port)
    steady.begin()
    slow.begin()
    for _ in range(100):
        steady.send(b"x" * 498 + b"\r\n")
        slow.socket.send(b"y")
        time.sleep(0.1)
        if slow.socket in _readable(slow.socket):
            break
    assert slow.reply().startswith("421 4.4.2")
    steady.send(b"x" * 98 + b"\r\n.\r\n")
    assert steady.reply().startswith("250")


def _mail(wire: Wire) -> str:
    """Begin a message, and take it back; not too often, for idle commands are counted."""
    time.sleep(0.2)
    said = wire.say("MAIL FROM:<ann@out.example>")
    wire.say("RSET")
    return said


def _readable(connection: socket.socket) -> list[socket.socket]:
    return select.select([connection], [], [], 0)[0]


def test_disconnect_in_the_middle_stores_nothing(receiver: RunningReceiver, dial: Dial) -> None:
    """A client that leaves before the final dot leaves no message and no temporary file."""
    wire = dial(receiver.port)
    wire.begin()
    wire.send(b"x" * 300_000)
    wire.close()
    until(lambda: not list(receiver.spool.tmp.iterdir()))
    assert receiver.messages() == []


def test_full_spool_answers_452_and_recovers(start_receiver: Start, dial: Dial) -> None:
    """While messages over the backlog limit wait, MAIL gets 4xx; when they are gone, 250."""
    receiver = start_receiver(spool_limit=1)
    wire = dial(receiver.port)
    wire.begin()
    wire.send(WIRE)
    assert wire.reply().startswith("250")
    until(lambda: _mail(wire).startswith("451 4.3.2"))
    spool = receiver.spool
    spool.done(entry.spool_id for entry in spool.list_waiting(5))
    until(lambda: _mail(wire).startswith("250"))
