"""Small pictures that stand in a manifest as `data:` addresses, so that none is fetched."""

import base64
import binascii

LONGEST_PICTURE = 65_536
"""Characters of such an address, about 48 KB of picture."""
_BEGINNINGS = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}
"""How the content of each type begins; drawings as SVG can hold scripts and are none of them."""
_SCHEME, _ENCODING = "data:", ";base64"


def is_embedded(address: str) -> bool:
    """Return whether an address is the picture itself, and not where one lies."""
    return address.startswith(_SCHEME)


def checked_picture(address: str) -> str:
    """Return a picture's `data:` address (RFC 2397) as it came.

    Raises:
        ValueError: it is too long, no PNG, JPEG, GIF or WebP in Base64, or not what it says it is.

    """
    if len(address) > LONGEST_PICTURE:
        raise ValueError(f"a picture has at most {LONGEST_PICTURE:,} characters as an address")
    described, _, encoded = address.removeprefix(_SCHEME).partition(",")
    beginnings = _BEGINNINGS.get(described.removesuffix(_ENCODING))
    if beginnings is None or not described.endswith(_ENCODING):
        kinds = ", ".join(_BEGINNINGS)
        raise ValueError(f"write a picture as data:image/png;base64,…; the types are {kinds}")
    try:
        content = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise ValueError("the picture is no Base64") from error
    if not content.startswith(beginnings):
        raise ValueError(f"the picture is not what it says it is, {described}")
    return address
