"""S/MIME bodies: what is only signed or packed is read, what is encrypted is named (RFC 8551).

Signatures are not checked: who wrote a message is told by its transport (SPF, DKIM, DMARC), and
nothing here says more.
"""

import zlib
from dataclasses import dataclass

OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
"""Media types of CMS objects that hold a MIME entity."""
UNPACKED_BYTES = 64_000_000
"""Bytes that a packed body may have when it is unpacked."""

# What asn1crypto raises for broken objects; deep ones end in a RecursionError.
_BROKEN = (ValueError, TypeError, KeyError, LookupError, AttributeError, RecursionError, zlib.error)
_ENCRYPTED = frozenset(
    {
        "enveloped_data",
        "authenticated_enveloped_data",
        "encrypted_data",
        "signed_and_enveloped_data",
    }
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What a CMS object holds (RFC 5652)."""

    content: bytes | None = None
    """A MIME entity; None when it cannot be read."""
    sealed: str = ""
    """Why not, a few words."""


def open_cms(octets: bytes) -> Opened:
    """Return the MIME entity within a CMS object that is signed or compressed only."""
    from asn1crypto import cms  # a tenth of a second, and few messages have one

    try:
        outer = cms.ContentInfo.load(octets)
        kind = outer["content_type"].native
        if kind in _ENCRYPTED:
            return Opened(sealed="encrypted with S/MIME")
        if kind == "signed_data":
            inner = outer["content"]["encap_content_info"]["content"]
            return Opened(bytes(inner)) if inner.native is not None else Opened()
        if kind == "compressed_data":
            packed = bytes(outer["content"]["encap_content_info"]["content"])
            return _unpack_compressed(packed)
    except _BROKEN:
        pass
    return Opened(sealed="broken S/MIME")


def _unpack_compressed(packed: bytes) -> Opened:
    """Return what is compressed (RFC 3274), unless it is too much."""
    opener = zlib.decompressobj()
    content = opener.decompress(packed, UNPACKED_BYTES)
    if opener.unconsumed_tail:
        return Opened(sealed="S/MIME that is too long when unpacked")
    return Opened(content)
