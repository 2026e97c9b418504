"""One connection: admission, deadlines, and lines and data out of the stream of bytes.

An asyncio protocol without streams and tasks: what a client sends is answered in the callback
that brought it, so that a command costs microseconds. Only what has to wait (the disk, a TLS
handshake, a password) makes the connection `wait`; what arrives meanwhile stays unread.
"""

import asyncio
import logging
import ssl
from typing import ClassVar, cast

from connectors.receiver.door import LATER, TOO_MANY, Door
from connectors.receiver.encryption import HANDSHAKE_SECONDS, shake_hands
from connectors.receiver.intake import Intake
from connectors.spool.failures import reply_for
from data.errors import SpoolError

log = logging.getLogger("postern.receiver")

LINE_BYTES = 32_768
#: Unread bytes beyond which a client that must wait is not read from.
UNREAD_BYTES = 65_536
#: Commands of one client that are answered before others get their turn.
TURN_COMMANDS = 50
TIMEOUT = "421 4.4.2 Timeout, closing connection"
STOPPING = "421 4.3.2 Service is shutting down"


class SmtpConnection(asyncio.Protocol):
    """A client that is connected; what its commands do is in `SmtpSession`."""

    protocol: ClassVar[str] = "ESMTP"

    def __init__(self, door: Door) -> None:
        self.door, self.limits = door, door.limits
        self.loop = door.loop
        self.peer = ""
        self.trusted = False
        self.tls = False
        self.deadline = self.session_end = 0.0
        self.errors = self.junk = 0
        self.intake: Intake | None = None
        self._input = bytearray()
        self._replies: list[bytes] = []
        self._waiting = self._choked = self._paused = self._ended = self._working = False
        self._handshake: asyncio.Task[None] | None = None

    # -- the connection ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in and greet, or say 421 when too many are."""
        self.wire = cast(asyncio.Transport, transport)
        self.peer = _address(transport.get_extra_info("peername"))
        self.trusted = self.door.trusts(self.peer)
        if not self.door.admit(self, self.peer):
            self.wire.write(f"{TOO_MANY}\r\n".encode())
            self.wire.close()
            return
        self.session_end = self.loop.time() + self.limits.session_seconds
        self.await_within(self.limits.command_seconds)
        self.wire.write(f"220 {self.door.hostname} {self.protocol} Postern\r\n".encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Count the client out."""
        del error
        self.door.leave(self, self.peer)
        self._input.clear()
        if self.intake is not None:
            self.intake.lost()

    def data_received(self, data: bytes) -> None:
        """Take bytes from the client; nothing is read from one that was refused."""
        if self.wire.is_closing():
            return
        self._input += data
        if self._waiting or self._choked:
            self._hold_back()
        else:
            self.work()

    def eof_received(self) -> bool:
        """Let a client that has closed its side still get its answers."""
        self._ended = True
        if self._handshake is not None:  # there is no half-closed TLS connection in asyncio
            return False
        if self._waiting or self._choked or (self.intake is None and b"\n" in self._input):
            return True
        if self.intake is not None:
            self.intake.lost()
        return False

    def pause_writing(self) -> None:
        """Obey nothing more until the client has read what it was told."""
        self._choked = True

    def resume_writing(self) -> None:
        """Go on."""
        self._choked = False
        if not self._waiting:
            self.loop.call_soon(self.work)

    # -- the loop ------------------------------------------------------------------------

    def work(self) -> None:
        """Do what the bytes at hand ask for, as far as nothing has to be waited for."""
        if self._working or self._waiting:
            return
        self._working = True
        commands = 0
        try:
            while self._input and not (self._waiting or self._choked or self.wire.is_closing()):
                if self.intake is not None:
                    self._guarded_feed(self.intake)
                elif commands == TURN_COMMANDS:
                    self._hold_back()
                    self.loop.call_soon(self.work)
                    break
                elif not self._next_line():
                    break
                else:
                    commands += 1
        finally:
            self._working = False
        self._after_work()

    def _after_work(self) -> None:
        self._flush()
        if self._waiting or self._choked or self.wire.is_closing():
            return
        if self.door.stopping and self.intake is None:
            self.hang_up(STOPPING)
        elif self._ended and b"\n" not in self._input:
            self.wire.close()
        elif self._paused and len(self._input) < UNREAD_BYTES:
            self._paused = False
            self.wire.resume_reading()

    def _next_line(self) -> bool:
        """Obey the next line; False when it is not whole yet."""
        end = self._input.find(b"\n") + 1
        if not end:
            if len(self._input) > LINE_BYTES:
                self.hang_up("500 5.5.2 Command line too long")
            return False
        line = bytes(self._input[:end])
        del self._input[:end]
        self.await_within(self.limits.command_seconds)
        try:
            self.obey(line)
        except SpoolError as error:
            self.say(reply_for(error))
        except Exception:  # noqa: BLE001 - the session is a runner: a bug is a 4xx, never a loss
            self._bug()
        return True

    def _guarded_feed(self, intake: Intake) -> None:
        chunk = bytes(self._input)
        self._input.clear()
        try:
            self._input += intake.feed(chunk)
        except Exception:  # noqa: BLE001 - as above
            intake.lost()
            self._bug()
            self.hang_up("421 4.3.0 Local error, try again later")

    def _bug(self) -> None:
        log.exception("bug_in_session", extra={"fields": {"peer": self.peer}})
        self.intake = None
        self.forget()
        self.push(LATER)

    def obey(self, line: bytes) -> None:
        """Do what a line asks for, and answer."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget the message begun."""
        raise NotImplementedError

    def renew(self) -> None:
        """Forget everything said, as after a TLS handshake."""
        raise NotImplementedError

    # -- waiting -------------------------------------------------------------------------

    def wait(self) -> None:
        """Obey nothing more until `go_on`."""
        self._waiting = True

    def go_on(self) -> None:
        """End the wait and do what has arrived meanwhile."""
        self._waiting = False
        if self.wire.is_closing():
            self._input.clear()
            return
        self.await_within(self.limits.command_seconds)
        self.work()

    def _hold_back(self) -> None:
        if not self._paused and len(self._input) > UNREAD_BYTES:
            self._paused = True
            self.wire.pause_reading()

    @property
    def pending(self) -> bool:
        """Whether the client has sent something that was not asked for yet."""
        return bool(self._input)

    def await_within(self, seconds: float) -> None:
        """Move the deadline, which the door looks at several times a second."""
        now = self.loop.time()
        if self.door.stressed:
            seconds = min(seconds, self.limits.stress_seconds)
        self.deadline = now + seconds
        if self.intake is None:
            self.deadline = min(self.deadline, self.session_end)

    def timed_out(self) -> None:
        """Do what a passed deadline asks for."""
        if self.intake is not None:
            self.intake.timed_out()
        else:
            self.hang_up(TIMEOUT)

    # -- answering -----------------------------------------------------------------------

    def push(self, reply: str) -> None:
        """Send a reply; those of one packet of commands leave together (RFC 2920)."""
        self._replies.append(reply.encode("utf-8", "replace") + b"\r\n")
        if not self._working:
            self._flush()

    def say(self, reply: str) -> None:
        """Send a reply; too many refusals end the session."""
        if reply.startswith("5"):
            self.errors += 1
            if self.errors > self.limits.errors:
                self.hang_up("421 4.7.0 Too many errors")
                return
        self.push(reply)

    def put_off(self, reply: str) -> None:
        """Send a 4xx reply; a client that goes on asking is sent away."""
        self.junk += 1
        if self.junk > self.limits.junk_commands:
            self.hang_up("421 4.7.0 Too many commands without a message")
        else:
            self.push(reply)

    def _flush(self) -> None:
        if self._replies:
            if not self.wire.is_closing():
                self.wire.write(b"".join(self._replies))
            self._replies.clear()

    def hang_up(self, reply: str) -> None:
        """Say the last word without waiting for anybody, and close."""
        if not self.wire.is_closing():
            self._replies.append(f"{reply}\r\n".encode())
            self._flush()
            self.wire.close()
            if self.wire.get_write_buffer_size():
                # A client that does not read must not hold the connection.
                self.loop.call_later(5, self.wire.abort)

    def leave_when_idle(self) -> None:
        """Send the client away, unless a message of its is under way."""
        if self.intake is None and not self._waiting:
            self.hang_up(STOPPING)

    # -- encryption ----------------------------------------------------------------------

    def start_tls(self, context: ssl.SSLContext) -> None:
        """Begin the handshake; nothing said before it counts afterwards (RFC 3207)."""
        self.wait()
        self._flush()
        self.await_within(HANDSHAKE_SECONDS + 5)
        self._handshake = self.loop.create_task(shake_hands(self, context))

    def drop_unread(self) -> None:
        """Forget what was read and not obeyed: somebody may have slipped it in."""
        self._input.clear()

    def encrypted(self, wire: asyncio.Transport | None, error: Exception | None = None) -> None:
        """Go on over `wire`, or be gone when there is none."""
        if wire is None:
            self.wire.abort()
            # asyncio tells nobody of a connection that is lost before it is encrypted.
            self.connection_lost(error)
            return
        self.wire, self.tls = wire, True
        self.renew()
        self.go_on()


def _address(peername: object) -> str:
    """Return the address in what the socket says of its peer; empty for a Unix socket."""
    return str(peername[0]) if isinstance(peername, tuple) and peername else ""
