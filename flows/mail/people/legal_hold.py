"""Addresses whose data must be kept for now: a file in the organization's folder."""

from collections.abc import Collection
from pathlib import Path

from tasks.mail.compose.recipients import reduce_address

FILE = "legal_hold.txt"
"""One address or `@domain` a line, and behind it why; lines that begin with `#` do not count."""
_AROUND = "<>,;:\"'"
"""What a hand leaves around an address."""


def holds(folder: Path, addresses: Collection[str]) -> list[str]:
    """Return a sentence for each line that names one of these addresses (lower-cased).

    So does one that begins with no address: nobody can say whom it is meant to keep.
    """
    try:
        text = (folder / FILE).read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError:
        return []
    holds_found = []
    for number, line in enumerate(text.splitlines(), start=1):
        first, *rest = line.split(maxsplit=1) or ("#",)
        if first.startswith("#"):
            continue
        name = first.strip(_AROUND)
        if "@" not in name:
            holds_found.append(
                f"{FILE} line {number} names no address at its beginning: mend it or take it out"
            )
        elif _names(name.lower(), addresses):
            reason = "".join(rest).strip() or "no reason is given"
            holds_found.append(
                f"{FILE} line {number} keeps {name!r} ({reason}): take the line out first"
            )
    return holds_found


def _names(name: str, addresses: Collection[str]) -> bool:
    if name.startswith("@"):
        return any(address.endswith(name) for address in addresses)
    return any(address == name or reduce_address(address) == name for address in addresses)
