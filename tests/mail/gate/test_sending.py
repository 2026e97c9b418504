"""The transports: one attempt, whose outcome is told truly, also when the other side misbehaves."""

import asyncio
import ssl
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.outbound import (
    DeliveryKind,
    DeliveryResult,
    FileTransport,
    SmtpTransport,
    check_outgoing,
)
from connectors.outbound.smtp_client import Timeouts, stuff_dots
from connectors.outbound.smtp_connection import SmtpReplyError
from data.errors import OutsidePermanentError
from tests.mail.gate.sink import Sink

RAW = b"Message-ID: <r1@postern.example>\r\nSubject: answer\r\n\r\nHello\r\n.dot\r\n..two\r\n"
RCPT = ["ann@out.example", "bob@out.example"]
PATIENT = Timeouts()


async def yes() -> bool:
    """Allow sending."""
    return True


async def nothing() -> None:
    """Take no note of the dot."""


async def deliver(sink: Sink, **given: object) -> DeliveryResult:
    """Make one attempt towards the sink."""
    transport = SmtpTransport(
        "127.0.0.1",
        sink.port,
        hostname="postern.example",
        timeouts=PATIENT,
        **{"tls": "none", **given},  # type: ignore[arg-type]
    )
    return await transport.deliver(
        RAW, "help@harbor.example", RCPT, before_data=yes, before_dot=nothing
    )


async def test_smtp_delivers_the_exact_bytes() -> None:
    """What arrives is what was rendered, dots included, once."""
    async with Sink() as sink:
        result = await deliver(sink)
    assert result.kind is DeliveryKind.SENT
    assert result.code == 250
    assert "taken" in result.text
    (message,) = sink.messages
    assert message.content == RAW
    assert (message.mail_from, message.rcpt_to) == ("help@harbor.example", RCPT)
    assert sink.violations == []


async def test_dot_goes_out_after_before_dot() -> None:
    """When `before_dot` is called every body byte has left us and the final dot has not."""
    async with Sink() as sink:
        seen: list[tuple[bytes, int]] = []

        async def look() -> None:
            for _ in range(200):
                if sink.body_seen == stuff_dots(RAW):
                    break
                await asyncio.sleep(0.01)
            seen.append((sink.body_seen, sink.dots))

        transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="p.example", tls="none", timeouts=PATIENT
        )
        await transport.deliver(RAW, "", RCPT, before_data=yes, before_dot=look)
    assert seen == [(stuff_dots(RAW), 0)]
    assert sink.dots == 1


async def test_failure_before_the_dot_sends_nothing() -> None:
    """If `before_dot` fails the server never sees a whole message."""
    async with Sink() as sink:

        async def fail() -> None:
            raise OutsidePermanentError("could not be written down")

        transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="p.example", tls="none", timeouts=PATIENT
        )
        with pytest.raises(OutsidePermanentError):
            await transport.deliver(RAW, "", RCPT, before_data=yes, before_dot=fail)
        await asyncio.sleep(0.05)
    assert sink.messages == []


async def test_kill_switch_stops_before_data() -> None:
    """With the kill switch on DATA is never said."""
    async with Sink() as sink:

        async def no() -> bool:
            return False

        transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="p.example", tls="none", timeouts=PATIENT
        )
        result = await transport.deliver(RAW, "", RCPT, before_data=no, before_dot=nothing)
    assert result.kind is DeliveryKind.STOPPED
    assert "DATA" not in sink.commands


