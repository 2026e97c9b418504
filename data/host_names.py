"""Names of hosts: as settings hold them, and in letters beyond ASCII."""

from functools import lru_cache
from typing import Annotated

import idna
from pydantic import AfterValidator

_LABEL_OCTETS = 63


def _host_name(host: str) -> str:
    """Refuse what can be neither a greeting nor the end of a Message-ID."""
    if not host or not all(
        letter.isascii() and (letter.isalnum() or letter in ".-:[]_") for letter in host
    ):
        raise ValueError("write a host's name: letters, digits, dots and hyphens")
    return host


HostName = Annotated[str, AfterValidator(_host_name)]


@lru_cache(maxsize=4096)
def ascii_domain(domain: str) -> str:
    """Return a domain in A-labels, as RFC 5891 makes them (IDNA 2008); one in ASCII as it is.

    Letters are mapped as UTS 46 says without its transitional forms: *ß* stays a letter of its own,
    where the codec of Python (RFC 3490) makes *ss* of it, which is somebody else's domain.

    Raises:
        UnicodeError: a label is empty, too long, or holds letters that no domain may have.

    """
    if not domain.isascii():
        domain = idna.uts46_remap(domain, std3_rules=False, transitional=False)
    labels = [
        label if label.isascii() else idna.alabel(label).decode("ascii")
        for label in domain.split(".")
    ]
    if not all(0 < len(label) <= _LABEL_OCTETS for label in labels):
        raise UnicodeError(f"{domain[:80]!r} has a label that is empty or longer than 63 octets")
    return ".".join(labels)


def comparable_domain(domain: str) -> str:
    """Return a domain as it is compared: small, in A-labels where it can be written so."""
    if domain.isascii():
        return domain.lower()
    try:
        return ascii_domain(domain)
    except UnicodeError:
        return domain.casefold()


def readable_domain(domain: str) -> str:
    """Return a domain with its A-labels as the letters that they stand for.

    Raises:
        UnicodeError: a label that begins with `xn--` stands for none.

    """
    return ".".join(
        idna.ulabel(label) if label.startswith("xn--") else label for label in domain.split(".")
    )
