"""Asking a reputation service, at wire level: what goes out, what counts, and every failure."""

import asyncio
import gzip
import json
import ssl
import subprocess
import threading
import tracemalloc
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from connectors.url_reputation import MOST_BYTES, HttpReputation, reputation_from
from data.errors import OutsideError, OutsidePermanentError, OutsideTemporaryError, SettingsError
from data.records.core.reputation import LinkStanding
from data.settings import load_settings

BAD, GOOD = "https://bad.example/login", "https://good.example/"


class Service(BaseHTTPRequestHandler):
    """Answers with what the server was told to say."""

    def do_POST(self) -> None:
        """Take a question."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, dict(self.headers), json.loads(body)))  # type: ignore[attr-defined]
        if self.server.waits.wait(0.001) is False and self.server.slow:  # type: ignore[attr-defined]
            self.server.waits.wait(60)  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        if self.server.status == 302:  # type: ignore[attr-defined]
            self.send_header("Location", "/elsewhere")
        if self.server.packed_as:  # type: ignore[attr-defined]
            self.send_header("Content-Encoding", self.server.packed_as)  # type: ignore[attr-defined]
        self.end_headers()
        self.wfile.write(self.server.answer)  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A service on loopback."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Service)
        self.heard: list[tuple[str, dict[str, str], dict[str, list[str]]]] = []
        self.status, self.slow, self.waits = 200, False, threading.Event()
        self.packed_as = ""
        self.answer = json.dumps(
            {
                "results": [
                    {"url": BAD, "verdict": "malicious", "reason": "kit seen", "more": 1},
                    {"url": GOOD, "verdict": "harmless"},
                    {"url": "https://unasked.example/", "verdict": "malicious"},
                ]
            }
        ).encode()
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.port = int(self.server_address[1])
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about clients that leave."""


@pytest.fixture
def server() -> Iterator[Server]:
    """Return a service that speaks plain HTTP."""
    with Server() as running:
        yield running
        running.waits.set()
        running.shutdown()


def service(server: Server, seconds: float = 60.0) -> HttpReputation:
    """Return a client of the service."""
    url = f"http://127.0.0.1:{server.port}/v1/ask?lang=en"
    return HttpReputation(url, "a-key", timeout_seconds=seconds, allow_private=True)


async def test_it_is_asked_once_and_only_answers_what_was_asked(server: Server) -> None:
    """One request with the key and each address once; what was not asked is dropped."""
    said = await service(server).opinions([BAD, GOOD, BAD])
    ((path, headers, body),) = server.heard
    assert (path, body) == ("/v1/ask?lang=en", {"urls": [BAD, GOOD]})
    assert headers["Authorization"] == "Bearer a-key"
    assert headers["Host"] == f"127.0.0.1:{server.port}"
    assert {url: one.standing for url, one in said.items()} == {
        BAD: LinkStanding.MALICIOUS,
        GOOD: LinkStanding.HARMLESS,
    }
    assert said[BAD].reason == "kit seen"


async def test_nothing_to_ask_is_no_request(server: Server) -> None:
    """Mail without links costs nothing."""
    assert await service(server).opinions([]) == {}
    assert server.heard == []


@pytest.mark.parametrize("status", [302, 401, 429, 500])
async def test_another_status_is_a_failure_and_followed_nowhere(
    server: Server, status: int
) -> None:
    """A redirect is not followed, and an error page is no opinion."""
    server.status = status
    with pytest.raises(OutsideTemporaryError, match=str(status)):
        await service(server).opinions([BAD])
    assert len(server.heard) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b'{"results": 7}',
        b'{"results": [{"url": "https://bad.example/login", "verdict": "fine"}]}',
        b"[" * 100_000,
        b" " * (MOST_BYTES + 10),
    ],
    ids=["empty", "html", "wrong type", "unknown verdict", "deep", "long"],
)
async def test_an_answer_in_another_form_is_a_failure(server: Server, answer: bytes) -> None:
    """Whatever comes back, nothing but the documented form is believed."""
    server.answer = answer
    with pytest.raises(OutsidePermanentError):
        await service(server).opinions([BAD])


