"""The domain that somebody registered, which DMARC's alignment is about (RFC 7489 section 3.2).

The Public Suffix List that comes with authheaders is read as data. Its own function is not used: it
reads the whole list again for every question, which takes longer than everything else together.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from data.errors import SettingsError


@lru_cache(maxsize=8192)
def organizational_domain(domain: str) -> str:
    """Return the public suffix of `domain` and one label more; of a bare suffix, the suffix.

    Args:
        domain: in ASCII, any case.

    """
    labels = domain.lower().strip(".").split(".")
    return ".".join(labels[-(_suffix_labels(labels) + 1) :])


def is_aligned(one: str, other: str, *, strict: bool = False) -> bool:
    """Whether two domains align: the same one, or, relaxed, of the same organization."""
    if not one or not other:
        return False
    if strict:
        return one.lower() == other.lower()
    return organizational_domain(one) == organizational_domain(other)


def _suffix_labels(labels: list[str]) -> int:
    """Return how many labels the public suffix has: exceptions first, then the longest rule."""
    plain, wildcards, exceptions = _rules()
    longest = 1
    for size in range(1, len(labels) + 1):
        tail = ".".join(labels[-size:])
        if tail in exceptions:
            return size - 1
        if tail in plain or (size > 1 and ".".join(labels[-size + 1 :]) in wildcards):
            longest = size
    return longest


@lru_cache(maxsize=1)
def _rules() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the plain rules, the domains below which every label is a suffix, the exceptions."""
    package = find_spec("authheaders")  # found, not imported: importing it loads a DNS client
    if package is None or not package.submodule_search_locations:
        raise SettingsError("package 'authheaders' is not installed; install the requirements")
    folder = Path(package.submodule_search_locations[0])
    text = (folder / "public_suffix_list.txt").read_text("utf-8")
    rules = [
        line.split()[0] if line.isascii() else line.split()[0].encode("idna").decode()
        for line in text.splitlines()
        if line.strip() and not line.startswith("//")
    ]
    return (
        frozenset(rule for rule in rules if rule[0] not in "*!"),
        frozenset(rule[2:] for rule in rules if rule.startswith("*.")),
        frozenset(rule[1:] for rule in rules if rule.startswith("!")),
    )