@pytest.mark.parametrize(
    ("setting", "kind", "code"),
    [
        ({"on_connect": "421 4.3.2 busy"}, DeliveryKind.DEFERRED, 421),
        ({"on_connect": "554 5.7.1 go away"}, DeliveryKind.FAILED, 554),
        ({"on_mail": "451 4.3.0 later"}, DeliveryKind.DEFERRED, 451),
        ({"on_mail": "550 5.1.8 never"}, DeliveryKind.FAILED, 550),
        ({"on_data": "452 4.3.1 full"}, DeliveryKind.DEFERRED, 452),
        ({"on_dot": "451 4.3.0 later"}, DeliveryKind.DEFERRED, 451),
        ({"on_dot": "554 5.6.0 never"}, DeliveryKind.FAILED, 554),
        ({"on_connect": "250 hello"}, DeliveryKind.DEFERRED, 250),
        ({"on_mail": "220 sink.example ESMTP"}, DeliveryKind.DEFERRED, 220),
        ({"on_data": "250 2.0.0 Ok"}, DeliveryKind.DEFERRED, 250),
        ({"on_dot": "354 go on"}, DeliveryKind.UNKNOWN, 354),
        ({"on_dot": "close"}, DeliveryKind.UNKNOWN, 0),
        ({"on_dot": "silence"}, DeliveryKind.UNKNOWN, 0),
        ({"on_dot": "what?"}, DeliveryKind.UNKNOWN, 0),
        ({"on_dot": "25"}, DeliveryKind.UNKNOWN, 0),
        ({"on_dot": "250-so far\r\n550 no"}, DeliveryKind.UNKNOWN, 0),
        ({"close_in_data": True}, DeliveryKind.DEFERRED, 0),
        ({"on_connect": "hello"}, DeliveryKind.DEFERRED, 0),
    ],
    ids=str,
)
async def test_outcomes(setting: dict[str, object], kind: DeliveryKind, code: int) -> None:
    """4xx defers, 5xx fails; a dot without a proper answer is unknown, and only 2xx to it sends."""
    async with Sink(**setting) as sink:  # type: ignore[arg-type]
        big = RAW + b"x" * 60 + b"\r\n"
        is_silent = setting.get("on_dot") == "silence"
        timeouts = replace(PATIENT, dot=0.5) if is_silent else PATIENT
        transport = SmtpTransport(
            "127.0.0.1", sink.port, hostname="p.example", tls="none", timeouts=timeouts
        )
        raw = big + (b"y" * 70 + b"\r\n") * 200_000 if "close_in_data" in setting else big
        result = await transport.deliver(raw, "", RCPT, before_data=yes, before_dot=nothing)
    assert (result.kind, result.code) == (kind, code)


async def test_partial_acceptance_is_told_by_recipient() -> None:
    """A refused recipient does not hide that the other one got the message."""
    async with Sink(on_rcpt={"bob@out.example": "550 5.1.1 unknown"}) as sink:
        result = await deliver(sink)
    assert result.kind is DeliveryKind.SENT
    fates = {one.address: (one.kind, one.code) for one in result.recipients}
    assert fates == {
        "ann@out.example": (DeliveryKind.SENT, 250),
        "bob@out.example": (DeliveryKind.FAILED, 550),
    }
    assert sink.messages[0].rcpt_to == ["ann@out.example"]


async def test_all_recipients_refused() -> None:
    """If one of the refusals may pass the attempt is deferred, else failed; DATA is not said."""
    refusals = {"ann@out.example": "550 5.1.1 no", "bob@out.example": "450 4.2.1 later"}
    async with Sink(on_rcpt=refusals) as sink:
        assert (await deliver(sink)).kind is DeliveryKind.DEFERRED
        sink.on_rcpt["bob@out.example"] = "553 5.1.3 no"
        assert (await deliver(sink)).kind is DeliveryKind.FAILED
    assert "DATA" not in sink.commands


async def test_a_name_that_no_host_has_is_an_outcome() -> None:
    """An empty label is nothing that the DNS could be asked for."""
    transport = SmtpTransport("relay..example", 25, hostname="p.example", tls="none")
    result = await transport.deliver(RAW, "", RCPT, before_data=yes, before_dot=nothing)
    assert (result.kind, "relay..example" in result.text) == (DeliveryKind.DEFERRED, True)
    with pytest.raises(SmtpReplyError, match=r"relay\.\.example"):
        await transport.ping()


async def test_nobody_listens() -> None:
    """A refused connection defers."""
    async with Sink() as sink:
        pass
    assert (await deliver(sink)).kind is DeliveryKind.DEFERRED


async def test_login_is_sent_and_refusal_fails() -> None:
    """The right password logs in; a wrong one is a 535 and no message."""
    async with Sink(login=("u7", "p8")) as sink:
        assert (await deliver(sink, user="u7", password="p8")).kind is DeliveryKind.SENT
        refused = await deliver(sink, user="u7", password="p9")
    assert (refused.kind, refused.code, len(sink.messages)) == (DeliveryKind.FAILED, 535, 1)


