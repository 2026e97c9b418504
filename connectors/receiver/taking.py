"""From 354 to 250: streaming a message into the spool and answering for it."""

import logging
from typing import TYPE_CHECKING

from connectors.receiver.data import DataDecoder
from connectors.spool import SpoolWriter
from connectors.spool.failures import reply_for
from data.errors import SpoolError
from data.records.envelope import Channel, Envelope

if TYPE_CHECKING:
    from connectors.receiver.session import SmtpSession

log = logging.getLogger("postern.receiver")

TOO_BIG = "552 5.3.4 Message size exceeds fixed limit"
LINE_TOO_LONG = "554 5.6.0 A line is longer than 65536 bytes"
TOO_MANY_HOPS = "554 5.4.6 Too many hops, this message is going in circles"
TOO_SLOW = "421 4.4.2 Data comes too slowly"
TOO_LATE = "421 4.4.2 Timeout, closing connection"
HEAD_BYTES = 65_536


class Taking:
    """One message on its way in; gives its reply to `session.taken`, 250 only when it is on disk.

    A client that leaves before the final dot leaves nothing. One that leaves after it cannot
    stop the commit: what was stored stays, and content-keyed dedupe takes the copy that the
    client sends again (RFC 1047 is about that).
    """

    def __init__(self, session: "SmtpSession") -> None:
        self._session, self._limits = session, session.limits
        self._writer: SpoolWriter = session.door.spool.open_writer(
            channel=Channel.SMTP,
            mail_from=session.sender or "",
            rcpt_to=session.recipients,
            peer=session.peer,
            helo=session.helo,
            tls=session.tls,
            authenticated_as=session.user,
        )
        self._decoder = DataDecoder()
        self._began = session.loop.time()
        self._head: list[bytes] = []
        self._head_bytes = 0
        self._refusal = ""
        self._over = self._spilling = False

    # -- the message ---------------------------------------------------------------------

    def feed(self, chunk: bytes) -> bytes:
        """Move bytes from the socket to the writer; return what follows the final dot."""
        decoder, writer = self._decoder, self._writer
        content = decoder.feed(chunk)
        if not decoder.finished and decoder.wire_bytes > self._limits.message_bytes * 1.1:
            self._hang_up(TOO_BIG)
            return b""
        if not self._refusal:
            self._refusal = self._objection(len(content))
        if not self._refusal:
            self._keep_head(content)
            writer.write(content)
        if decoder.finished:
            self._end()
            return decoder.rest
        self._keep_pace()
        if writer.full and not self._refusal and not self._over:
            self._spilling = True
            self._session.wait()
            self._session.door.committer.spill(writer, self._spilled)
        return b""

    def _objection(self, more: int) -> str:
        """Return why the rest of a message is read but not kept."""
        if self._decoder.too_long:
            return LINE_TOO_LONG
        return TOO_BIG if self._writer.size_bytes + more > self._limits.message_bytes else ""

    def _keep_head(self, content: bytes) -> None:
        if self._head_bytes < HEAD_BYTES:
            self._head.append(content[: HEAD_BYTES - self._head_bytes])
            self._head_bytes += len(content)

    def _keep_pace(self) -> None:
        """Give the next piece its time, unless the client is slower than the least rate."""
        limits = self._limits
        elapsed = self._session.loop.time() - self._began
        least = elapsed * limits.data_bytes_per_second
        if elapsed > limits.data_grace_seconds and self._decoder.wire_bytes < least:
            self._hang_up(TOO_SLOW)
        else:
            self._session.await_within(limits.data_seconds)

    def _spilled(self, failure: SpoolError | None) -> None:
        self._spilling = False
        if self._over:
            self._writer.abort()
            return
        if failure is not None:
            # The rest is read and thrown away, so that the client hears the answer.
            self._refusal = self._failed(failure)
        self._session.go_on()

    def _end(self) -> None:
        if not self._refusal and hops(b"".join(self._head)) > self._limits.hops:
            self._refusal = TOO_MANY_HOPS
        if self._refusal:
            self._answer(self._refusal)
            return
        self._writer.bare_eol = self._decoder.bare_eol
        self._session.wait()
        # The clock of the client stands still from here: RFC 1047 asks for haste.
        self._session.deadline = self._session.loop.time() + self._limits.store_seconds
        self._session.door.store(self._writer, self._stored)

    def _stored(self, outcome: Envelope | SpoolError) -> None:
        if isinstance(outcome, Envelope):
            _log_accepted(outcome)
        if self._over:
            return
        if isinstance(outcome, Envelope):
            self._answer(f"250 2.0.0 Ok: queued as {outcome.spool_id}")
        else:
            self._answer(self._failed(outcome))

    def _failed(self, error: SpoolError) -> str:
        peer = self._session.peer
        log.warning("not_stored", extra={"fields": {"peer": peer, "error": str(error)}})
        return reply_for(error)

    # -- the end -------------------------------------------------------------------------

    def _answer(self, reply: str) -> None:
        self._over = True
        if not self._writer.committing:
            self._writer.abort()
        self._session.taken(reply)

    def _hang_up(self, reply: str) -> None:
        self.lost()
        self._session.hang_up(reply)

    def timed_out(self) -> None:
        """End the wait for the client; or for the disk, with 451 and never a late 250."""
        if not self._writer.committing:
            self._hang_up(TOO_LATE)
            return
        self._writer.abandoned = True
        self._answer(self._failed(SpoolError(f"storing {self._writer.spool_id!r} took too long")))

    def lost(self) -> None:
        """Forget a message whose client has gone, unless it is being stored already."""
        self._over = True
        if not (self._writer.committing or self._spilling):
            self._writer.abort()


def hops(head: bytes) -> int:
    """Return how many Received lines the header holds (RFC 5321 section 6.3)."""
    header = head.partition(b"\r\n\r\n")[0].lower()
    return header.count(b"\r\nreceived:") + header.startswith(b"received:")


def _log_accepted(envelope: Envelope) -> None:
    if not log.isEnabledFor(logging.INFO):
        return
    log.info(
        "accepted",
        extra={
            "fields": {
                "spool_id": envelope.spool_id,
                "peer": envelope.peer,
                "mail_from": envelope.mail_from,
                "recipients": len(envelope.rcpt_to),
                "size_bytes": envelope.size_bytes,
                "bare_eol": envelope.bare_eol,
                "tls": envelope.tls,
            }
        },
    )
