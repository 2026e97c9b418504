"""Forwarding as a webhook: signed, one attempt, never to where it should not go."""

import asyncio
import base64
import gzip
import json
import ssl
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from standardwebhooks import Webhook

from connectors.bounded_http import may_be_called, read_bounded
from connectors.endpoint import (
    WAITS,
    EndpointClient,
    EndpointOutcome,
    retry_wait,
)
from data.records.core.envelope import Channel, Envelope

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
RAW = b"Subject: parcel\r\n\r\n\xff\xfe\r\n"
ENVELOPE = Envelope(
    spool_id="18f0aabbccddeeff0123456789",
    channel=Channel.SMTP,
    received_at=datetime(2026, 4, 5, 6, 7, 8, tzinfo=UTC),
    mail_from="ann@out.example",
    rcpt_to=("hook@harbor.example",),
    size_bytes=len(RAW),
    sha256="ab" * 32,
)
PRIVATE = EndpointClient(allow_private=True, timeout_seconds=60)


class Hook(BaseHTTPRequestHandler):
    """Answers with the status in the path and keeps what came."""

    def do_POST(self) -> None:
        """Take a delivery."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, dict(self.headers), body))  # type: ignore[attr-defined]
        status = int(self.path.strip("/").split("?")[0] or 200)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/200")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """An endpoint on loopback."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Hook)
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.port = int(self.server_address[1])
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about clients that leave."""


@pytest.fixture
def server() -> Iterator[Server]:
    """Return an endpoint that speaks plain HTTP."""
    with Server() as running:
        yield running
        running.shutdown()


async def test_delivery_is_signed_and_whole(server: Server) -> None:
    """The endpoint gets the message, and the standard's own library accepts the signature."""
    now = datetime.now(UTC)
    url = f"http://127.0.0.1:{server.port}/200?a=b"
    result = await PRIVATE.send(url, SECRET, ENVELOPE, RAW, now)
    assert (result.outcome, result.status) == (EndpointOutcome.DELIVERED, 200)
    ((path, headers, body),) = server.heard
    Webhook(SECRET).verify(body, {name.lower(): value for name, value in headers.items()})
    content = json.loads(body)
    assert path == "/200?a=b"
    assert headers["webhook-id"] == ENVELOPE.spool_id
    assert base64.b64decode(content["data"]["raw"]) == RAW
    assert content["data"]["rcpt_to"] == ["hook@harbor.example"]
    assert content["type"] == "mail.received"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(204, "delivered"), (302, "deferred"), (404, "deferred"), (410, "failed"), (503, "deferred")],
)
async def test_status_decides(server: Server, status: int, outcome: str) -> None:
    """2xx is delivered, 410 is final, the rest comes again; a redirect is not followed."""
    result = await PRIVATE.send(f"http://127.0.0.1:{server.port}/{status}", SECRET, ENVELOPE, RAW)
    assert (result.outcome, result.status) == (outcome, status)
    assert [path for path, *_ in server.heard] == [f"/{status}"]


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0/",
        "https://10.1.2.3/",
        "https://172.16.0.1/",
        "https://192.168.1.1/",
        "https://100.64.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://168.63.129.16/",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:a00:1]/",
        "https://[fe80::1]/",
        "https://[fd00:ec2::254]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "http://127.0.0.1/",
        "http://public.example/",
        "ftp://public.example/",
        "file:///etc/passwd",
        "https://user:secret@public.example/",
        "https://public.example@127.0.0.1/",
        "https:///x",
        "https://public.example:0/",
        "https://public.example:99999/",
        "https://public.example/\r\nX-Evil: 1",
        "https://public.example/a b",
        "https://public.example\\@127.0.0.1/",
        "https://[::1",
        "https://public..example/",
        f"https://{'a' * 64}.example/",
        "",
    ],
)
async def test_forbidden_places_are_never_called(url: str) -> None:
    """Inner addresses in any spelling, other schemes and mangled URLs are refused for good."""
    result = await EndpointClient(timeout_seconds=60).send(url, SECRET, ENVELOPE, RAW)
    assert (result.outcome, result.status) == (EndpointOutcome.FAILED, None)


