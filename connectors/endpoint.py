"""Forwarding a message as a signed webhook (Standard Webhooks 1.0.0), safe against SSRF.

The host is resolved once, every address it has is looked at, and the connection goes to the
address that was looked at: a name that answers differently the next time gains nothing. There are
no redirects, no proxies and no credentials in the URL.
"""

import asyncio
import base64
import json
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from functools import cached_property
from urllib.parse import SplitResult, urlsplit

import httpx

from connectors.bounded_http import (
    EndpointForbiddenError,
    ResolveHost,
    pin_url,
    post_pinned,
    resolve_host,
)
from connectors.webhook import sign
from data.records.core.envelope import Envelope

TIMEOUT_SECONDS = 15.0
#: An attempt gets one second more for so many bytes, up to the most that it may take.
BYTES_PER_SECOND, LONGEST_SECONDS = 250_000, 300.0
#: The longest wait that an endpoint may ask for.
LONGEST_WAIT = timedelta(days=1)
#: Answers that may say when to come again.
BUSY = (429, 503)
EVENT = "mail.received"

#: Waits after the first, second, … failure: 10 attempts within two days.
WAITS = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 60, 300, 1800, 3600, 2 * 3600, 5 * 3600, 10 * 3600, 20 * 3600)
)
_JITTER = 0.2


class EndpointOutcome(StrEnum):
    """How an attempt ended."""

    DELIVERED = "delivered"  #: the endpoint has said 2xx
    DEFERRED = "deferred"  #: it may work later
    FAILED = "failed"  #: trying again will not help


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointResult:
    """What came of one attempt."""

    outcome: EndpointOutcome
    status: int | None = None
    """HTTP status; None when no answer came."""
    detail: str = ""
    """One sentence for a person."""
    retry_after: timedelta | None = None
    """How long the endpoint asks to be left alone, a day at most."""


def retry_wait(failures: int, chance: float) -> timedelta | None:
    """Return how long to wait after so many failures in a row, None when it is time to give up.

    `chance` in [0, 1) spreads the waits by a fifth, so that many deliveries do not come at once.
    """
    if failures > len(WAITS):
        return None
    return WAITS[max(failures, 1) - 1] * (1 - _JITTER + 2 * _JITTER * chance)


def build_payload(envelope: Envelope, raw: bytes) -> bytes:
    """Return the JSON body: `type`, `timestamp` and `data` as the standard proposes."""
    data = {
        "spool_id": envelope.spool_id,
        "mail_from": envelope.mail_from,
        "rcpt_to": list(envelope.rcpt_to),
        "received_at": envelope.received_at.isoformat(),
        "bare_eol": envelope.bare_eol,
        "sha256": envelope.sha256,
        "raw": base64.b64encode(raw).decode("ascii"),
    }
    body = {"type": EVENT, "timestamp": envelope.received_at.isoformat(), "data": data}
    return json.dumps(body, separators=(",", ":")).encode()


class EndpointClient:
    """Posts messages to an organization's own endpoints."""

    def __init__(
        self,
        *,
        allow_private: bool = False,
        tls: ssl.SSLContext | None = None,
        resolve: ResolveHost | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """`allow_private` lets plain HTTP, private and loopback addresses through."""
        self._allow_private = allow_private
        self._given_tls = tls
        self._resolve = resolve or resolve_host
        self._timeout = timeout_seconds

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Whom to trust; the certificates of a system take a while to load."""
        return self._given_tls or ssl.create_default_context()

    async def send(
        self, url: str, secret: str, envelope: Envelope, raw: bytes, now: datetime | None = None
    ) -> EndpointResult:
        """Try once. The `webhook-id` is the spool id, so that the receiver recognizes a repeat.

        Raises ForbiddenError when the secret is not valid (`connectors.webhook.sign`).
        """
        body = await asyncio.to_thread(build_payload, envelope, raw)
        return await self.post(url, secret, envelope.spool_id, body, now)

    async def post(
        self, url: str, secret: str, identity: str, body: bytes, now: datetime | None = None
    ) -> EndpointResult:
        """Try once to hand over a JSON body under an id; raises as `send`."""
        now = now or datetime.now(UTC)
        headers = await asyncio.to_thread(sign, secret, identity, now, body)
        seconds = min(self._timeout + len(body) / BYTES_PER_SECOND, LONGEST_SECONDS)
        try:
            parts = self.split_allowed_url(url)
            async with asyncio.timeout(seconds):
                status, asked_wait = await self._post(parts, headers, body)
        except EndpointForbiddenError as error:
            return EndpointResult(outcome=EndpointOutcome.FAILED, detail=str(error))
        except TimeoutError:
            detail = f"{url!r} did not answer within {seconds:.3g} s"
            return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=detail)
        except (OSError, httpx.HTTPError, httpx.InvalidURL) as bad:
            detail = f"{url!r} cannot be reached: {str(bad) or type(bad).__name__}"
            return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=detail)
        return _build_result(url, status, _parse_retry_after(asked_wait, now))

    def split_allowed_url(self, url: str) -> SplitResult:
        """Return the parts of a URL that may be called; its host is checked at each call, not here.

        Raises EndpointForbiddenError when it must not be called.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise EndpointForbiddenError(f"the endpoint {url!r} is not a URL; mend it") from None
        schemes = {"https", "http"} if self._allow_private else {"https"}
        if parts.scheme not in schemes:
            raise EndpointForbiddenError(f"the endpoint {url!r} is not https; use an https URL")
        if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
            raise EndpointForbiddenError(f"the endpoint {url!r} holds letters that a URL cannot")
        if not parts.hostname or parts.username is not None or "@" in parts.netloc or port == 0:
            raise EndpointForbiddenError(f"the endpoint {url!r} must name a host and no user")
        try:
            parts.hostname.encode("idna")
        except UnicodeError:  # an empty label, or one of more than 63 letters
            raise EndpointForbiddenError(
                f"the host of the endpoint {url!r} cannot be a name; mend it"
            ) from None
        return parts

    async def _post(
        self, parts: SplitResult, headers: dict[str, str], body: bytes
    ) -> tuple[int, str]:
        pinned = await pin_url(
            parts,
            self._resolve,
            allow_private=self._allow_private,
            whose="the endpoint's host",
            setting="endpoint_allow_private",
        )
        tls = await asyncio.to_thread(lambda: self._tls)
        async with post_pinned(pinned, body, headers, tls) as answer:
            status = answer.status_code
            return status, answer.headers.get("Retry-After", "") if status in BUSY else ""


def _parse_retry_after(value: str, now: datetime) -> timedelta | None:
    """Return what Retry-After asks for: seconds, or a date (RFC 9110 section 10.2.3)."""
    if value.isascii() and value.isdigit():
        return min(timedelta(seconds=int(value[:10])), LONGEST_WAIT)
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # a year of many digits is no date either
        return None
    wait = (at if at.tzinfo else at.replace(tzinfo=UTC)) - now
    return min(max(wait, timedelta()), LONGEST_WAIT)


def _build_result(url: str, status: int, retry_after: timedelta | None) -> EndpointResult:
    """Return the result for a status: all but 2xx and 410 is tried again, as the standard says."""
    if 200 <= status < 300:
        return EndpointResult(outcome=EndpointOutcome.DELIVERED, status=status)
    is_gone = status == 410
    return EndpointResult(
        outcome=EndpointOutcome.FAILED if is_gone else EndpointOutcome.DEFERRED,
        status=status,
        detail=f"{url!r} answered {status}" + (" and wants no more" if is_gone else ""),
        retry_after=retry_after,
    )