async def test_a_packed_answer_is_read(server: Server) -> None:
    """What is asked for may come packed, and nothing else is asked for."""
    server.answer, server.packed_as = gzip.compress(server.answer), "gzip"
    assert set(await service(server).opinions([BAD, GOOD])) == {BAD, GOOD}
    assert server.heard[0][1]["Accept-Encoding"] == "gzip"


@pytest.mark.parametrize("codings", ["gzip", "gzip, gzip"])
async def test_a_packed_answer_is_unpacked_no_further_than_it_may_be_long(
    server: Server, codings: str
) -> None:
    """A few bytes that stand for 64 MB take no 64 MB."""
    server.answer, server.packed_as = bytes(64 << 20), codings
    for _ in codings.split():
        server.answer = gzip.compress(server.answer)
    tracemalloc.start()
    try:
        with pytest.raises(OutsideError):
            await service(server).opinions([BAD])
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


async def test_a_service_that_hangs_costs_its_time_limit(server: Server) -> None:
    """The whole question has one time limit."""
    server.slow = True
    began = asyncio.get_running_loop().time()
    with pytest.raises(OutsideTemporaryError, match="does not answer"):
        await service(server, 0.2).opinions([BAD])
    assert asyncio.get_running_loop().time() - began < 50


async def test_a_service_that_is_not_there_is_a_failure() -> None:
    """A refused connection is told with the address."""
    with Server() as gone:
        port = gone.port
        gone.shutdown()
    asked = HttpReputation(f"http://127.0.0.1:{port}/", allow_private=True)
    with pytest.raises(OutsideTemporaryError, match=str(port)):
        await asked.opinions([BAD])


@pytest.mark.parametrize(
    "url", ["http://reputation.example/", "https://user:pw@reputation.example/", "ftp://a/", "x"]
)
def test_only_an_https_url_without_a_user_is_taken(url: str) -> None:
    """Settings that cannot be meant are refused when the engine starts."""
    with pytest.raises(SettingsError, match="url_reputation_url"):
        HttpReputation(url)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.8", "169.254.169.254", "::1"])
async def test_a_name_that_leads_inside_is_not_called(address: str) -> None:
    """Every address of the host is looked at, and the connection goes to none of them."""

    async def resolve(host: str, port: int) -> list[str]:
        del host, port
        return ["93.184.215.14", address]

    asked = HttpReputation("https://reputation.example/", resolve=resolve)
    with pytest.raises(OutsidePermanentError, match="not a public address"):
        await asked.opinions([BAD])


def certified(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """Return what a server named reputation.example needs, and its certificate."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=reputation.example", "-keyout", str(key),
         "-addext", "subjectAltName=DNS:reputation.example", "-out", str(certificate)],
        check=False, capture_output=True,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl is not here, and makes the certificate")
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate, key)
    return serving, certificate


async def test_the_certificate_is_that_of_the_name(tmp_path: Path) -> None:
    """Over TLS the name in the URL is checked, though an address that was looked up is called."""
    serving, certificate = certified(tmp_path)
    trusting = ssl.create_default_context(cafile=str(certificate))

    async def resolve(host: str, port: int) -> list[str]:
        del host, port
        return ["127.0.0.1"]

    with Server(serving) as server:
        for host, works in (("reputation.example", True), ("other.example", False)):
            asked = HttpReputation(
                f"https://{host}:{server.port}/", allow_private=True, tls=trusting, resolve=resolve
            )
            if works:
                assert BAD in await asked.opinions([BAD])
            else:
                with pytest.raises(OutsideTemporaryError, match="certificate"):
                    await asked.opinions([BAD])
        server.shutdown()


def test_nobody_is_asked_by_default() -> None:
    """Without the setting there is no service."""
    assert reputation_from(load_settings()) is None
