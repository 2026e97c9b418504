"""Reading the paths of MAIL and RCPT (RFC 5321 section 4.1.2, RFC 6531 section 3.3)."""

import re2

from connectors.addresses import DOMAIN, is_address

NULL = "<>"
"""The null path: aiosmtpd takes an empty one for none."""
_SOURCE_ROUTE = re2.compile(rf"@{DOMAIN}(?:,@{DOMAIN})*:")
_PATH = re2.compile(r'<((?:"(?:[^"\\]|\\.)*"|[^<>"])*)>(?: +(.*))?')


class PathError(ValueError):
    """An argument that cannot be accepted; the text is the SMTP reply."""


def read_path(text: str) -> tuple[str, str]:
    """Read `<a@b> SIZE=1` of MAIL or RCPT: return the address and what follows it.

    The null path gives `NULL`. Source routes are dropped (RFC 5321 appendix C); a missing pair of
    brackets is forgiven. Raises PathError with the reply to give.
    """
    text = text.strip(" ")
    if text and not text.startswith("<"):
        bare, _, parameters = text.partition(" ")
        text = f"<{bare}> {parameters}".rstrip(" ")
    address, tail = _split(text)
    if address.startswith("@"):
        address = _SOURCE_ROUTE.sub("", address, count=1)
    if address and not is_address(address) and not is_postmaster(address):
        raise PathError("501 5.1.3 Bad address syntax")
    return address or NULL, tail


def _split(rest: str) -> tuple[str, str]:
    """Return what is between the brackets, and the parameters behind them."""
    end = rest.find(">")
    address, tail = rest[1:end], rest[end + 1 :]
    if end > 0 and not tail and "<" not in address and '"' not in address:
        return address, ""
    match = _PATH.fullmatch(rest)
    if not match:
        raise PathError("501 5.1.3 Bad address syntax")
    return match.group(1), match.group(2) or ""


def is_postmaster(address: str) -> bool:
    """Return whether this is the address that needs no domain (RFC 5321 section 4.5.1)."""
    return address.lower() == "postmaster"
