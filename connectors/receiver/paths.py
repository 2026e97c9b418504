"""Reading the arguments of MAIL and RCPT (RFC 5321 section 4.1.2, RFC 6531 section 3.3)."""

import string
from dataclasses import dataclass, field

import re2

_ATOM = r"[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\x{80}-\x{10FFFF}-]+"
_DOT_STRING = rf"{_ATOM}(?:\.{_ATOM})*"
_QUOTED = r'"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*"'
_LABEL = r"[a-zA-Z0-9_\x{80}-\x{10FFFF}](?:[a-zA-Z0-9_\x{80}-\x{10FFFF}-]*)"
_DOMAIN = rf"{_LABEL}(?:\.{_LABEL})*\.?"
_LITERAL = r"\[[a-zA-Z0-9.:]+\]"
_ADDRESS = re2.compile(rf"(?:{_DOT_STRING}|{_QUOTED})@(?:{_DOMAIN}|{_LITERAL})")
_SOURCE_ROUTE = re2.compile(rf"@{_DOMAIN}(?:,@{_DOMAIN})*:")
_PATH = re2.compile(r'<((?:"(?:[^"\\]|\\.)*"|[^<>"])*)>(?: +(.*))?')
_CONTROL = re2.compile(r"[\x00-\x1f\x7f-\x{9f}\x{2028}\x{2029}]")
_LETTERS = frozenset(string.ascii_letters + string.digits + "_-.")
_ATEXT = _LETTERS | frozenset("!#$%&'*+/=?^`{|}~")
MAX_PATH = 256  # RFC 5321 section 4.5.3.1.3, brackets included
MAX_LOCAL = 128  # twice what section 4.5.3.1.1 names: longer ones are in use


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


def is_address(address: str) -> bool:
    """Return whether `address` is `local@domain` within the lengths and letters allowed."""
    if len(address.encode("utf-8", "surrogatepass")) > MAX_PATH - 2 or has_control(address):
        return False
    local, _, domain = address.rpartition("@")
    if len(local) > MAX_LOCAL:
        return False
    return _is_plain(local, domain) or _ADDRESS.fullmatch(address) is not None


def _is_plain(local: str, domain: str) -> bool:
    """Return whether this is one of the ordinary addresses, which need no pattern."""
    if not (_ATEXT.issuperset(local) and _LETTERS.issuperset(domain)):
        return False
    labels = domain.split(".")
    return all(local.split(".")) and all(labels) and not any(map(_begins_with_hyphen, labels))


def _begins_with_hyphen(label: str) -> bool:
    return label[0] == "-"


def is_postmaster(address: str) -> bool:
    """Return whether this is the address that needs no domain (RFC 5321 section 4.5.1)."""
    return address.lower() == "postmaster"


def has_control(text: str) -> bool:
    """Return whether `text` holds a control character or bytes that are not UTF-8."""
    if not text.isprintable():
        # Surrogates stand for bytes that could not be decoded; RE2 cannot take them.
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            return True
        return _CONTROL.search(text) is not None
    return False


def _parameters(text: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for part in text.split():
        keyword, _, value = part.partition("=")
        if keyword.upper() in parameters:
            raise PathError("501 5.5.4 A parameter was given twice")
        parameters[keyword.upper()] = value
    return parameters
