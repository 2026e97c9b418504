"""DKIM signatures for our own outgoing mail (RFC 6376 section 5).

Every field that a reply stands on is signed once more than it occurs, so that none can be added,
and the body as a whole. The signature is checked before it is handed out: a receiver that finds it
broken treats the mail worse than one without.
"""

import base64
import binascii
from functools import lru_cache

import dkim
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from connectors.spf_query import UPSETS
from data.errors import OutsidePermanentError, SettingsError

SIGNED_FIELDS = (
    b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references",
    b"auto-submitted", b"cc", b"reply-to", b"mime-version", b"content-type",
    b"content-transfer-encoding",
)  # fmt: skip
"""Fields that are signed, each once more than it is there."""

SHORTEST_KEY = 2_048
"""Bits of a key of ours (RFC 8301 section 3.2)."""

_FAULTS = (dkim.DKIMException, dkim.crypto.UnparsableKeyError, binascii.Error, *UPSETS)


def sign_message(raw: bytes, domain: str, selector: str, key: bytes) -> bytes:
    """Return the message with a DKIM-Signature field on top.

    Args:
        raw: the rendered message, lines ending in CRLF, with exactly one From.
        domain: the signing domain, in ASCII.
        selector: the key's name below `_domainkey` of that domain.
        key: RSA private key of 2048 bits or more, PEM in PKCS#1 or PKCS#8 form.

    Raises:
        SettingsError: the key cannot be read, or is too short.
        OutsidePermanentError: the message cannot be signed so that the signature holds.

    """
    private = _read_key(key)
    public = _build_record(private)
    try:
        signer = dkim.DKIM(raw)
        names = [name.lower() for name, _ in signer.headers]
        field = signer.sign(
            selector.encode("ascii"),
            domain.lower().encode("ascii"),
            private.private_bytes(
                pem.Encoding.PEM, pem.PrivateFormat.TraditionalOpenSSL, pem.NoEncryption()
            ),
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name for name in SIGNED_FIELDS for _ in range(names.count(name) + 1)],
        )
        signed: bytes = field + raw
        holds = names.count(b"from") == 1 and dkim.DKIM(signed).verify(
            dnsfunc=lambda _, **__: public
        )
    except _FAULTS as error:
        raise OutsidePermanentError(
            f"the message cannot be signed for {domain!r}: {error}; look at the rendered draft"
        ) from error
    if not holds:
        raise OutsidePermanentError(
            f"the signature for {domain!r} does not hold; look at the rendered draft"
        )
    return signed


def build_key_record(key: bytes) -> str:
    """Return the text to publish at `<selector>._domainkey.<domain>` for a private key.

    Raises:
        SettingsError: the key cannot be read, or is too short.

    """
    return _build_record(_read_key(key)).decode("ascii")


@lru_cache(maxsize=8)  # reading a key proves its primes, which takes longer than signing
def _read_key(key: bytes) -> RSAPrivateKey:
    """Return the private key of a PEM text."""
    try:
        private = pem.load_pem_private_key(key, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SettingsError(
            "the DKIM key cannot be read; give an RSA private key in PEM without a password"
        ) from error
    if not isinstance(private, RSAPrivateKey) or private.key_size < SHORTEST_KEY:
        raise SettingsError(f"the DKIM key is no RSA key of {SHORTEST_KEY} bits or more; make one")
    return private


def _build_record(private: RSAPrivateKey) -> bytes:
    """Return the key record of RFC 6376 section 3.6.1."""
    public = private.public_key().public_bytes(
        pem.Encoding.DER, pem.PublicFormat.SubjectPublicKeyInfo
    )
    return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
