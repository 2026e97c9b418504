"""Our own signature on outgoing mail."""

import pytest
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from connectors.dkim_signer import SIGNED_FIELDS, build_key_record, sign_message
from data.errors import OutsidePermanentError, SettingsError
from data.records.core.screening import AuthResult
from tasks.core.authenticate.dkim_form import read_tags, signatures
from tasks.core.parse.header_fields import header_fields
from tests.core.authentication.zone import THIEF_HOST, ZoneResolver, answer, key

REPLY = (
    b"From: Alder Office <office@alder.example>\r\n"
    b"To: petra@quince.example\r\n"
    b"Subject: Re: Seven crates of pears\r\n"
    b"Date: Mon, 02 Mar 2026 10:00:00 +0000\r\n"
    b"Message-ID: <eight@alder.example>\r\n"
    b"In-Reply-To: <seven@quince.example>\r\n"
    b"References: <seven@quince.example>\r\n"
    b"Auto-Submitted: auto-replied\r\n"
    b"\r\n"
    b"They arrive on Thursday.\r\n"
)
ZONE = {
    ("_dmarc.alder.example", "TXT"): ["v=DMARC1; p=reject"],
    ("fir._domainkey.alder.example", "TXT"): [build_key_record(key())],
}


def accepted(raw: bytes) -> AuthResult:
    """Return DMARC's result at a receiver that has no SPF to go by."""
    how = {"peer": THIEF_HOST, "mail_from": "", "helo": "relay.pear.example"}
    return answer(raw, resolver=ZoneResolver(ZONE), **how).dmarc


def private(size: int) -> bytes:
    """Return a fresh RSA key in PKCS#8."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=size)
    return made.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption())


def test_a_receiver_accepts_what_we_sign() -> None:
    """The signed reply passes DMARC by its signature, and holds the reply unchanged."""
    raw = sign_message(REPLY, "alder.example", "fir", key())
    assert accepted(raw) is AuthResult.PASS
    assert raw.endswith(REPLY)
    assert accepted(REPLY) is not AuthResult.PASS


def test_every_field_that_a_reply_stands_on_is_oversigned() -> None:
    """Each is signed once more than it is there, and the body as a whole."""
    raw = sign_message(REPLY, "alder.example", "fir", key())
    (field,) = [one for one in header_fields(raw) if one.name == "dkim-signature"]
    tags = read_tags(field.value)
    covered = [name.strip() for name in tags["h"].split(":")]
    present = [one.name for one in header_fields(REPLY)]
    for name in SIGNED_FIELDS:
        assert covered.count(name.decode()) == present.count(name.decode()) + 1
    assert "l" not in tags
    assert [one.problem for one in signatures(header_fields(raw))] == [""]


@pytest.mark.parametrize(
    "added",
    [b"From: thief@thief.example", b"Subject: Pay", b"Reply-To: thief@thief.example",
     b"To: all@pear.example", b"Cc: all@pear.example", b"References: <x@pear.example>",
     b"Auto-Submitted: no", b"Content-Type: text/html"],
)  # fmt: skip
@pytest.mark.parametrize("on_top", [True, False])
def test_nothing_can_be_added(added: bytes, on_top: bool) -> None:
    """A second From, Subject or the like breaks the signature."""
    raw = sign_message(REPLY, "alder.example", "fir", key())
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = [added, head] if on_top else [head, added]
    assert accepted(b"\r\n".join(lines) + b"\r\n\r\n" + body) is not AuthResult.PASS


def test_a_key_in_the_other_form_signs_too() -> None:
    """Keys in PKCS#8, as today's tools write them, are read."""
    other = private(2048)
    zone = {**ZONE, ("fir._domainkey.alder.example", "TXT"): [build_key_record(other)]}
    raw = sign_message(REPLY, "alder.example", "fir", other)
    assert answer(raw, resolver=ZoneResolver(zone), peer=THIEF_HOST).dkim is AuthResult.PASS


def test_keys_that_cannot_sign_are_refused() -> None:
    """No key, a short one or one of another kind is a setting to mend."""
    curve = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption()
    )
    for bad in (b"", b"-----BEGIN nothing", private(1024), curve):
        with pytest.raises(SettingsError):
            sign_message(REPLY, "alder.example", "fir", bad)
        with pytest.raises(SettingsError):
            build_key_record(bad)


@pytest.mark.parametrize(
    "raw",
    [
        REPLY.partition(b"\r\n")[2],
        b"From: thief@thief.example\r\n" + REPLY,
        b" folded into nothing\r\n" + REPLY,
        b"no field at all\r\n" + REPLY,
    ],
)
def test_what_cannot_be_signed_soundly_is_not_handed_out(raw: bytes) -> None:
    """No From, two of them or a broken header ends in an error, never in a bad signature."""
    with pytest.raises(OutsidePermanentError):
        sign_message(raw, "alder.example", "fir", key())


def test_a_name_outside_ascii_is_refused() -> None:
    """The signing domain and the selector are given in ASCII."""
    with pytest.raises(OutsidePermanentError):
        sign_message(REPLY, "älder.example", "fir", key())
