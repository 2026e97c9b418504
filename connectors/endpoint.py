"""Forwarding a message as a signed webhook (Standard Webhooks 1.0.0), safe against SSRF.

The host is resolved once, every address it has is looked at, and the connection goes to the
address that was looked at: a name that answers differently the next time gains nothing. There are
no redirects, no proxies and no credentials in the URL.
"""

import asyncio
import base64
import contextlib
import ipaddress
import json
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from connectors.webhook import sign
from data.errors import OutsidePermanentError
from data.records.mail.envelope import Envelope

TIMEOUT_SECONDS = 15.0
#: What a large message gets on top, and the most that an attempt may take.
BYTES_PER_SECOND, LONGEST_SECONDS = 250_000, 300.0
#: The longest wait that an endpoint may ask for.
LONGEST_WAIT = timedelta(days=1)
HEAD_BYTES = 16_384
HEAD_LINES, HEAD_SECONDS = 100, 2.0
#: Answers that may say when to come again.
BUSY = (429, 503)
EVENT = "mail.received"

#: Waits after the first, second, … failure: 10 attempts within two days.
WAITS = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 60, 300, 1800, 3600, 2 * 3600, 5 * 3600, 10 * 3600, 20 * 3600)
)
_JITTER = 0.2

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Addresses with others inside them, and a cloud's inner service that looks like a public one.
_NEVER = tuple(
    ipaddress.ip_network(text)
    for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "168.63.129.16/32")
)


class EndpointForbiddenError(OutsidePermanentError):
    """The URL is not one that may be called."""


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


def payload(envelope: Envelope, raw: bytes) -> bytes:
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
    """Posts messages to endpoints of the organization's own."""

    def __init__(
        self,
        *,
        allow_private: bool = False,
        tls: ssl.SSLContext | None = None,
        resolve: Resolve | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """`allow_private` lets plain HTTP, private and loopback addresses through."""
        self._allow_private = allow_private
        self._tls = tls or ssl.create_default_context()
        self._resolve = resolve or _resolve
        self._timeout = timeout_seconds

    async def send(
        self, url: str, secret: str, envelope: Envelope, raw: bytes, now: datetime | None = None
    ) -> EndpointResult:
        """Try once. The `webhook-id` is the spool id, so that a repeat is known for one.

        Raises ForbiddenError when the secret is none.
        """
        body = await asyncio.to_thread(payload, envelope, raw)
        return await self.post(url, secret, envelope.spool_id, body, now)

    async def post(
        self, url: str, secret: str, identity: str, body: bytes, now: datetime | None = None
    ) -> EndpointResult:
        """Try once to hand over a JSON body under an id; raises as `send`."""
        now = now or datetime.now(UTC)
        headers = await asyncio.to_thread(sign, secret, identity, now, body)
        seconds = min(self._timeout + len(body) / BYTES_PER_SECOND, LONGEST_SECONDS)
        try:
            parts = self.checked(url)
            async with asyncio.timeout(seconds):
                status, after = await self._post(parts, headers, body)
        except EndpointForbiddenError as error:
            return EndpointResult(outcome=EndpointOutcome.FAILED, detail=str(error))
        except TimeoutError:
            detail = f"{url!r} did not answer within {seconds:.3g} s"
            return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=detail)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as bad:
            detail = f"{url!r} cannot be reached: {str(bad) or type(bad).__name__}"
            return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=detail)
        return _judged(url, status, _asked_wait(after, now))

    def checked(self, url: str) -> SplitResult:
        """Return the parts of a URL that may be called; its host is looked at with each call.

        Raises EndpointForbiddenError when it is none.
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
        return parts

    async def _post(
        self, parts: SplitResult, headers: dict[str, str], body: bytes
    ) -> tuple[int, str]:
        secure = parts.scheme == "https"
        host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        addresses = await self._resolve(host, port)
        if not addresses:
            raise OSError("the name has no address")
        for address in addresses:
            if not is_allowed(address, allow_private=self._allow_private):
                raise EndpointForbiddenError(
                    f"the endpoint's host {host!r} leads to {address!r}, which is not a public "
                    "address; set 'endpoint_allow_private' if it is meant"
                )
        reader, writer = await asyncio.open_connection(
            addresses[0],
            port,
            ssl=self._tls if secure else None,
            server_hostname=host if secure else None,
            limit=HEAD_BYTES,
        )
        try:
            writer.write(_head(parts, headers, len(body)))
            writer.write(body)
            await writer.drain()
            status = _status(await reader.readuntil(b"\n"))
            return status, await _retry_after(reader) if status in BUSY else ""
        finally:
            writer.transport.abort()


def is_allowed(address: str, *, allow_private: bool) -> bool:
    """Return whether an address may be called; link-local ones and metadata never."""
    try:
        ip: _Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if any(ip.version == network.version and ip in network for network in _NEVER):
        return False
    if ip.is_multicast or ip.is_link_local or ip.is_unspecified or ip == _EC2_METADATA:
        return False
    if allow_private and (ip.is_private or ip.is_loopback):
        return not ip.is_reserved or ip.is_loopback
    return ip.is_global


_EC2_METADATA = ipaddress.IPv6Address("fd00:ec2::254")


async def _resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, in the order to try them."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _head(parts: SplitResult, headers: dict[str, str], length: int) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {parts.netloc}",
        "User-Agent: Postern",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "Connection: close",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def _status(line: bytes) -> int:
    """Return the status of an HTTP status line (RFC 9112 section 4); ValueError when it is none."""
    version, _, rest = line.partition(b" ")
    code = rest[:3]
    if not version.startswith(b"HTTP/1.") or not code.isdigit() or rest[3:4] not in {b" ", b"\r"}:
        raise ValueError("the answer is not HTTP")
    return int(code)


async def _retry_after(reader: asyncio.StreamReader) -> str:
    """Return the value of the field Retry-After, empty when there is none."""
    with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError, TimeoutError):
        async with asyncio.timeout(HEAD_SECONDS):
            for _ in range(HEAD_LINES):
                line = (await reader.readuntil(b"\n")).strip()
                name, _, value = line.partition(b":")
                if name.lower() == b"retry-after":
                    return value.strip().decode("ascii", "replace")
                if not line:
                    break
    return ""


def _asked_wait(value: str, now: datetime) -> timedelta | None:
    """Return what Retry-After asks for: seconds, or a date (RFC 9110 section 10.2.3)."""
    if value.isascii() and value.isdigit() and len(value) < 10:
        return min(timedelta(seconds=int(value)), LONGEST_WAIT)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    wait = (at if at.tzinfo else at.replace(tzinfo=UTC)) - now
    return min(max(wait, timedelta()), LONGEST_WAIT)


def _judged(url: str, status: int, retry_after: timedelta | None) -> EndpointResult:
    """Return the result for a status: all but 2xx and 410 is tried again, as the standard says."""
    if 200 <= status < 300:
        return EndpointResult(outcome=EndpointOutcome.DELIVERED, status=status)
    gone = status == 410
    return EndpointResult(
        outcome=EndpointOutcome.FAILED if gone else EndpointOutcome.DEFERRED,
        status=status,
        detail=f"{url!r} answered {status}" + (" and wants no more" if gone else ""),
        retry_after=retry_after,
    )
