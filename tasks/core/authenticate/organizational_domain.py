"""The domain that somebody registered, which DMARC's alignment is about (RFC 7489 section 3.2).

It is one label more than the public suffix, by the Public Suffix List that the package brings.
"""

from functools import cache, lru_cache
from threading import Lock

from publicsuffixlist import PublicSuffixList

_LOADING = Lock()
"""Held while the list is read: the first messages ask for it at once, each from its own thread."""


@lru_cache(maxsize=8192)
def organizational_domain(domain: str) -> str:
    """Return the public suffix of `domain` and one label more; of a bare suffix, the suffix.

    Args:
        domain: in ASCII, any case.

    """
    name = domain.lower().strip(".")
    with _LOADING:
        suffixes = _suffixes()
    return suffixes.privatesuffix(name) or name


def is_aligned(first: str, other: str, *, strict: bool = False) -> bool:
    """Whether two domains align: the same one, or, relaxed, of the same organization."""
    if not first or not other:
        return False
    if strict:
        return first.lower() == other.lower()
    return organizational_domain(first) == organizational_domain(other)


@cache
def _suffixes() -> PublicSuffixList:
    """Return the list, read when the first domain is asked about."""
    return PublicSuffixList()
