"""The inbound webhook: Standard Webhooks 1.0.0 signatures, and mail in a JSON body.

The signature check is ours and not the `standardwebhooks` package's: that one reads the clock
itself, takes tokens apart with unguarded `split` and `b64decode` (a forged header raises
ValueError instead of being refused), and parses the time as a float.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field, ValidationError

from connectors.addresses import is_address
from data.errors import ForbiddenError, UnreadableMailError
from data.records.core.record import Record

TOLERANCE = timedelta(minutes=5)
MAX_ID = 256
MAX_SIGNATURES = 16
PREFIX = "whsec_"


def verify(secret: str, headers: Mapping[str, str], body: bytes, now: datetime) -> str:
    """Return the `webhook-id` of an authentic delivery; it is the idempotency key.

    The id must be remembered for 24 hours by the caller, who refuses a replay. Raises
    ForbiddenError: no word about which part was wrong reaches the sender beyond the sentence.
    """
    header_values = {name.lower(): value for name, value in headers.items()}
    webhook_id = header_values.get("webhook-id", "")
    if not (0 < len(webhook_id) <= MAX_ID and webhook_id.isascii() and webhook_id.isprintable()):
        raise ForbiddenError("the header 'webhook-id' is missing or malformed; send one")
    if "." in webhook_id:
        raise ForbiddenError("the header 'webhook-id' holds a dot; use ids without one")
    stamp = header_values.get("webhook-timestamp", "")
    _check_time(stamp, now)
    expected = _digest(secret, webhook_id, stamp, body)
    signatures = header_values.get("webhook-signature", "").split(" ")[:MAX_SIGNATURES]
    # Every signature is compared, so that the time says nothing about which one was near.
    matches = [
        hmac.compare_digest(expected, _decode_signature(signature)) for signature in signatures
    ]
    if not any(matches):
        raise ForbiddenError("no signature matches; sign with the secret shown by Postern")
    return webhook_id


def sign(secret: str, webhook_id: str, sent_at: datetime, body: bytes) -> dict[str, str]:
    """Return the three headers of a delivery of ours, signed with the key `secret` (`whsec_…`).

    Raises:
        ForbiddenError: the secret is not a key of 24 to 64 bytes.

    """
    stamp = str(int(sent_at.timestamp()))
    digest = base64.b64encode(_digest(secret, webhook_id, stamp, body)).decode("ascii")
    return {
        "webhook-id": webhook_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{digest}",
    }


def _check_time(stamp: str, now: datetime) -> None:
    """Raise ForbiddenError for a time over `TOLERANCE` away from `now`, in either direction."""
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
        raise ForbiddenError("the header 'webhook-timestamp' is not a count of seconds")
    if abs(int(stamp) - now.timestamp()) > TOLERANCE.total_seconds():
        raise ForbiddenError("the header 'webhook-timestamp' is too far from now; check the clock")


def _digest(secret: str, webhook_id: str, stamp: str, body: bytes) -> bytes:
    return hmac.digest(_key(secret), f"{webhook_id}.{stamp}.".encode() + body, hashlib.sha256)


def _key(secret: str) -> bytes:
    """Return the key of `whsec_…`, 24 to 64 bytes in base64 (Standard Webhooks).

    Raises:
        ForbiddenError: the secret is no such key.

    """
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX) + "==", validate=False)
    except ValueError:  # not base64, or not even ASCII
        key = b""
    if not 24 <= len(key) <= 64:
        raise ForbiddenError("the webhook secret is not 24 to 64 bytes in base64; make a new one")
    return key


def _decode_signature(signature: str) -> bytes:
    """Return the digest of one `v1,…` token; empty, which matches nothing, when it is not one."""
    version, _, text = signature.partition(",")
    if version != "v1":
        return b""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


class WebhookMail(Record):
    """The JSON body of an inbound webhook: a message and its envelope."""

    mail_from: str = Field(default="", max_length=254)
    """The reverse-path; empty for the null sender."""
    rcpt_to: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]
    """The forward-paths; each needs a route."""
    raw: str = Field(min_length=1)
    """The message (RFC 5322) in base64."""


def read_payload(body: bytes) -> tuple[str, tuple[str, ...], bytes]:
    """Return (mail_from, rcpt_to, raw) of a verified body.

    Raises UnreadableMailError, which says what is wrong with it.
    """
    try:
        mail = WebhookMail.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        raise UnreadableMailError(
            f"the webhook's {where!r} cannot be used: {first['msg']}; "
            "send JSON with 'mail_from', 'rcpt_to' and 'raw'"
        ) from error
    for address in (*mail.rcpt_to, *filter(None, (mail.mail_from,))):
        if not is_address(address):
            raise UnreadableMailError(f"the webhook's address {address!r} is not an address")
    try:
        raw = base64.b64decode(mail.raw, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnreadableMailError("the webhook's 'raw' is not base64") from error
    return mail.mail_from, mail.rcpt_to, raw
