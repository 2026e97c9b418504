"""The test for a mail address (RFC 5321 section 4.1.2, RFC 6531 section 3.3)."""

import string

import re2

_ATOM = r"[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\x{80}-\x{10FFFF}-]+"
_DOT_STRING = rf"{_ATOM}(?:\.{_ATOM})*"
_QUOTED = r'"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*"'
_LABEL = r"[a-zA-Z0-9_\x{80}-\x{10FFFF}](?:[a-zA-Z0-9_\x{80}-\x{10FFFF}-]*)"
DOMAIN = rf"{_LABEL}(?:\.{_LABEL})*\.?"
"""Pattern (RE2) of a domain."""
_LITERAL = r"\[[a-zA-Z0-9.:]+\]"
_ADDRESS = re2.compile(rf"(?:{_DOT_STRING}|{_QUOTED})@(?:{DOMAIN}|{_LITERAL})")
_CONTROL = re2.compile(r"[\x00-\x1f\x7f-\x{9f}\x{2028}\x{2029}]")
_LETTERS = frozenset(string.ascii_letters + string.digits + "_-.")
_ATEXT = _LETTERS | frozenset("!#$%&'*+/=?^`{|}~")
MAX_PATH = 256  # RFC 5321 section 4.5.3.1.3, brackets included
MAX_LOCAL = 128  # twice what section 4.5.3.1.1 names: longer ones are in use


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


def has_control(text: str) -> bool:
    """Return whether `text` holds a control character or bytes that are not UTF-8."""
    if not text.isprintable():
        # Surrogates stand for bytes that could not be decoded; RE2 cannot take them.
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            return True
        return _CONTROL.search(text) is not None
    return False
