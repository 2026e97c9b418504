"""One message on its way from the wire to the spool, and why it may be refused."""

from connectors.receiver.data import DataDecoder
from connectors.receiver.limits import Limits
from connectors.spool import SpoolWriter

TOO_BIG = "552 5.3.4 Message size exceeds fixed limit"
LINE_TOO_LONG = "554 5.6.0 A line is longer than 65536 bytes"
TOO_MANY_HOPS = "554 5.4.6 Too many hops, this message is going in circles"
TOO_SLOW = "421 4.4.2 Data comes too slowly"
HEAD_BYTES = 65_536


class IncomingMessage:
    """What follows 354: goes to a writer, piece by piece, until there is a reason to refuse it."""

    def __init__(self, writer: SpoolWriter, limits: Limits, now: float) -> None:
        self.writer = writer
        self.refusal = ""
        """The reply after the final dot; what follows it is read and not kept."""
        self.last_word = ""
        """The reply to a client that is not listened to until the final dot."""
        self._limits, self._began = limits, now
        self._decoder = DataDecoder()
        self._head = bytearray()

    @property
    def ended(self) -> bool:
        """Whether the final dot has come."""
        return self._decoder.finished

    @property
    def rest(self) -> bytes:
        """What came after the final dot."""
        return self._decoder.rest

    def feed(self, chunk: bytes, now: float) -> None:
        """Take bytes from the wire; `now` is in seconds of the clock that the message began by."""
        decoder = self._decoder
        content = decoder.feed(chunk)
        self.refusal = self.refusal or self._objection(len(content))
        if not self.refusal:
            if len(self._head) < HEAD_BYTES:
                self._head += content[: HEAD_BYTES - len(self._head)]
            self.writer.write(content)
        if decoder.finished:
            self.writer.bare_eol = decoder.bare_eol
            if not self.refusal and count_hops(self._head) > self._limits.hops:
                self.refusal = TOO_MANY_HOPS
        elif decoder.wire_bytes > self._limits.message_bytes * 1.1:
            self.last_word = TOO_BIG
        elif self._is_slow(now - self._began):
            self.last_word = TOO_SLOW

    def _objection(self, more: int) -> str:
        if self._decoder.too_long:
            return LINE_TOO_LONG
        return TOO_BIG if self.writer.size_bytes + more > self._limits.message_bytes else ""

    def _is_slow(self, elapsed: float) -> bool:
        """Return whether the average is below the least rate, once the grace time has passed."""
        least = elapsed * self._limits.data_bytes_per_second
        return elapsed > self._limits.data_grace_seconds and self._decoder.wire_bytes < least

    def abort(self) -> None:
        """Forget the message, unless it is being stored or is stored."""
        if not self.writer.committing:
            self.writer.abort()


def count_hops(head: bytes | bytearray) -> int:
    """Return how many Received lines the header holds (RFC 5321 section 6.3)."""
    header = head.partition(b"\r\n\r\n")[0].lower()
    return header.count(b"\r\nreceived:") + header.startswith(b"received:")
