"""From 354 to 250: streaming a message into the spool and answering for it."""

import asyncio
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
HEAD_BYTES = 65_536


async def take_message(session: "SmtpSession") -> str:
    """Read the message, make it durable, and return the reply: 250 only when it is on disk.

    Raises ConnectionError when the client leaves before the final dot; then nothing is kept.
    """
    session._reset_timeout(session.door.limits.data_seconds)
    writer = session.door.spool.open_writer(
        channel=Channel.SMTP,
        mail_from=session.sender or "",
        rcpt_to=session.recipients,
        peer=session.peer,
        helo=session.helo,
        tls=session._tls_protocol is not None,
    )
    try:
        await session.push("354 End data with <CR><LF>.<CR><LF>")
        refusal = await _stream(session, writer)
        if refusal:
            writer.abort()
            return refusal
        # The clock of the client stands still from here: RFC 1047 asks for haste.
        session._reset_timeout(session.door.limits.store_seconds + 30)
        envelope = await session.door.store(writer)
    except SpoolError as error:
        log.warning("not_stored", extra={"fields": {"peer": session.peer, "error": str(error)}})
        return reply_for(error)
    except (ConnectionError, asyncio.CancelledError):
        if not writer.committing:
            writer.abort()
        raise
    _log_accepted(envelope)
    return f"250 2.0.0 Ok: queued as {envelope.spool_id}"


async def _stream(session: "SmtpSession", writer: SpoolWriter) -> str:
    """Move the message from the socket to the writer; return a refusal, or nothing."""
    limits = session.door.limits
    decoder = DataDecoder()
    began = session.loop.time()
    head, refusal = b"", ""
    while not decoder.finished:
        chunk = await session.read_some()
        if not chunk:
            raise ConnectionResetError("the client left in the middle of a message")
        content = decoder.feed(chunk)
        if decoder.wire_bytes > limits.message_bytes * 1.1 and not decoder.finished:
            session.hang_up(TOO_BIG)
            raise ConnectionResetError("the client sent far more than the limit")
        if not refusal:
            refusal = _objection(decoder, writer.size_bytes + len(content), limits.message_bytes)
        if not refusal:
            head += content[: HEAD_BYTES - len(head)]
            writer.write(content)
            if writer.full:
                await session.door.committer.spill(writer)
        _keep_pace(session, decoder.wire_bytes, began)
    session.unread(decoder.rest)
    writer.bare_eol = decoder.bare_eol
    return refusal or (TOO_MANY_HOPS if hops(head) > limits.hops else "")


def _objection(decoder: DataDecoder, size_bytes: int, limit_bytes: int) -> str:
    """Return why the rest of a message is read but not kept."""
    if decoder.too_long:
        return LINE_TOO_LONG
    return TOO_BIG if size_bytes > limit_bytes else ""


def _keep_pace(session: "SmtpSession", taken: int, began: float) -> None:
    """Give the next piece its time, unless the client is slower than the least rate."""
    limits = session.door.limits
    elapsed = session.loop.time() - began
    if elapsed > limits.data_grace_seconds and taken < elapsed * limits.data_bytes_per_second:
        session.hang_up("421 4.4.2 Data comes too slowly")
        raise ConnectionResetError("the client was too slow")
    session._reset_timeout(limits.data_seconds)


def hops(head: bytes) -> int:
    """Return how many Received lines the header holds (RFC 5321 section 6.3)."""
    header = head.partition(b"\r\n\r\n")[0].lower()
    return header.count(b"\r\nreceived:") + header.startswith(b"received:")


def _log_accepted(envelope: Envelope) -> None:
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
