"""What every HTTP call to a service of others needs: an address looked at, an answer that ends."""

from dataclasses import dataclass
from urllib.parse import SplitResult

import httpx

from connectors.endpoint import EndpointForbiddenError, Resolve, is_allowed
from data.errors import OutsidePermanentError


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
    parts: SplitResult, resolve: Resolve, *, allow_private: bool, whose: str, setting: str
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
        if not is_allowed(address, allow_private=allow_private):
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


async def read_bounded(answer: httpx.Response, most_bytes: int, refusal: str) -> bytes:
    """Return the body of a streamed answer.

    Raises:
        OutsidePermanentError: with the sentence `refusal`, when it has more than `most_bytes`.

    """
    content = bytearray()
    async for piece in answer.aiter_bytes():
        content += piece
        if len(content) > most_bytes:
            raise OutsidePermanentError(refusal)
    return bytes(content)