async def test_name_is_resolved_once_and_the_address_kept(server: Server) -> None:
    """A name that leads elsewhere the second time is never asked a second time."""
    asked: list[str] = []

    async def rebinding(host: str, _: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["203.0.113.9"]

    client = EndpointClient(allow_private=True, resolve=rebinding, timeout_seconds=60)
    url = f"http://hook.example:{server.port}/200"
    result = await client.send(url, SECRET, ENVELOPE, RAW)
    assert result.outcome is EndpointOutcome.DELIVERED
    assert asked == ["hook.example"]
    assert server.heard[0][1]["Host"] == f"hook.example:{server.port}"


async def test_one_inner_address_among_public_ones_is_enough(server: Server) -> None:
    """A name with a public and an inner address is refused, whichever comes first."""

    async def both(_: str, __: int) -> list[str]:
        return ["93.184.216.34", "10.0.0.1"]

    result = await EndpointClient(resolve=both).send("https://x.example/", SECRET, ENVELOPE, RAW)
    assert result.outcome is EndpointOutcome.FAILED
    assert "10.0.0.1" in result.detail


def test_metadata_is_refused_even_where_private_addresses_are_allowed() -> None:
    """The setting opens private networks and loopback, not link-local and metadata addresses."""
    assert may_be_called("10.0.0.1", allow_private=True)
    assert may_be_called("::1", allow_private=True)
    assert may_be_called("93.184.216.34", allow_private=False)
    for address in ("169.254.169.254", "fd00:ec2::254", "::", "168.63.129.16", "nonsense"):
        assert not may_be_called(address, allow_private=True)


@pytest.mark.parametrize("address", ["fec0::1", "::127.0.0.1", "::ffff:0:127.0.0.1", "4000::1"])
def test_of_ipv6_only_what_is_given_out_is_public(address: str) -> None:
    """Site-local addresses, those with an IPv4 address inside, and reserved ones lead nowhere."""
    assert not may_be_called(address, allow_private=False)
    assert not may_be_called(address, allow_private=True)


@pytest.mark.parametrize(
    "packed",
    [gzip.compress(b'{"sums": 1}')[:-9], gzip.compress(b"{}") + b"behind"],
    ids=["early", "behind"],
)
async def test_a_packed_answer_that_ends_early_or_goes_on_is_no_answer(packed: bytes) -> None:
    """A part is not taken for the whole, and what comes behind the end is not kept."""
    answer = httpx.Response(
        200,
        headers={"Content-Encoding": "gzip"},
        content=_pieces(packed),
        request=httpx.Request("POST", "https://x.example/"),
    )
    with pytest.raises(httpx.DecodingError):
        await read_bounded(answer, 1000, "too large")


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for place in range(0, len(content), 7):
        yield content[place : place + 7]


async def test_certificate_is_checked(certificate: Path) -> None:
    """A certificate that nobody vouches for is a deferral, and nothing of the message is sent."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Server(context) as server:
        url = f"https://127.0.0.1:{server.port}/200"
        refused = await PRIVATE.send(url, SECRET, ENVELOPE, RAW)
        trusted = EndpointClient(
            allow_private=True, tls=ssl.create_default_context(cafile=str(certificate))
        )
        taken = await trusted.send(url, SECRET, ENVELOPE, RAW)
        server.shutdown()
        assert (refused.outcome, refused.status) == (EndpointOutcome.DEFERRED, None)
        assert "certificate" in refused.detail.lower()
        assert taken.outcome is EndpointOutcome.DELIVERED
        assert len(server.heard) == 1


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 2", b"SSH-2.0-x\r\n", b"HTTP/1.1 abc\r\n", b"x" * 40_000]
)
async def test_silent_and_strange_servers_are_deferred(answer: bytes) -> None:
    """A server that says nothing, or nothing sensible, costs no more than the timeout."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        writer.write(answer)
        await asyncio.sleep(0.6)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = EndpointClient(allow_private=True, timeout_seconds=0.3)
    async with server:
        result = await client.send(f"http://127.0.0.1:{port}/", SECRET, ENVELOPE, RAW)
        await asyncio.sleep(0.7)
    assert (result.outcome, result.status) == (EndpointOutcome.DEFERRED, None)


def test_waits_grow_and_end() -> None:
    """Ten attempts in about two days, each wait longer than the last, spread by a fifth."""
    waits = [retry_wait(failures, 0.5) for failures in range(1, len(WAITS) + 1)]
    assert waits == list(WAITS) == sorted(WAITS)
    assert retry_wait(len(WAITS) + 1, 0.5) is None
    assert retry_wait(1, 0.0) == timedelta(seconds=4)
    assert sum(WAITS, timedelta()) < timedelta(days=2)
