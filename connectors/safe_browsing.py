"""Google Safe Browsing as a source of URL reputation: the Lookup API, version 4.

`POST /v4/threatMatches:find` takes up to 500 URLs and answers in JSON; of a URL that is missing in
the answer Google knows nothing. Version 5 asks by prefixes of hashes, which tells Google less, but
answers in protocol buffers and wants a database of prefixes kept here. Callers pass scheme, host
and path alone (`tasks.core.screen.reputation.asked_about`). The key goes in a header, so that no
log holds it.
"""

import asyncio
from collections.abc import Mapping, Sequence

import httpx
from pydantic import BaseModel, ValidationError

from connectors.bounded_http import UNPACKED, encode_headers, read_bounded
from data.errors import OutsidePermanentError, OutsideTemporaryError
from data.records.core.reputation import LinkStanding, Opinion, graver

BASE = "https://safebrowsing.googleapis.com"
MOST_URLS, MOST_BYTES = 500, 1 << 20
_STANDING_BY_THREAT = {
    "MALWARE": (LinkStanding.MALICIOUS, "malware"),
    "SOCIAL_ENGINEERING": (LinkStanding.MALICIOUS, "deception"),
    "UNWANTED_SOFTWARE": (LinkStanding.SUSPICIOUS, "unwanted software"),
    "POTENTIALLY_HARMFUL_APPLICATION": (LinkStanding.SUSPICIOUS, "a harmful application"),
}
"""What Google calls a threat; the first two stop a message, the others flag it."""


class _Threat(BaseModel):
    url: str


class _Match(BaseModel):
    threatType: str  # Google's name
    threat: _Threat


class _Answer(BaseModel):
    matches: tuple[_Match, ...] = ()


class SafeBrowsing:
    """Google's service, under an operator's key."""

    def __init__(self, key: str, *, timeout_seconds: float = 3.0, base: str = BASE) -> None:
        self._key, self._timeout, self._base = key, timeout_seconds, base

    async def opinions(self, urls: Sequence[str]) -> Mapping[str, Opinion]:
        """Return what Google says by URL; those that it says nothing about are missing.

        Raises:
            OutsideTemporaryError: it cannot be reached, is too slow, or its quota is used up.
            OutsidePermanentError: it does not take the key, or its answer is malformed.
        """
        asked = list(dict.fromkeys(urls))
        parts = [asked[place : place + MOST_URLS] for place in range(0, len(asked), MOST_URLS)]
        try:
            async with asyncio.timeout(self._timeout):
                contents = [await self._find_matches(part) for part in parts]
        except (TimeoutError, OSError, httpx.HTTPError) as error:
            raise OutsideTemporaryError(
                "Google Safe Browsing does not answer: "
                f"{str(error) or type(error).__name__}; empty 'safe_browsing_key' to ask no more"
            ) from error
        try:
            answers = [_Answer.model_validate_json(content) for content in contents]
        except ValidationError as error:
            raise OutsidePermanentError(
                "Google Safe Browsing does not answer in the form that it documents"
            ) from error
        matches = [match for answer in answers for match in answer.matches]
        return _gravest_by_url(matches, frozenset(asked))

    async def _find_matches(self, urls: list[str]) -> bytes:
        """Return Google's answer for at most `MOST_URLS` URLs, as JSON."""
        body: dict[str, object] = {
            "client": {"clientId": "postern", "clientVersion": "0.1.0"},
            "threatInfo": {
                "threatTypes": list(_STANDING_BY_THREAT),
                "platformTypes": ["ANY_PLATFORM"],
                "threatEntryTypes": ["URL"],
                "threatEntries": [{"url": url} for url in urls],
            },
        }
        async with (
            httpx.AsyncClient(
                trust_env=False, follow_redirects=False, timeout=self._timeout
            ) as client,
            client.stream(
                "POST",
                f"{self._base}/v4/threatMatches:find",
                json=body,
                headers=encode_headers(
                    {"X-Goog-Api-Key": self._key, "User-Agent": "Postern", **UNPACKED}
                ),
            ) as answer,
        ):
            status = answer.status_code
            if status in (400, 401, 403):
                raise OutsidePermanentError(
                    f"Google Safe Browsing answered {status}; see 'safe_browsing_key', and that "
                    "the API is switched on for it"
                )
            if status != httpx.codes.OK:
                raise OutsideTemporaryError(f"Google Safe Browsing answered {status}")
            refusal = f"Google Safe Browsing answers more than {MOST_BYTES} bytes"
            return await read_bounded(answer, MOST_BYTES, refusal)


def _gravest_by_url(matches: Sequence[_Match], asked: frozenset[str]) -> dict[str, Opinion]:
    """Return the gravest opinion of each address that was asked about."""
    opinions: dict[str, Opinion] = {}
    for match in matches:
        url = match.threat.url
        standing, words = _STANDING_BY_THREAT.get(
            match.threatType, (LinkStanding.SUSPICIOUS, "a threat")
        )
        if url in asked:
            reason = f"Google Safe Browsing: {words}"
            opinion = Opinion(url=url, standing=standing, reason=reason)
            opinions[url] = graver(opinion, opinions.get(url))
    return opinions
