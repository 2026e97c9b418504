"""rspamd, asked over its HTTP API: `/checkv2`, `/learnspam`, `/learnham`."""

import asyncio
from typing import Any

import httpx
from pydantic import BaseModel, Field, ValidationError

from connectors.bounded_http import UNPACKED, encode_headers, read_bounded
from connectors.filters.spam_filter import MOST_ANSWER
from data.errors import OutsidePermanentError, OutsideTemporaryError, SettingsError
from data.records.core.envelope import Envelope
from data.records.core.filters import FilterSymbol, FilterVerdict

SPAM_ACTIONS = frozenset({"add header", "rewrite subject", "reject"})
"""What rspamd would do with what it takes for spam; greylisting only doubts."""
_MARK = "add header"
_TEMPORARY = (408, 429)
_KNOWN = "has been already learned"
_LESSONS = ("/learnspam", "/learnham")
_NOT_LEARNED = 204
"""How rspamd answers a lesson that none of its classifiers took."""
_PING = b"Subject: Are you there?\r\n\r\n"


class _Symbol(BaseModel):
    name: str
    score: float = 0.0
    description: str = ""


class _Answer(BaseModel):
    action: str
    score: float
    required_score: float = 0.0
    thresholds: dict[str, float] = Field(default_factory=dict)
    symbols: dict[str, _Symbol] = Field(default_factory=dict)


class Rspamd:
    """The server at a URL: its controller, which checks and learns, or a normal worker."""

    name = "rspamd"

    def __init__(self, url: str, password: str, seconds: float) -> None:
        """`password` is the controller's, empty where it asks for none; a question takes `seconds`.

        Raises:
            SettingsError: the URL is not one of a server.

        """
        if not _is_server_url(url):
            raise SettingsError(
                f"setting 'rspamd_url' is {url!r}; write it like 'http://127.0.0.1:11334', and the "
                "password as 'rspamd_password'"
            )
        self._url, self._seconds = url.rstrip("/"), seconds
        self._headers = encode_headers({**UNPACKED, **({"Password": password} if password else {})})

    async def judge(self, raw: bytes, envelope: Envelope) -> FilterVerdict:
        """Return what rspamd says; it is told the envelope, as a mail server would tell it."""
        envelope_headers = {
            "IP": envelope.peer,
            "Helo": envelope.helo,
            "From": envelope.mail_from,
            "Queue-Id": envelope.spool_id,
            "User": envelope.authenticated_as,
        }
        headers = [
            (name, value) for name, value in envelope_headers.items() if value and value.isascii()
        ]
        headers += [
            ("Rcpt", recipient) for recipient in envelope.rcpt_to[:20] if recipient.isascii()
        ]
        answer = await self._check(raw, headers)
        symbols = sorted(answer.symbols.values(), key=lambda symbol: -symbol.score)
        return FilterVerdict(
            filter=self.name,
            spam=answer.action in SPAM_ACTIONS,
            certain=answer.action == "reject",
            score=answer.score,
            threshold=answer.thresholds.get(_MARK, answer.required_score),
            symbols=tuple(
                FilterSymbol(name=symbol.name, points=symbol.score, words=symbol.description[:200])
                for symbol in symbols
            ),
        )

    async def learn(self, raw: bytes, *, spam: bool) -> None:
        """Let its Bayes learn a message; needs the controller, and its password where it has one.

        One that it has learned already is no refusal.
        """
        try:
            await self._ask("/learnspam" if spam else "/learnham", raw, [])
        except OutsidePermanentError as error:
            if _KNOWN not in str(error):
                raise

    async def ping(self) -> None:
        """Return when the server looks at a message: `/ping` answers without the password too."""
        await self._check(_PING, [])

    async def _check(self, raw: bytes, headers: list[tuple[str, str]]) -> _Answer:
        content = await self._ask("/checkv2", raw, headers)
        try:
            return _Answer.model_validate_json(content)
        except ValidationError as error:
            raise OutsidePermanentError(
                f"rspamd at {self._url!r} does not answer as rspamd does; is it the right address?"
            ) from error

    async def _ask(self, path: str, raw: bytes, headers: list[tuple[str, str]]) -> bytes:
        # Arguments of httpx, a type each.
        request_parts: dict[str, Any] = {
            "headers": [
                *self._headers,
                *((name.encode("ascii"), value.encode("ascii")) for name, value in headers),
            ],
            "content": raw,
        }
        try:
            async with (
                asyncio.timeout(self._seconds),
                httpx.AsyncClient(
                    trust_env=False,
                    follow_redirects=False,
                    timeout=None,  # noqa: S113  # the whole is limited
                ) as client,
                client.stream("POST", f"{self._url}{path}", **request_parts) as answer,
            ):
                refusal = f"rspamd at {self._url!r} answers more than {MOST_ANSWER} bytes"
                content = await read_bounded(answer, MOST_ANSWER, refusal)
        except (OSError, httpx.HTTPError) as error:
            raise OutsideTemporaryError(
                f"rspamd at {self._url!r} does not answer: {str(error) or type(error).__name__}; "
                "see that it runs, or empty 'rspamd_url'"
            ) from error
        status = answer.status_code
        if status == _NOT_LEARNED and path in _LESSONS:
            raise OutsidePermanentError(
                f"rspamd at {self._url!r} did not learn it: {answer.reason_phrase[:160]}"
            )
        if not answer.is_success:
            kind = (
                OutsideTemporaryError
                if status in _TEMPORARY or status >= 500
                else OutsidePermanentError
            )
            reply_text = " ".join(content.decode("utf-8", "replace").split())[:160]
            raise kind(f"rspamd at {self._url!r} refused {path} with {status}: {reply_text}")
        return content


def _is_server_url(url: str) -> bool:
    """Return whether a URL names a server of HTTP, without a user and without a query."""
    try:
        parts = httpx.URL(url)
        host, port = parts.host, parts.port
    except (httpx.InvalidURL, ValueError):  # a ValueError is of the host's international form
        return False
    is_plain = url.isprintable() and not set(url) & set(" @?#")
    return is_plain and parts.scheme in ("http", "https") and bool(host) and port != 0
