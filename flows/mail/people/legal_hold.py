"""Addresses whose data must be kept for now: a file in the organization's folder."""

from collections.abc import Collection
from pathlib import Path

from tasks.compose.recipients import bare

FILE = "legal_hold.txt"
"""One address or `@domain` a line, and behind it why; lines that begin with `#` do not count."""


def holds(folder: Path, addresses: Collection[str]) -> list[str]:
    """Return a sentence for each line that names one of these addresses (lower-cased)."""
    try:
        lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    holds_found = []
    for number, line in enumerate(lines, start=1):
        name, _, why = line.strip().partition(" ")
        if name and not name.startswith("#") and _names(name.lower(), addresses):
            reason = why.strip() or "no reason is given"
            holds_found.append(
                f"{FILE} line {number} keeps {name!r} ({reason}): take the line out first"
            )
    return holds_found


def _names(name: str, addresses: Collection[str]) -> bool:
    if name.startswith("@"):
        return any(address.endswith(name) for address in addresses)
    return any(address == name or bare(address) == name for address in addresses)
