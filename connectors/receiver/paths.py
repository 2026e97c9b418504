"""Reading the arguments of MAIL and RCPT (RFC 5321 section 4.1.2, RFC 6531 section 3.3)."""

from dataclasses import dataclass, field

import re2

from connectors.addresses import DOMAIN, has_control, is_address

_SOURCE_ROUTE = re2.compile(rf"@{DOMAIN}(?:,@{DOMAIN})*:")
_PATH = re2.compile(r'<((?:"(?:[^"\\]|\\.)*"|[^<>"])*)>(?: +(.*))?')


class PathError(ValueError):
    """An argument that cannot be accepted; the text is the SMTP reply."""


@dataclass(frozen=True, slots=True)
class Path:
    """A reverse- or forward-path and the parameters behind it, keywords in upper case."""

    address: str
    parameters: dict[str, str] = field(default_factory=dict)


def read_path(argument: str, keyword: str) -> Path:
    """Read `FROM:<a@b> SIZE=1` or `TO:<a@b>`; the null path gives an empty address.

    Source routes are dropped (RFC 5321 appendix C); a missing pair of brackets is forgiven.
    Raises PathError with the reply to give.
    """
    head, colon, rest = argument.partition(":")
    if not colon or head.strip().upper() != keyword:
        raise PathError(f"501 5.5.4 Syntax: {keyword}:<address>")
    if has_control(rest):
        raise PathError("501 5.1.7 Control characters are not allowed")
    rest = rest.strip(" ")
    if not rest.startswith("<"):
        bare, _, parameters = rest.partition(" ")
        rest = f"<{bare}> {parameters}".rstrip(" ")
    address, tail = _split(rest)
    if address.startswith("@"):
        address = _SOURCE_ROUTE.sub("", address, count=1)
    if address and not is_address(address) and not is_postmaster(address):
        raise PathError("501 5.1.3 Bad address syntax")
    return Path(address, _parameters(tail) if tail else {})


def _split(rest: str) -> tuple[str, str]:
    """Return what is between the brackets, and the parameters behind them."""
    end = rest.find(">")
    address, tail = rest[1:end], rest[end + 1 :]
    if end > 0 and not tail and "<" not in address and '"' not in address:
        return address, ""
    found = _PATH.fullmatch(rest)
    if not found:
        raise PathError("501 5.1.3 Bad address syntax")
    return found.group(1), found.group(2) or ""


def is_postmaster(address: str) -> bool:
    """Return whether this is the address that needs no domain (RFC 5321 section 4.5.1)."""
    return address.lower() == "postmaster"


def _parameters(text: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for part in text.split():
        keyword, _, value = part.partition("=")
        if keyword.upper() in parameters:
            raise PathError("501 5.5.4 A parameter was given twice")
        parameters[keyword.upper()] = value
    return parameters
