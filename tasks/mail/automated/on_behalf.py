"""Mail that a colleague passes on to be answered: whose it is, and what it says.

Its From is a person of the organization, and its words are a customer's. Nobody has proved either,
so a reply is always for a person to send.
"""

from collections.abc import Collection

from data.free_mail import free_mail_domains
from data.records.core.parsed_mail import Address, ParsedMail, Segments
from tasks.core.parse.addresses import read_addresses
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import lexicon
from tasks.mail.automated.signs import is_machine

HEAD_LINES = 12
"""Lines of the block of headers above what is passed on."""

_FROM = frozenset(str(label).casefold() for label in lexicon("quotes")["header_labels"]["from"])
_LABELS = frozenset(
    str(label).casefold()
    for labels in lexicon("quotes")["header_labels"].values()
    for label in labels
)
_LABEL = compiled(r"^[\s>*|]*([^:\x{FF1A}]{1,30}?)[\s*]*[:\x{FF1A}][\s*]*(.*)$")


def passed_on(
    mail: ParsedMail, segments: Segments, own_addresses: Collection[str], people: Collection[str]
) -> tuple[Address, Segments] | None:
    """Return whose mail a colleague passes on, and the body cut as if that person had sent it.

    A colleague is who writes from one of our domains, free mail aside, or is one of our `people`.
    None where nothing is passed on, its block of headers names not exactly one address, or a
    machine's or a colleague's.
    """
    if mail.sender is None or not segments.forwarded.strip():
        return None
    own = {address.casefold() for address in own_addresses}
    sender = mail.sender.email.casefold()
    domains = {own_address.rpartition("@")[2] for own_address in own} - free_mail_domains()
    staff = {person.casefold() for person in people}
    if not _is_inside(sender, staff, domains):
        return None
    lines = segments.forwarded.split("\n")
    end, writer = _head(lines)
    if writer is None or _is_inside(writer.email.casefold(), {sender, *own, *staff}, domains):
        return None
    if is_machine(writer.email.partition("@")[0].casefold()):
        return None
    words = "\n".join(_unquoted(lines[end:])).strip("\n")
    if not words.strip():
        return None
    letter = "\n".join(line for line in (segments.new, *lines[:end]) if line)
    return writer, segments.model_copy(update={"new": words, "forwarded": letter})


def _is_inside(address: str, people: Collection[str], domains: Collection[str]) -> bool:
    """Return whether a case-folded address is one of those of our people, or in our domains."""
    return address in people or address.rpartition("@")[2] in domains


def _unquoted(lines: list[str]) -> list[str]:
    """Return lines without the `>` that a program has put before each of them."""
    filled = [line for line in lines if line.strip()]
    if not filled or not all(line.startswith(">") for line in filled):
        return lines
    return [line.removeprefix(">").removeprefix(" ") for line in lines]


def _head(lines: list[str]) -> tuple[int, Address | None]:
    """Return where the block of headers ends, and the one address of its From."""
    first = next((at for at, line in enumerate(lines) if _label(line) in _LABELS), None)
    if first is None:
        return 0, None
    writer, at = None, first
    for at in range(first, min(first + HEAD_LINES, len(lines))):
        line = lines[at]
        if not line.strip("> \t"):
            break
        if writer is None and _label(line) in _FROM:
            writer = _address(line)
    else:
        at += 1
    return at, writer


def _label(line: str) -> str:
    """Return the label of a line of such a block, case-folded; nothing for another line."""
    match = _LABEL.match(line)
    return str(match.group(1)).strip(" *").casefold() if match else ""


def _address(line: str) -> Address | None:
    """Return the one address behind a label."""
    match = _LABEL.match(line)
    value = str(match.group(2)).strip(" *") if match else ""
    value = value.replace("[mailto:", "<").replace("]", ">") if "[mailto:" in value else value
    addresses, clear = read_addresses(value.encode("utf-8", "replace"), "from", [])
    return addresses[0] if clear and len(addresses) == 1 and "@" in addresses[0].email else None
