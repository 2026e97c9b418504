"""Calling an HTTP service of the organization's, as it is declared: one request, one answer.

What is called is fixed by the declaration; only the values of its parameters come from a call, and
each is encoded for its place, so that none of them leads anywhere else. The host is resolved once
and its addresses looked at; no redirects, no proxies, bounded in time and bytes.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping
from functools import cached_property
from urllib.parse import quote, urlencode, urlsplit

import httpx

from connectors.bounded_http import (
    EndpointForbiddenError,
    PinnedUrl,
    ResolveHost,
    pin_url,
    read_bounded,
    request_pinned,
    resolve_host,
)
from connectors.endpoint import EndpointClient
from data.errors import OutsidePermanentError, OutsideTemporaryError, TimedOutError
from data.records.core.organization import HttpService

SECONDS, MOST_BYTES = 20.0, 1 << 20
_IN_BODY = ("POST", "PUT", "PATCH")
_KEY = "(the key)"


class NoAnswerError(OutsideTemporaryError):
    """A request was sent, and no answer tells what it did."""


class HttpServiceClient:
    """Calls services that an organization has declared."""

    def __init__(
        self,
        *,
        allow_private: bool,
        tls: ssl.SSLContext | None = None,
        resolve: ResolveHost = resolve_host,
        seconds: float = SECONDS,
    ) -> None:
        """`allow_private` lets plain HTTP, private and loopback addresses through."""
        self._allow_private, self._given_tls = allow_private, tls
        self._resolve, self._seconds = resolve, seconds

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Whom to trust; the certificates of a system take a while to load."""
        return self._given_tls or ssl.create_default_context()

    async def call(
        self, service: HttpService, parameters: Mapping[str, str], key: str, identity: str
    ) -> str:
        """Return what the service answers, as text; where it repeats the key, that is left out.

        Args:
            service: as the organization declares it.
            parameters: the values of its parameters, by name.
            key: sent as a bearer token; empty for none.
            identity: of the call, for services that know such keys (`Idempotency-Key`).

        Raises:
            NoAnswerError: it was asked, and nobody knows what it did.
            OutsideTemporaryError: it cannot be reached, or says that it may work later.
            OutsidePermanentError: it refuses, or its address may not be called.

        """
        try:
            url, body = request_of(service, parameters)
        except UnicodeEncodeError as error:
            raise OutsidePermanentError(
                f"a value for {service.name!r} holds what is no letter; nothing was sent"
            ) from error
        headers = {
            "Accept": "application/json, text/plain",
            "Accept-Encoding": "identity",
            "Idempotency-Key": identity,
        }
        if key:
            headers["Authorization"] = f"Bearer {key}"
        try:
            parts = EndpointClient(allow_private=self._allow_private).split_allowed_url(url)
            pinned = await pin_url(
                parts,
                self._resolve,
                allow_private=self._allow_private,
                whose="the host",
                setting="endpoint_allow_private",
            )
        except EndpointForbiddenError as error:
            raise OutsidePermanentError(f"{error}; it is service {service.name!r}") from error
        except OSError as error:
            raise OutsideTemporaryError(f"{service.name!r} has no address: {error}") from error
        text = await self._ask(service, pinned, body, headers)
        return text.replace(key, _KEY) if key else text

    async def _ask(
        self, service: HttpService, pinned: PinnedUrl, body: bytes, headers: dict[str, str]
    ) -> str:
        try:
            async with (
                asyncio.timeout(self._seconds),
                request_pinned(service.method, pinned, body, headers, self._tls) as answer,
            ):
                content = await _body_of(service, answer)
                status = answer.status_code
        except OutsidePermanentError as error:  # an answer that is not read
            if service.changes:
                raise NoAnswerError(str(error)) from error
            raise
        except httpx.InvalidURL as error:
            raise OutsidePermanentError(
                f"the values for {service.name!r} are too long for a URL; nothing was sent"
            ) from error
        except httpx.LocalProtocolError:  # its words quote the header, and so the key
            raise OutsidePermanentError(
                f"the key or the values for {service.name!r} cannot be sent; nothing was"
            ) from None
        except httpx.ConnectError as error:
            raise OutsideTemporaryError(f"{service.name!r} cannot be reached: {error}") from error
        except (TimeoutError, httpx.TimeoutException) as error:
            why = f"{service.name!r} did not answer: nothing came within {self._seconds:g} s"
            raise (NoAnswerError if service.changes else TimedOutError)(why) from error
        except (OSError, httpx.HTTPError) as error:
            raise NoAnswerError(f"{service.name!r} did not answer: {error}") from error
        if httpx.codes.is_success(status):
            return content.decode("utf-8", "replace")
        sentence = f"{service.name!r} answered with status {status}"
        refused = httpx.codes.is_client_error(status)
        if httpx.codes.is_server_error(status) or (service.changes and not refused):
            raise NoAnswerError(sentence)  # it may have done a part before it failed
        if status == httpx.codes.TOO_MANY_REQUESTS:
            raise OutsideTemporaryError(sentence)
        raise OutsidePermanentError(sentence)


async def _body_of(service: HttpService, answer: httpx.Response) -> bytes:
    """Return what a service answers.

    Raises:
        OutsidePermanentError: it is compressed, or longer than is read.

    """
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise OutsidePermanentError(
            f"{service.name!r} answers with something compressed, which is not opened"
        )
    refusal = f"{service.name!r} answers more than {MOST_BYTES} bytes"
    return await read_bounded(answer, MOST_BYTES, refusal)


def request_of(service: HttpService, parameters: Mapping[str, str]) -> tuple[str, bytes]:
    """Return URL and body of a call: a value in the path is one segment of it, whatever it holds.

    Raises:
        OutsidePermanentError: a value in the path is empty, or leads to another place.

    """
    parts = urlsplit(service.url)
    path, left = parts.path, dict(parameters)
    for name in service.in_path:
        value = left.pop(name, "")
        if value.strip(".") == "":
            raise OutsidePermanentError(f"{name!r} of {service.name!r} is empty or only dots")
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    if service.method in _IN_BODY:
        return parts._replace(path=path).geturl(), json.dumps(left).encode()
    query = "&".join(part for part in (parts.query, urlencode(left)) if part)
    return parts._replace(path=path, query=query).geturl(), b""
