"""Google Safe Browsing, at wire level: what is asked, what is understood, and what is no answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from connectors.reputations import Reputations, reputations_from
from connectors.safe_browsing import SafeBrowsing
from data.errors import OutsidePermanentError, OutsideTemporaryError
from data.records.core.reputation import LinkStanding
from data.settings import load_settings

BAD, ODD, GOOD = "http://broom.example/x", "https://gorse.example/y", "https://heron.example/"


def matches(*pairs: tuple[str, str]) -> bytes:
    """Return an answer of Google's that names these (address, threat)."""
    found = [
        {"threatType": kind, "threat": {"url": url}, "cacheDuration": "300s"} for url, kind in pairs
    ]
    return json.dumps({"matches": found} if found else {}).encode()


@asynccontextmanager
async def google(status: str, body: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Serve one answer on loopback; give the base URL and what was heard."""
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
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", heard


async def test_what_google_names_is_an_opinion() -> None:
    """The gravest threat of each address counts; what was not asked about is left out."""
    body = matches(
        (BAD, "UNWANTED_SOFTWARE"),
        (BAD, "SOCIAL_ENGINEERING"),
        (ODD, "POTENTIALLY_HARMFUL_APPLICATION"),
        ("http://elsewhere.example/", "MALWARE"),
    )
    async with google("200 OK", body) as (base, heard):
        given = await SafeBrowsing("shuttle", timeout_seconds=30, base=base).opinions(
            [BAD, ODD, GOOD, BAD]
        )
    assert {url: one.standing for url, one in given.items()} == {
        BAD: LinkStanding.MALICIOUS,
        ODD: LinkStanding.SUSPICIOUS,
    }
    assert given[BAD].reason == "Google Safe Browsing: deception"
    head, _, sent = heard[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v4/threatMatches:find HTTP/1.1")
    assert b"shuttle" in head.lower()
    assert b"key=" not in head.splitlines()[0]
    entries = json.loads(sent)["threatInfo"]["threatEntries"]
    assert entries == [{"url": BAD}, {"url": ODD}, {"url": GOOD}]


async def test_more_urls_than_one_question_takes_are_all_asked_about() -> None:
    """Google takes 500 URLs at once, so that 501 are two questions."""
    urls = [f"http://broom.example/{number}" for number in range(501)]
    body = matches((urls[0], "MALWARE"), (urls[500], "MALWARE"))
    async with google("200 OK", body) as (base, requests):
        opinions = await SafeBrowsing("shuttle", timeout_seconds=30, base=base).opinions(urls)
    bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in requests]
    assert [len(body["threatInfo"]["threatEntries"]) for body in bodies] == [500, 1]
    assert set(opinions) == {urls[0], urls[500]}


async def test_an_empty_answer_says_nothing() -> None:
    """So Google answers about nearly all addresses; without any it is not asked."""
    async with google("200 OK", b"{}") as (base, heard):
        door = SafeBrowsing("shuttle", timeout_seconds=30, base=base)
        assert await door.opinions([GOOD]) == {}
        assert await door.opinions([]) == {}
    assert len(heard) == 1


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        ("403 Forbidden", b"{}", OutsidePermanentError),
        ("429 Busy", b"{}", OutsideTemporaryError),
        ("503 Down", b"", OutsideTemporaryError),
        ("200 OK", b"<html>", OutsidePermanentError),
        ("200 OK", b'{"matches": [{"threatType": "MALWARE"}]}', OutsidePermanentError),
    ],
)
async def test_anything_else_is_no_answer(status: str, body: bytes, error: type[Exception]) -> None:
    """An outside failure, which stops no mail; the key stands in no sentence."""
    async with google(status, body) as (base, _):
        with pytest.raises(error) as raised:
            await SafeBrowsing("shuttle", timeout_seconds=30, base=base).opinions([BAD])
    assert "shuttle" not in str(raised.value)


async def test_of_two_services_the_graver_word_counts() -> None:
    """And the failure of one leaves what the other says; only both failing is a failure."""
    async with (
        google("200 OK", matches((BAD, "UNWANTED_SOFTWARE"))) as (mild, _),
        google("200 OK", matches((BAD, "MALWARE"))) as (grave, _),
        google("503 Down", b"") as (down, _),
    ):
        doors = [SafeBrowsing("k", timeout_seconds=30, base=base) for base in (mild, grave, down)]
        given = await Reputations(doors).opinions([BAD])
        assert given[BAD].standing is LinkStanding.MALICIOUS
        with pytest.raises(OutsideTemporaryError):
            await Reputations(doors[2:]).opinions([BAD])


def test_nobody_is_asked_without_a_setting() -> None:
    """A key opens the door, and nothing else is needed."""
    assert reputations_from(load_settings()) is None
    assert isinstance(reputations_from(load_settings(safe_browsing_key="shuttle")), SafeBrowsing)
