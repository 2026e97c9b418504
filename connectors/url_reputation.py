"""Asking a reputation service about the addresses in mail: one HTTP request for a batch.

What is sent is `{"urls": ["https://host/path", …]}`; what is understood is `{"results": [{"url":
…, "verdict": "malicious" | "suspicious" | "harmless" | "unknown", "reason": "…"}]}`. Anything else
is no answer. The service's host is resolved once, every address it has is looked at, and the
connection goes to the address that was looked at; no redirects, no proxies, bounded in bytes and
time. The addresses in the mail themselves are never called.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping, Sequence

import httpx
from pydantic import BaseModel, ValidationError

from connectors.bounded_http import (
    EndpointForbiddenError,
    ResolveHost,
    pin_url,
    post_pinned,
    read_bounded,
    resolve_host,
)
from connectors.endpoint import EndpointClient
from data.errors import OutsidePermanentError, OutsideTemporaryError, SettingsError
from data.records.core.reputation import LinkStanding, Opinion
from data.settings import Settings

MOST_URLS = 500
"""Addresses of one request; a batch with more is asked about for these only."""
MOST_BYTES = 1 << 20
"""Of an answer."""


class _Result(BaseModel):
    url: str
    verdict: LinkStanding
    reason: str = ""


class _Answer(BaseModel):
    results: tuple[_Result, ...]


class HttpReputation:
    """A service that is asked over HTTP."""

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        timeout_seconds: float = 3.0,
        allow_private: bool = False,
        tls: ssl.SSLContext | None = None,
        resolve: ResolveHost | None = None,
    ) -> None:
        """`key` is sent as a bearer token; `allow_private` lets http and inner addresses through.

        Raises:
            SettingsError: the URL is not one that may be called.

        """
        try:
            self._parts = EndpointClient(allow_private=allow_private).split_allowed_url(url)
        except EndpointForbiddenError as error:
            raise SettingsError(f"setting 'url_reputation_url' cannot be used: {error}") from error
        self._url, self._key = url, key
        self._timeout, self._allow_private = timeout_seconds, allow_private
        self._tls = tls or ssl.create_default_context()
        self._resolve = resolve or resolve_host

    async def opinions(self, urls: Sequence[str]) -> Mapping[str, Opinion]:
        """Return what the service says, by address.

        Raises:
            OutsideTemporaryError: it cannot be reached, is too slow, or does not say 200.
            OutsidePermanentError: its address is not public, or its answer is not of this form.

        """
        asked = list(dict.fromkeys(urls))[:MOST_URLS]
        if not asked:
            return {}
        try:
            async with asyncio.timeout(self._timeout):
                content = await self._ask(asked)
        except (TimeoutError, OSError, httpx.HTTPError) as error:
            raise OutsideTemporaryError(
                f"the reputation service {self._url!r} does not answer: "
                f"{str(error) or type(error).__name__}; look at it, or empty 'url_reputation_url'"
            ) from error
        return _read_opinions(content, asked, self._url)

    async def _ask(self, urls: list[str]) -> bytes:
        pinned = await pin_url(
            self._parts,
            self._resolve,
            allow_private=self._allow_private,
            whose="the reputation service's host",
            setting="url_reputation_allow_private",
        )
        headers = {"Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = json.dumps({"urls": urls}).encode()
        async with post_pinned(pinned, body, headers, self._tls) as answer:
            if answer.status_code != httpx.codes.OK:
                raise OutsideTemporaryError(
                    f"the reputation service {self._url!r} answered {answer.status_code}; "
                    "look at its address and key"
                )
            return await read_bounded(
                answer,
                MOST_BYTES,
                f"the reputation service {self._url!r} answers more than {MOST_BYTES} bytes; "
                "is it the right address?",
            )


def reputation_from(settings: Settings) -> HttpReputation | None:
    """Return the service of the settings, or None when there is none.

    Raises:
        SettingsError: its URL is not one that may be called.

    """
    if not settings.url_reputation_url:
        return None
    return HttpReputation(
        settings.url_reputation_url,
        settings.url_reputation_key.get_secret_value(),
        timeout_seconds=settings.url_reputation_seconds,
        allow_private=settings.url_reputation_allow_private,
    )


def _read_opinions(content: bytes, asked: list[str], url: str) -> dict[str, Opinion]:
    """Return the opinions about what was asked; whatever else the answer holds is left out."""
    try:
        results = _Answer.model_validate_json(content).results
    except ValidationError as error:
        raise OutsidePermanentError(
            f"the reputation service {url!r} does not answer in the form that is documented; "
            "is it the right address?"
        ) from error
    result_by_url = {result.url: result for result in results}
    return {
        asked_url: Opinion(
            url=asked_url,
            standing=result_by_url[asked_url].verdict,
            reason=result_by_url[asked_url].reason[:100],
        )
        for asked_url in asked
        if asked_url in result_by_url
    }
