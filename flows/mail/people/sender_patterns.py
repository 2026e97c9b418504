"""Senders that an allowance or a block may name: an address, or somebody's own domain."""

from data.errors import ConflictError, UnfitError
from data.free_mail import is_free_mail
from data.store.core.database import Connection
from data.store.mail import contacts
from tasks.core.parse.addresses import read_addresses
from tasks.mail.compose.recipients import is_valid_address

LONGEST = 320
"""Characters of a sender, its name included."""


class UnfitSenderError(UnfitError):
    """What was given names no sender."""


def read_sender(pattern: str) -> str:
    """Return the address or `@domain` that a person wrote, lower case; a name is left away.

    Raises:
        UnfitSenderError: it is neither, or more than one.

    """
    text = pattern.strip()
    if len(text) <= LONGEST:
        if text.startswith("@") and is_valid_address(f"somebody{text}"):
            return text.lower()
        addresses, clear = read_addresses(text.encode("utf-8", "replace"), "sender", [])
        if clear and len(addresses) == 1 and is_valid_address(addresses[0].email):
            return addresses[0].email.lower()
    raise UnfitSenderError(
        f"{text[:80]!r} is no sender; give one address like 'news@weaver.example', "
        "or '@weaver.example' for the whole domain"
    )


def check_blockable(cursor: Connection, domain: str) -> None:
    """Refuse to block a domain (lower case) by which wanted mail would be lost.

    Raises:
        ConflictError: unrelated people have their mail there, or a contact of ours has.

    """
    instead = "block the address instead"
    if is_free_mail(domain):
        raise ConflictError(f"{domain!r} is used by many unrelated people; {instead}")
    if any(
        f".{contact_domain}".endswith(f".{domain}")
        for contact_domain in contacts.list_domains(cursor)
    ):
        raise ConflictError(
            f"{domain!r} is the domain of a contact, whose mail would be stopped too; {instead}"
        )
