"""Account records over HTTP: a signed request, a whole file or none."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.sources.account_files import FETCHED, read_account_files
from connectors.sources.account_service import fetch_records, write_fetched
from connectors.webhook import verify
from data.errors import OutsidePermanentError, OutsideTemporaryError
from data.store.core.control import make_keys

KEY = make_keys().webhook_secret
RECORDS = {
    "accounts": [
        {
            "email": "Mara@heron.example",
            "account": "7",
            "plan": "Bobbin 12",
            "renewal": "2027-03-01",
        },
        {"email": "jon@bittern.example", "balance": "-3.00 EUR", "orders": "A-1, sent; A-2"},
    ]
}


@asynccontextmanager
async def service(status: str, body: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Serve one answer on loopback; give its URL and what was heard."""
    heard: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        heard.append(head + await reader.readexactly(length))
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n".encode()
            + b"Connection: close\r\n\r\n"
            + body
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/accounts?of=teasel", heard


async def test_the_records_become_a_file_like_any_other(tmp_path: Path) -> None:
    """The request is signed, so that its receiver can check; the same answer changes nothing."""
    now = datetime.now(UTC)
    async with service("200 OK", json.dumps(RECORDS).encode()) as (url, heard):
        content = await fetch_records(url, KEY, allow_private=True, now=now)
    assert write_fetched(tmp_path, content)
    assert not write_fetched(tmp_path, content)
    rows = read_account_files(tmp_path).rows
    assert set(rows) == {"mara@heron.example 7", "jon@bittern.example"}
    assert rows["jon@bittern.example"]["orders"] == "A-1, sent; A-2"
    head, _, body = heard[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines if line.startswith("webhook-"))
    verify(KEY, fields, body, now)


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        ("500 Broken", b"{}", OutsideTemporaryError),
        ("302 Elsewhere", b"", OutsideTemporaryError),
        ("200 OK", b"not json", OutsidePermanentError),
        ("200 OK", b'{"accounts": [{"email": "no address"}]}', OutsidePermanentError),
        ("200 OK", b'{"accounts": [], "more": 1}', OutsidePermanentError),
    ],
)
async def test_anything_else_is_no_answer(
    status: str, body: bytes, error: type[Exception], tmp_path: Path
) -> None:
    """What was fetched before stays."""
    (tmp_path / FETCHED).write_text("email\nold@heron.example\n")
    async with service(status, body) as (url, _):
        with pytest.raises(error):
            await fetch_records(url, KEY, allow_private=True)
    assert "old@" in (tmp_path / FETCHED).read_text()


async def test_an_inner_address_is_not_called_unless_it_is_meant() -> None:
    """The same guard as for endpoints."""
    with pytest.raises(OutsidePermanentError, match=r"accounts\.url"):
        await fetch_records("https://127.0.0.1/accounts", KEY, allow_private=False)
