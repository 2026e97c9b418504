"""SpamAssassin, asked by the protocol of its daemon (spamd 1.5, `spamd/PROTOCOL` of its source).

A client of our own: one request and one answer for each connection. The kept library, aiospamc
1.2.0, holds Typer back thirteen minor versions, on which our command line and Prefect's stand.
"""

import asyncio
from collections.abc import Iterator

import re2

from connectors.filters.spam_filter import MOST_ANSWER
from data.errors import OutsidePermanentError, OutsideTemporaryError, SettingsError
from data.records.core.envelope import Envelope
from data.records.core.filters import FilterSymbol, FilterVerdict

_STATUS = re2.compile(r"^SPAMD/\d+\.\d+ (\d{1,5}) (.*)$")
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_SPAM = re2.compile(rf"(?im)^Spam:\s*(\w+)\s*;\s*{_NUMBER}\s*/\s*{_NUMBER}\s*$")
_TEST = re2.compile(
    rf"^\s*{_NUMBER}\s+([A-Z][A-Z0-9_]+)\s+(?:(?:BODY|HEADER|URI|RAW|FULL):\s*)?(.*)$"
)
_TEMPORARY = frozenset({71, 74, 75, 79})
"""EX_OSERR, EX_IOERR, EX_TEMPFAIL, and the daemon's own timeout."""


class Spamd:
    """The daemon at an address."""

    name = "SpamAssassin"

    def __init__(self, address: str, seconds: float) -> None:
        """`address` is `127.0.0.1:783` or `unix:/path`; an answer may take so many seconds.

        Raises:
            SettingsError: the address is neither.

        """
        kind, _, path = address.partition(":")
        host, _, port = address.rpartition(":")
        if not (path if kind == "unix" else host and _is_port(port)):
            raise SettingsError(
                f"setting 'spamassassin_address' is {address!r}; write it like '127.0.0.1:783' or "
                "'unix:/path'"
            )
        self._path = path if kind == "unix" else ""
        self._host, self._port = host.strip("[]"), 0 if self._path else int(port)
        self._address, self._seconds = address, seconds

    async def judge(self, raw: bytes, envelope: Envelope) -> FilterVerdict:
        """Return what SpamAssassin says: its table of tests has a sentence for each."""
        del envelope  # spamd reads what it needs from the message's own Received fields
        head, body = await self._ask("REPORT", raw)
        spam = _SPAM.search(head)
        if spam is None:
            raise OutsidePermanentError(
                f"{self.name} at {self._address!r} answered without 'Spam:'; is it spamd?"
            )
        symbols = sorted(_tests(body), key=lambda test: -test.points)
        return FilterVerdict(
            filter=self.name,
            spam=spam[1].lower() in ("true", "yes"),
            score=float(spam[2]),
            threshold=float(spam[3]),
            symbols=tuple(symbols),
        )

    async def learn(self, raw: bytes, *, spam: bool) -> None:
        """Let its Bayes learn a message; needs `spamd --allow-tell`."""
        kind = "spam" if spam else "ham"
        await self._ask("TELL", raw, f"Message-class: {kind}", "Set: local")

    async def ping(self) -> None:
        """Return when the daemon says PONG."""
        await self._ask("PING", None)

    async def _ask(self, order: str, raw: bytes | None, *fields: str) -> tuple[str, str]:
        """Return the headers and the text of an answer.

        Raises:
            OutsideTemporaryError: the daemon does not answer, or says that it may later.
            OutsidePermanentError: it refuses, or what answers is not spamd.

        """
        length = () if raw is None else (f"Content-length: {len(raw)}",)
        request = "\r\n".join((f"{order} SPAMC/1.5", *length, *fields, "", "")).encode()
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._exchange(request + (raw or b""))
        except (OSError, UnicodeError) as error:  # the latter of a name that no host can have
            raise OutsideTemporaryError(
                f"{self.name} at {self._address!r} does not answer: "
                f"{str(error) or type(error).__name__}; see that spamd runs, or empty "
                "'spamassassin_address'"
            ) from error
        head, _, body = answer.decode("utf-8", "replace").partition("\r\n\r\n")
        first, _, rest = head.partition("\r\n")
        status = _STATUS.search(first)
        code = int(status[1]) if status else -1
        if status is None or code:
            kind = OutsideTemporaryError if code in _TEMPORARY else OutsidePermanentError
            reply_text = " ".join((first + " " + body).split())[:160]
            raise kind(f"{self.name} at {self._address!r} refused {order}: {reply_text}")
        return rest, body

    async def _exchange(self, request: bytes) -> bytes:
        """Send a request over a connection of its own; return what comes until it is closed."""
        opened = (
            asyncio.open_unix_connection(self._path)
            if self._path
            else asyncio.open_connection(self._host, self._port)
        )
        reader, writer = await opened
        try:
            writer.write(request)
            await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
            answer = b""
            while chunk := await reader.read(65_536):
                answer += chunk
                if len(answer) > MOST_ANSWER:
                    raise OutsidePermanentError(
                        f"{self.name} at {self._address!r} answers more than {MOST_ANSWER} bytes"
                    )
            return answer
        finally:
            writer.close()


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65_536


def _tests(report: str) -> Iterator[FilterSymbol]:
    """Yield the tests of the table `pts rule name description`; a sentence may go on below."""
    open_test: FilterSymbol | None = None
    for line in report.splitlines():
        test = _TEST.search(line)
        if test is not None:
            if open_test is not None:
                yield open_test
            open_test = FilterSymbol(name=test[2], points=float(test[1]), words=test[3].strip())
        elif open_test is not None and line.startswith("      ") and line.strip():
            more = f"{open_test.words} {line.strip().removeprefix('*').strip()}"
            open_test = open_test.model_copy(update={"words": more[:200]})
        elif open_test is not None:
            yield open_test
            open_test = None
    if open_test is not None:
        yield open_test
