"""SpamAssassin and rspamd, really asked: verdicts, tests in words, learning, refusals."""

import asyncio
import contextlib

import pytest

from connectors.filters.asked_filters import FAILURES, AskedFilters
from connectors.filters.choosing import filters_from
from connectors.filters.rspamd import Rspamd
from connectors.filters.spam_filter import SpamFilter
from connectors.filters.spamd import Spamd
from data.errors import NotFoundError, OutsidePermanentError, OutsideTemporaryError, SettingsError
from data.settings import load_settings
from tests.core.small import letter
from tests.mail.filters.conftest import envelope
from tests.mail.filters.daemons import PASSWORD, RspamdDaemon, SpamdDaemon
from tests.ports import free_port

SPAM = letter("Buy replica watches, only today.", subject="Watches", sender="gorse@heron.example")
WANTED = letter("When is the workshop open next week?", sender="mara@heron.example")
SECONDS = 60.0


async def test_spamassassin_says_what_it_found(spamd: SpamdDaemon) -> None:
    """Points, the threshold, and each test with its own sentence; wanted mail has none."""
    door = Spamd(f"127.0.0.1:{spamd.port}", SECONDS)
    verdict = await door.judge(SPAM, envelope())
    assert (verdict.spam, verdict.score, verdict.threshold) == (True, 8.8, 5.0)
    assert [(one.name, one.points, one.words) for one in verdict.symbols] == [
        ("TEASEL_WATCHES", 7.5, "Offers replica watches"),
        ("TEASEL_HURRY", 1.2, "Says that it is for today alone"),
    ]
    wanted = await door.judge(WANTED, envelope())
    assert (wanted.spam, wanted.symbols) == (False, ())


async def test_rspamd_says_what_it_found(rspamd: RspamdDaemon) -> None:
    """Its action makes it spam; the rule's description comes with it."""
    door = Rspamd(rspamd.url, PASSWORD, SECONDS)
    verdict = await door.judge(SPAM, envelope(helo="kärnten.example"))
    assert (verdict.spam, verdict.certain, verdict.score) == (True, False, 9.0)
    assert [one.words for one in verdict.symbols] == ["Offers replica watches"]
    assert not (await door.judge(WANTED, envelope(peer=""))).spam


@pytest.mark.parametrize("which", ["spamd", "rspamd"])
async def test_they_learn_and_answer(which: str, request: pytest.FixtureRequest) -> None:
    """A lesson of either kind is taken, also a second time."""
    door = door_to(request, which)
    await door.ping()
    for _ in range(2):
        await door.learn(SPAM, spam=True)
        await door.learn(WANTED, spam=False)


def door_to(request: pytest.FixtureRequest, which: str) -> SpamFilter:
    """Return the door to a daemon of these tests."""
    server = request.getfixturevalue(which)
    if which == "spamd":
        return Spamd(f"127.0.0.1:{server.port}", SECONDS)
    return Rspamd(server.url, PASSWORD, SECONDS)


async def test_a_wrong_password_is_refused_for_good(rspamd: RspamdDaemon) -> None:
    """It is told as what it is, and does not count as an absence."""
    with pytest.raises(OutsidePermanentError, match="refused /learnspam"):
        await Rspamd(rspamd.url, "bobbin", SECONDS).learn(SPAM, spam=True)


@pytest.mark.parametrize("password", ["", "bobbin"])
async def test_doctor_hears_of_a_wrong_password(rspamd: RspamdDaemon, password: str) -> None:
    """It answers a ping without one, and would look at no message."""
    with pytest.raises(OutsidePermanentError, match="refused /checkv2 with 401"):
        await Rspamd(rspamd.url, password, SECONDS).ping()


async def test_a_lesson_that_rspamd_does_not_take_is_refused(rspamd: RspamdDaemon) -> None:
    """It says so with a success (204); nothing counts as learned that is not."""
    with pytest.raises(OutsidePermanentError, match="did not learn it"):
        await Rspamd(rspamd.url, PASSWORD, SECONDS).learn(b"Subject: x\r\n\r\nhello\r\n", spam=True)


