"""The inbound webhook: only what is signed, fresh and well-formed comes in."""

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook

from connectors.webhook import read_payload, sign, verify
from data.errors import ForbiddenError, UnreadableMailError

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()
NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
BODY = b'{"a": "\xc3\xa4"}'


def test_good_signature_gives_the_id() -> None:
    """A delivery signed as the standard says is authentic; header names are without case."""
    headers = {name.title(): value for name, value in sign(SECRET, "msg_17", NOW, BODY).items()}
    assert verify(SECRET, headers, BODY, NOW) == "msg_17"


def test_signature_agrees_with_the_reference_library() -> None:
    """The standard's own library signs what we accept."""
    signature = Webhook(SECRET).sign("msg_18", NOW, BODY.decode())
    headers = {
        "webhook-id": "msg_18",
        "webhook-timestamp": str(int(NOW.timestamp())),
        "webhook-signature": signature,
    }
    assert verify(SECRET, headers, BODY, NOW) == "msg_18"


def test_one_good_signature_among_others_is_enough() -> None:
    """While a secret is being rotated two signatures come, and unknown versions beside them."""
    good = sign(SECRET, "msg_19", NOW, BODY)
    old = sign(OTHER, "msg_19", NOW, BODY)["webhook-signature"]
    good["webhook-signature"] = f"v1a,AAAA {old} {good['webhook-signature']}"
    assert verify(SECRET, good, BODY, NOW) == "msg_19"


@pytest.mark.parametrize("seconds", [-301, 301, 10**9])
def test_late_and_early_deliveries_are_refused(seconds: int) -> None:
    """More than five minutes away in either direction is refused; five minutes are taken."""
    headers = sign(SECRET, "msg_20", NOW - timedelta(seconds=seconds), BODY)
    with pytest.raises(ForbiddenError, match="timestamp"):
        verify(SECRET, headers, BODY, NOW)
    edge = sign(SECRET, "msg_20", NOW - timedelta(seconds=300), BODY)
    assert verify(SECRET, edge, BODY, NOW) == "msg_20"


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("webhook-id", "msg_22"),
        ("webhook-id", ""),
        ("webhook-id", "a.b"),
        ("webhook-id", "x" * 257),
        ("webhook-id", "a\nb"),
        ("webhook-timestamp", str(int(NOW.timestamp()) + 1)),
        ("webhook-timestamp", "nan"),
        ("webhook-timestamp", "1e9"),
        ("webhook-timestamp", "-5"),
        ("webhook-timestamp", ""),
        ("webhook-signature", ""),
        ("webhook-signature", "v1"),
        ("webhook-signature", "v1,"),
        ("webhook-signature", "v1,%%%"),
        ("webhook-signature", "v1,ä"),
        ("webhook-signature", "v1,AAAA,BBBB"),
        ("webhook-signature", " " * 1000),
    ],
)
def test_forged_headers_are_refused(header: str, value: str) -> None:
    """A changed or malformed header is refused, whatever it holds."""
    headers = {**sign(SECRET, "msg_21", NOW, BODY), header: value}
    with pytest.raises(ForbiddenError):
        verify(SECRET, headers, BODY, NOW)


def test_changed_body_and_wrong_secret_are_refused() -> None:
    """One flipped bit, or another tenant's secret, is enough to be refused."""
    headers = sign(SECRET, "msg_23", NOW, BODY)
    with pytest.raises(ForbiddenError):
        verify(SECRET, headers, bytes([BODY[0] ^ 1]) + BODY[1:], NOW)
    with pytest.raises(ForbiddenError):
        verify(OTHER, headers, BODY, NOW)


def test_secret_of_other_letters_is_none() -> None:
    """Letters that are no base64 at all are said to be none."""
    with pytest.raises(ForbiddenError, match="make a new one"):
        sign(SECRET + "ü", "id", NOW, b"{}")


def test_short_secret_is_never_used() -> None:
    """An empty or short key verifies nothing."""
    for secret in ("", "whsec_", "whsec_" + base64.b64encode(b"short").decode()):
        with pytest.raises(ForbiddenError, match="secret"):
            verify(secret, sign(SECRET, "m", NOW, BODY), BODY, NOW)


def payload(**given: object) -> bytes:
    """Return a good body with some fields replaced."""
    fields = {
        "mail_from": "ann@out.example",
        "rcpt_to": ["help@harbor.example"],
        "raw": base64.b64encode(b"Subject: s\r\n\r\n").decode(),
    }
    return json.dumps({**fields, **given}).encode()


def test_payload_gives_the_message() -> None:
    """Envelope and bytes come out of the body as they were put in."""
    expected = ("ann@out.example", ("help@harbor.example",), b"Subject: s\r\n\r\n")
    assert read_payload(payload()) == expected


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        payload(rcpt_to=[]),
        payload(rcpt_to=["no address"]),
        payload(mail_from="a@b.example\r\nX: y"),
        payload(raw="***"),
        payload(raw=""),
        payload(organization="other"),
    ],
    ids=range(9),
)
def test_malformed_payload_is_refused(body: bytes) -> None:
    """What is not a message with an envelope is refused with a sentence; nothing is guessed."""
    with pytest.raises(UnreadableMailError):
        read_payload(body)