def server_context(certificate: Path) -> ssl.SSLContext:
    """Return what the sink encrypts with."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


async def test_starttls_with_a_trusted_certificate(certificate: Path) -> None:
    """The message goes out encrypted, and EHLO is said again after the handshake."""
    trusted = ssl.create_default_context(cafile=str(certificate))
    async with Sink(tls=server_context(certificate), login=("u", "p")) as sink:
        result = await deliver(sink, tls="starttls", context=trusted, user="u", password="p")
    assert result.kind is DeliveryKind.SENT
    assert [c.split(" ")[0] for c in sink.commands[:4]] == ["EHLO", "STARTTLS", "EHLO", "AUTH"]


async def test_untrusted_certificate_fails_closed(certificate: Path) -> None:
    """A certificate signed by itself is refused, and neither password nor mail is sent."""
    async with Sink(tls=server_context(certificate), login=("u", "p")) as sink:
        result = await deliver(sink, tls="starttls", user="u", password="p")
        await asyncio.sleep(0.05)
    assert result.kind is DeliveryKind.DEFERRED
    assert [c.split(" ")[0] for c in sink.commands] == ["EHLO", "STARTTLS"]


async def test_stripped_starttls_fails_closed() -> None:
    """A server that offers no STARTTLS gets nothing, unless the setting says `none`."""
    async with Sink(login=("u", "p")) as sink:
        result = await deliver(sink, tls="starttls", user="u", password="p")
    assert result.kind is DeliveryKind.DEFERRED
    assert [c.split(" ")[0] for c in sink.commands] == ["EHLO"]


BAD = [
    (b"a: b\r\n\r\nbare\nlf\r\n", "x@y.example", ["z@y.example"]),
    (b"a: b\r\n\r\nbare\rcr\r\n", "x@y.example", ["z@y.example"]),
    (b"a: b\r\n\r\nnul\0\r\n", "x@y.example", ["z@y.example"]),
    (b"a: b\r\n\r\nno end", "x@y.example", ["z@y.example"]),
    (b"a: " + b"b" * 996 + b"\r\n\r\n", "x@y.example", ["z@y.example"]),
    (b"a: b\r\n\r\n", "x@y.example> SIZE=1", ["z@y.example"]),
    (b"a: b\r\n\r\n", "x@y.example", ["z@y.example\r\nDATA"]),
    (b"a: b\r\n\r\n", "x@y.example", ["<z@y.example>"]),
    (b"a: b\r\n\r\n", "x@y.example", []),
]


@pytest.mark.parametrize(("raw", "sender", "rcpt"), BAD, ids=range(len(BAD)))
async def test_what_must_not_go_out_does_not(raw: bytes, sender: str, rcpt: list[str]) -> None:
    """Bytes or addresses that could smuggle fail before a connection is made."""
    async with Sink() as sink:
        transport = SmtpTransport("127.0.0.1", sink.port, hostname="p.example", tls="none")
        result = await transport.deliver(raw, sender, rcpt, before_data=yes, before_dot=nothing)
    assert result.kind is DeliveryKind.FAILED
    assert sink.commands == []


@given(st.lists(st.sampled_from([b"\r\n", b".", b"..", b"a", b"\r", b"\n", b"\0"]), max_size=30))
def test_stuffing_is_undone_by_the_other_side(tokens: list[bytes]) -> None:
    """What passes the check ends no data once its dots are stuffed, and comes back unchanged."""
    from connectors.receiver.data import DataDecoder

    raw = b"a: b\r\n\r\n" + b"".join(tokens) + b"\r\n"
    try:
        check_outgoing(raw, "", ["z@y.example"])
    except OutsidePermanentError:
        assert any(bad in raw.replace(b"\r\n", b"") for bad in (b"\r", b"\n", b"\0"))
        return
    decoder = DataDecoder()
    assert decoder.feed(stuff_dots(raw) + b".\r\n") == raw
    assert decoder.finished
    assert not decoder.bare_eol


async def test_file_transport_writes_once(tmp_path: Path) -> None:
    """A second attempt at the same message, as after a crash, leaves one file."""
    transport = FileTransport(tmp_path / "outgoing")
    for _ in range(2):
        result = await transport.deliver(
            RAW, "h@h.example", RCPT, before_data=yes, before_dot=nothing
        )
        assert result.kind is DeliveryKind.SENT
        assert [one.kind for one in result.recipients] == [DeliveryKind.SENT] * 2
    (file,) = (tmp_path / "outgoing" / "new").iterdir()
    assert file.read_bytes() == RAW
    file.rename(tmp_path / "outgoing" / "cur" / f"{file.name}:2,S")
    await transport.deliver(RAW, "h@h.example", RCPT, before_data=yes, before_dot=nothing)
    assert list((tmp_path / "outgoing" / "new").iterdir()) == []


async def test_file_transport_keeps_messages_apart(tmp_path: Path) -> None:
    """Another Message-ID, or other recipients, is another file."""
    transport = FileTransport(tmp_path)
    other = RAW.replace(b"r1@", b"r2@")
    for raw, rcpt in ((RAW, RCPT), (other, RCPT), (RAW, RCPT[:1])):
        await transport.deliver(raw, "", rcpt, before_data=yes, before_dot=nothing)
    assert len(list((tmp_path / "new").iterdir())) == 3


async def test_file_transport_that_cannot_write_defers(tmp_path: Path) -> None:
    """A folder that cannot be made is a temporary failure with its name in it."""
    (tmp_path / "file").write_text("in the way")
    transport = FileTransport(tmp_path / "file")
    result = await transport.deliver(RAW, "", RCPT, before_data=yes, before_dot=nothing)
    assert result.kind is DeliveryKind.DEFERRED
    assert "file" in result.text
