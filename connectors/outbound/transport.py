"""The interface of a transport: one verb, one result, and the check of what goes through it."""

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Protocol

from connectors import line_ends
from connectors.addresses import is_address
from data.errors import OutsidePermanentError, OutsideTemporaryError
from data.records.core.record import Record


class NoLoginError(OutsideTemporaryError):
    """There is nothing to sign in with now; the sentence says why."""


class DeliveryKind(StrEnum):
    """How one attempt ended."""

    SENT = "sent"  #: the next server has taken responsibility for every recipient
    DEFERRED = "deferred"  #: refused for now, or never begun; another attempt is safe
    FAILED = "failed"  #: refused for good
    UNKNOWN = "unknown"  #: the final dot went out and no answer came; never tried again by itself
    STOPPED = "stopped"  #: the kill switch was found on just before DATA; nothing was sent


class RecipientResult(Record):
    """What became of one recipient."""

    address: str
    kind: DeliveryKind
    code: int = 0
    """The reply code; 0 when there was none."""
    text: str = ""


class DeliveryResult(Record):
    """What became of one attempt.

    Partial acceptance is real: `kind` is SENT as soon as one recipient was taken, and
    `recipients` tells which ones were not.
    """

    kind: DeliveryKind
    code: int = 0
    """The reply code that decided; 0 when there was none."""
    text: str = ""
    """The reply that decided, or the error."""
    recipients: tuple[RecipientResult, ...] = ()


AskMayLeave = Callable[[], Awaitable[bool]]
"""Asked right before DATA: whether sending is still allowed."""
Tell = Callable[[], Awaitable[None]]
"""Told after the last byte of the message and before the final dot; commits `dot_sent`."""


class Transport(Protocol):
    """A way out."""

    exactly_once: bool
    """Whether an attempt that was cut off may be repeated without sending twice."""

    async def deliver(
        self,
        raw: bytes,
        mail_from: str,
        rcpt_to: Sequence[str],
        *,
        before_data: AskMayLeave,
        before_dot: Tell,
    ) -> DeliveryResult:
        """Make one attempt; what goes wrong outside is in the result, never raised."""
        ...


def check_outgoing(raw: bytes, mail_from: str, rcpt_to: Sequence[str]) -> None:
    """Raise OutsidePermanentError unless these bytes and addresses may go on the wire.

    No bare CR, LF or NUL (nothing is smuggled out), a line end at the end, lines of
    at most 998 bytes (RFC 5322 section 2.1.1), addresses without control characters or brackets.
    """
    if b"\0" in raw or line_ends.has_bare_ends(raw):
        raise OutsidePermanentError("the message holds a bare CR or LF or a NUL; render it anew")
    if not raw.endswith(b"\r\n"):
        raise OutsidePermanentError("the message does not end with CRLF; render it anew")
    if len(raw) > 998 and max(map(len, raw.split(b"\r\n"))) > 998:
        raise OutsidePermanentError("the message holds a line over 998 bytes; render it anew")
    if not rcpt_to:
        raise OutsidePermanentError("the message has no recipient; add one")
    for address in (*rcpt_to, *((mail_from,) if mail_from else ())):
        if not is_address(address):
            raise OutsidePermanentError(f"the address {address!r} cannot be used; correct it")


def find_refusal(raw: bytes, mail_from: str, rcpt_to: Sequence[str]) -> DeliveryResult | None:
    """Return that a message failed which may not go on the wire; None for one that may."""
    try:
        check_outgoing(raw, mail_from, rcpt_to)
    except OutsidePermanentError as error:
        return build_common_result(rcpt_to, DeliveryKind.FAILED, text=str(error))
    return None


def build_common_result(
    rcpt_to: Sequence[str], kind: DeliveryKind, code: int = 0, text: str = ""
) -> DeliveryResult:
    """Return a result in which every recipient has the same fate."""
    each = tuple(RecipientResult(address=a, kind=kind, code=code, text=text) for a in rcpt_to)
    return DeliveryResult(kind=kind, code=code, text=text, recipients=each)
