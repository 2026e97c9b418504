"""Certificates of a private CA: what cannot be read is refused in a sentence."""

import datetime
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from connectors.authorities import read_authorities
from connectors.verified_tls import verified_tls
from data.errors import SettingsError, UnfitError


@pytest.fixture(scope="module")
def der() -> bytes:
    """Return a CA's certificate with two extensions that nobody knows."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Teasel House CA")])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    )
    for number in ("1.2.3.4.5", "1.2.3.4.6"):
        unknown = x509.UnrecognizedExtension(x509.ObjectIdentifier(number), b"x")
        builder = builder.add_extension(unknown, critical=False)
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def test_a_certificate_is_read(der: bytes) -> None:
    """Extensions that nobody knows do not matter."""
    (authority,) = read_authorities(ssl.DER_cert_to_PEM_cert(der))
    assert (authority.subject, authority.signs_others) == ("CN=Teasel House CA", True)


@pytest.mark.parametrize(
    ("octets", "others"),
    [
        (b"\x2a\x03\x04\x06", b"\x2a\x03\x04\x05"),
        (b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x07"),
        (b"\x30\x0f\x06\x03\x55\x1d\x13", b"\x30\x0f\x06\x03\x55\x1d\x0f"),
    ],
    ids=["one extension twice", "version 8", "an extension of another's form"],
)
def test_a_broken_certificate_is_refused(der: bytes, octets: bytes, others: bytes) -> None:
    """Whatever the library raises over it, a person reads a sentence."""
    assert der.count(octets) == 1
    with pytest.raises(UnfitError, match="cannot be read"):
        read_authorities(ssl.DER_cert_to_PEM_cert(der.replace(octets, others)))


def test_a_comment_in_other_letters_is_named(der: bytes) -> None:
    """The library of TLS takes ASCII alone, so that the text could not be used later."""
    pem = f"# für Köln\n{ssl.DER_cert_to_PEM_cert(der)}"
    with pytest.raises(UnfitError, match="comment"):
        read_authorities(pem)
    with pytest.raises(SettingsError, match="private CA of the relay"):
        verified_tls("", "the relay", pem)