@pytest.mark.parametrize("kind", ["spamd", "rspamd"])
async def test_nobody_there_is_told(kind: str) -> None:
    """The sentence says which setting to look at."""
    port = free_port()
    door = (
        Spamd(f"127.0.0.1:{port}", 5)
        if kind == "spamd"
        else Rspamd(f"http://127.0.0.1:{port}", "", 5)
    )
    with pytest.raises(OutsideTemporaryError, match=r"spamassassin_address|rspamd_url"):
        await door.judge(SPAM, envelope())


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\n\r\nhello",
        b"SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\n\r\n",
        b"SPAMD/1.1 69 service unavailable: TELL commands are not enabled\r\n\r\n",
        b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; 1.2.3 / 5.0\r\n\r\n",
        b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; - / .\r\n\r\n",
        b"SPAMD/1.1 " + b"7" * 5_000 + b" EX_OK\r\n\r\n",
        b"",
    ],
)
async def test_a_stranger_on_the_port_is_no_verdict(answer: bytes) -> None:
    """Whatever answers otherwise than spamd is an outside error, never a word about mail."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises((OutsidePermanentError, OutsideTemporaryError)):
        await Spamd(f"127.0.0.1:{port}", 10).judge(SPAM, envelope())
    server.close()


@pytest.mark.parametrize(
    "address", ["783", "127.0.0.1", "127.0.0.1:0", "host:port", "unix:", "host:\u00b2"]
)
def test_an_address_that_is_none_is_a_setting_to_mend(address: str) -> None:
    """Nothing starts with it."""
    with pytest.raises(SettingsError, match="spamassassin_address"):
        filters_from(load_settings(spamassassin_address=address))


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:11334",
        "http://",
        "http://[::1",
        "http://host:port",
        "http://me@host",
        "http://:secret@host",
        "http://host?x=1",
        "http://host#x",
        "http://host:1\t",
        "http://host/\x7f",
        "http://münchen..de",
        "http://xn--a:80",
    ],
)
def test_a_url_that_is_none_is_a_setting_to_mend(url: str) -> None:
    """Nothing starts with it, either."""
    with pytest.raises(SettingsError, match="rspamd_url"):
        filters_from(load_settings(rspamd_url=url))


async def test_a_name_that_no_host_has_is_an_absence() -> None:
    """The DNS could not even be asked for it."""
    with pytest.raises(OutsideTemporaryError, match="spamassassin_address"):
        await Spamd("filter..example:783", 5).ping()


async def test_rspamd_that_drips_is_given_up() -> None:
    """The time is that of the whole question, however often something comes."""
    heads: list[bytes] = []

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        with contextlib.closing(writer), contextlib.suppress(ConnectionError):
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in range(1_200):
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.1)

    async with await asyncio.start_server(drip, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(OutsideTemporaryError, match="does not answer"):
            async with asyncio.timeout(60):
                await Rspamd(f"http://127.0.0.1:{port}", "schlüssel", 1).ping()
    assert "Password: schlüssel\r\n".encode() in heads[0]


class Emptied:
    """An archive whose messages are kept no longer."""

    def read(self, sha256: str) -> bytes:
        """Return nothing: it is gone."""
        raise NotFoundError(f"no message {sha256!r}")


class Full:
    """An archive that holds one message."""

    def read(self, sha256: str) -> bytes:
        """Return it."""
        del sha256
        return SPAM


async def test_a_lesson_that_was_not_told_is_no_answer() -> None:
    """Failures in a row stay such when a message between them is gone."""
    spamd = Spamd(f"127.0.0.1:{free_port()}", 5)
    asked = AskedFilters([spamd])
    for _ in range(FAILURES - 1):
        assert await asked.judge(Full(), {"m": envelope()}) == {}
    assert await asked.teach(Emptied(), spamd, "0", spam=True) == "its bytes are no longer kept"
    assert await asked.judge(Full(), {"m": envelope()}) == {}
    assert await asked.teach(Emptied(), spamd, "0", spam=True) is None, "it is left alone now"


def test_no_filter_is_asked_by_default() -> None:
    """Both are off until a setting names them."""
    assert filters_from(load_settings()) == ()
