"""The way to a provider: straight, bounded in bytes, and never compressed.

An answer that does not end would otherwise be kept in memory for as long as a call may take, and
a small compressed one could become a large one.
"""

import ssl
from collections.abc import AsyncIterator

import httpx2

MOST_BYTES = 8 << 20
"""Of one answer, as it comes over the wire: many times the longest that is asked for."""


class AnswerTooLongError(Exception):
    """An answer has more bytes than any that was asked for; it is left unread."""


class AnswerPackedError(Exception):
    """An answer is compressed, though that was not asked for; it is not opened."""


class AnswerMovedError(Exception):
    """The address leads to another one, which would get key and mail; nobody goes there."""


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """Connections without the proxies of the environment, whose answers end somewhere."""

    def __init__(self, *, limits: httpx2.Limits, encrypted: bool = True) -> None:
        """Take certificates of authority as the environment names them, and nothing else.

        They take 25 ms of processor time to load. Where nothing is `encrypted`, as to a server of
        one's own, none is loaded, and so no certificate would be trusted.
        """
        if encrypted:
            context = httpx2.create_ssl_context(trust_env=True)
        else:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        super().__init__(verify=context, trust_env=False, limits=limits)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Ask, and give back an answer whose body stops at the limit.

        Raises:
            AnswerMovedError: it is a redirect.
            AnswerPackedError: it is compressed.

        """
        request.headers["accept-encoding"] = "identity"
        response = await super().handle_async_request(request)
        if response.is_redirect:
            await response.aclose()
            raise AnswerMovedError
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise AnswerPackedError
        assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101  # of this transport
        response.stream = _Bounded(response.stream)
        return response


class _Bounded(httpx2.AsyncByteStream):
    """A body that may have so many bytes."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the body; raises AnswerTooLongError."""
        came = 0
        async for piece in self._body:
            came += len(piece)
            if came > MOST_BYTES:
                raise AnswerTooLongError
            yield piece

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._body.aclose()
