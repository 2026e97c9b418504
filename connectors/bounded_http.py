"""HTTP calls to services of others: the address is looked at first, the answer is bounded."""

import asyncio
import ipaddress
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import SplitResult

import httpx

from data.errors import OutsidePermanentError

ResolveHost = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host, for its name and a port; raises OSError where it has none."""
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NEVER = tuple(
    ipaddress.ip_network(text)
    for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "168.63.129.16/32")
)
"""Addresses with others inside them, and a cloud's inner service that looks like a public one."""
_EC2_METADATA = ipaddress.IPv6Address("fd00:ec2::254")
_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
"""What is given out of IPv6 to be reached from everywhere (RFC 4291); elsewhere is more than the
library calls private: site-local addresses, and forms that hold one of IPv4."""

UNPACKED = {"Accept-Encoding": "gzip"}
"""What a request says of how its answer may be packed: as `BoundedBody` unpacks it."""
_EITHER_HEAD = 32 + zlib.MAX_WBITS
"""For zlib: a head of gzip or its own."""


class EndpointForbiddenError(OutsidePermanentError):
    """The URL is not one that may be called."""


@dataclass(frozen=True)
class PinnedUrl:
    """A URL whose host was resolved once, so that the call goes to the address looked at."""

    url: str
    """With the address in the place of the host."""
    host: str
    """The name that the certificate has to bear."""
    netloc: str
    """What goes into the header Host."""


async def pin_url(
    parts: SplitResult, resolve: ResolveHost, *, allow_private: bool, whose: str, setting: str
) -> PinnedUrl:
    """Resolve the host of a URL, and look at every address that it has.

    Args:
        parts: of a URL that may be called.
        resolve: how a host is resolved.
        allow_private: whether inner addresses may be called.
        whose: the host's role, as a refusal names it.
        setting: the name of the setting that lets inner addresses through.

    Raises:
        OSError: the host has no address.
        EndpointForbiddenError: one of its addresses may not be called.

    """
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    addresses = await resolve(host, port)
    if not addresses:
        raise OSError("the name has no address")
    for address in addresses:
        if not may_be_called(address, allow_private=allow_private):
            raise EndpointForbiddenError(
                f"{whose} {host!r} leads to {address!r}, which is not a public address; set "
                f"{setting!r} if it is meant"
            )
    shown = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    query = f"?{parts.query}" if parts.query else ""
    return PinnedUrl(
        url=f"{parts.scheme}://{shown}:{port}{parts.path or '/'}{query}",
        host=host,
        netloc=parts.netloc,
    )


def may_be_called(address: str, *, allow_private: bool) -> bool:
    """Return whether an IP address may be called: public ones, and inner ones where allowed.

    Never may link-local, multicast and reserved ones, and those of a cloud's metadata.
    """
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
    return ip.is_global and (ip.version == 4 or ip in _GIVEN_OUT)


async def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of a host, in the order to try them.

    Raises:
        OSError: the host has none, or its name is not one that a host can have.

    """
    loop = asyncio.get_running_loop()
    try:
        addresses = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # an empty label, or one over 63 letters
        raise OSError(f"{host!r} is not the name of a host") from error
    return list(dict.fromkeys(str(address[0]) for *_, address in addresses))


@asynccontextmanager
async def post_pinned(
    pinned: PinnedUrl, body: bytes, headers: Mapping[str, str], tls: ssl.SSLContext
) -> AsyncIterator[httpx.Response]:
    """Post JSON as `request_pinned` sends it; yields the answer."""
    async with request_pinned("POST", pinned, body, headers, tls) as answer:
        yield answer


@asynccontextmanager
async def request_pinned(
    method: str, pinned: PinnedUrl, body: bytes, headers: Mapping[str, str], tls: ssl.SSLContext
) -> AsyncIterator[httpx.Response]:
    """Send a request to the address that was looked at.

    Yields the answer, of which only the head is read. A body is JSON; a header may hold any
    letters, in UTF-8. The certificate has to bear the host's name. There are no redirects and no
    proxies, and no limit of time: the caller sets one for all.
    """
    common = {"Host": pinned.netloc, "User-Agent": "Postern", **UNPACKED}
    if body:
        common["Content-Type"] = "application/json"
    async with (
        httpx.AsyncClient(
            verify=tls,
            trust_env=False,
            follow_redirects=False,
            timeout=None,  # noqa: S113  # the caller limits the whole
        ) as client,
        client.stream(
            method,
            pinned.url,
            content=body or None,
            headers=encode_headers({**common, **headers}),
            extensions={"sni_hostname": pinned.host},
        ) as answer,
    ):
        yield answer


def encode_headers(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Return header fields as octets: of text httpx takes ASCII alone, and a key may hold more."""
    return [(name.encode("ascii"), value.encode()) for name, value in headers.items()]


class BoundedBody:
    """The body of a streamed answer, unpacked no further than to one byte over a limit.

    `add` takes it piece by piece, `whole` returns it. httpx unpacks a piece whole, once for each
    coding named: a few bytes may stand for gigabytes.
    """

    def __init__(self, answer: httpx.Response, most_bytes: int) -> None:
        """Begin with nothing; raises httpx.DecodingError where it is packed in another way."""
        self._content = bytearray()
        self._answer, self._most = answer, most_bytes
        coding = answer.headers.get("Content-Encoding", "").strip().lower()
        self._unpacking = zlib.decompressobj(_EITHER_HEAD) if coding == "gzip" else None
        self._begun = False
        if coding not in ("", "identity", "gzip"):
            raise self._undecodable(
                f"the answer is packed as {coding[:40]!r}, which was not asked for"
            )

    def add(self, piece: bytes) -> bool:
        """Take a raw piece; return whether all that came is still within the limit.

        Raises:
            httpx.DecodingError: it is not packed as it says, or goes on behind its end.

        """
        if self._unpacking is None:
            self._content += piece
            return len(self._content) <= self._most
        self._begun = self._begun or bool(piece)
        if self._unpacking.eof and piece:
            raise self._undecodable("the answer goes on behind its end")
        try:
            self._content += self._unpacking.decompress(piece, self._most + 1 - len(self._content))
        except zlib.error as error:
            raise self._undecodable(str(error)) from error
        if self._unpacking.unused_data:
            raise self._undecodable("the answer goes on behind its end")
        return len(self._content) <= self._most

    def whole(self) -> bytes:
        """Return the body, once all pieces were taken.

        Raises:
            httpx.DecodingError: what was packed ends early.

        """
        if self._unpacking and self._begun and not self._unpacking.eof:
            raise self._undecodable("the answer ends early")
        return bytes(self._content)

    def _undecodable(self, reason: str) -> httpx.DecodingError:
        return httpx.DecodingError(reason, request=self._answer.request)


async def read_bounded(answer: httpx.Response, most_bytes: int, refusal: str) -> bytes:
    """Return the body of a streamed answer.

    Raises:
        OutsidePermanentError: with the sentence `refusal`, when it has more than `most_bytes`.
        httpx.HTTPError: it ends early, or cannot be unpacked.

    """
    body = BoundedBody(answer, most_bytes)
    async for piece in answer.aiter_raw():
        if not body.add(piece):
            raise OutsidePermanentError(refusal)
    return body.whole()
