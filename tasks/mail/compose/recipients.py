"""The recipient of a reply: decided here, by code alone, from the message's own headers.

One recipient: the single address of From; Reply-To only within the same domain. First version:
domains are the same when equal or when one lies under the other, without a public suffix list, so
that two customers' hosts under one provider's domain never count as one.
"""

import unicodedata
from functools import lru_cache

from data.host_names import ascii_domain, comparable_domain
from data.records.core.envelope import Envelope
from data.records.core.organization import Organization
from data.records.core.parsed_mail import Address, ParsedMail
from data.records.core.record import Record
from data.records.mail.copies import Copy
from tasks.core.patterns import compiled
from tasks.mail.automated.web_forms import form_writer

_LOCAL = compiled(r"^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~\-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~\-]+)*$")
_DOMAIN = compiled(
    r"^(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_\-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}\-]*[\p{L}\p{M}\p{N}]$"
)
_LOCAL_OCTETS = 64
_PATH_OCTETS = 254
_UNWRITABLE = (
    "{address!r} needs SMTPUTF8, which is not in use: answer it from your own mail program, and "
    "close this without a reply."
)
_ROBOTS = compiled(
    r"(?i)^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo"
    r"|owner-.*|.*-(?:request|bounces?|owner)|.*[-_.]no-?reply)$"
)


class Recipients(Record):
    """Where a reply goes, and why."""

    to: tuple[str, ...] = ()
    """Exactly one address, or none when there is nobody to answer."""
    cc: tuple[str, ...] = ()
    """Who gets a copy, by the policy's default or a person's choice."""
    bcc: tuple[str, ...] = ()
    """Who gets a blind copy, by a person's choice alone."""
    offers: tuple[Copy, ...] = ()
    """Who is offered a copy."""
    reason: str
    """How it came about, in a sentence for the reviewer."""
    needs_person: bool = False
    """Whether a person must confirm the recipient before anything leaves."""
    provenance: str = "none"
    """Where the address was found: `from`, `reply_to`, `form`, `passed_on`, `person`, or `none`."""


def choose_recipients(
    mail: ParsedMail,
    envelope: Envelope,
    organization: Organization,
    passed_on: Address | None = None,
) -> Recipients:
    """Return the one recipient of a reply; never anybody of Cc, never an address of ours.

    `passed_on` is whose mail a colleague passes on with this one.
    """
    if passed_on is not None and is_valid_address(passed_on.email):
        colleague = mail.sender.email if mail.sender else "a colleague"
        why = f"{colleague} passes on mail of this person: a person decides."
        return Recipients(
            to=(passed_on.email,), reason=why, needs_person=True, provenance="passed_on"
        )
    if mail.sender is None or len(mail.senders) > 1:
        return _choose_nobody("From does not hold exactly one address.")
    writer = form_writer(mail, organization.own_addresses)
    if writer is not None and is_valid_address(writer.email) and is_writable(writer.email):
        why = "Written through a web form, which names this address: a person decides."
        return Recipients(to=(writer.email,), reason=why, needs_person=True, provenance="form")
    sender = mail.sender.email
    if not is_valid_address(sender):
        return _choose_nobody(f"The sender's address {sender!r} is not valid.")
    if is_own(sender, organization):
        return _choose_nobody("The message bears one of our own addresses as its sender.")
    if is_robot(sender):
        return _choose_nobody(f"{sender!r} is an address that machines write from.")
    reply_address = _find_reply_address(mail, sender)
    if reply_address is None and not is_writable(sender):
        return _choose_nobody(_UNWRITABLE.format(address=sender))
    if reply_address is None:
        why = "Reply-To names another domain or several addresses than From: a person decides."
        return Recipients(to=(sender,), reason=why, needs_person=True, provenance="from")
    if is_own(reply_address, organization) or not is_valid_address(reply_address):
        return _choose_nobody(f"Reply-To {reply_address!r} is ours or not valid.")
    if not is_writable(reply_address):
        return _choose_nobody(_UNWRITABLE.format(address=reply_address))
    if not envelope.mail_from:
        why = "The envelope has the null sender, which nothing answers by itself."
        return Recipients(to=(reply_address,), reason=why, needs_person=True, provenance="from")
    if reply_address.lower() == sender.lower():
        return Recipients(to=(sender,), reason="The one address of From.", provenance="from")
    why = "Reply-To, which lies in the domain of From."
    return Recipients(to=(reply_address,), reason=why, provenance="reply_to")


@lru_cache(maxsize=4096)
def is_valid_address(address: str) -> bool:
    """Return whether `address` is a mailbox as RFC 5321 section 4.1.2 and RFC 6531 spell it.

    Quoted local parts and address literals are refused on purpose: nobody needs them in a reply,
    and they are where smuggling starts. 64 octets for the local part, 254 in all.
    """
    local, mark, domain = address.rpartition("@")
    if not mark or any(unicodedata.category(letter)[0] in "CZ" for letter in address):
        return False
    try:
        octets = len(address.encode()), len(local.encode())
    except UnicodeEncodeError:
        return False
    fits = octets[0] <= _PATH_OCTETS and octets[1] <= _LOCAL_OCTETS
    labels = all(0 < len(label) <= 63 for label in domain.split("."))
    return fits and labels and bool(_LOCAL.match(local)) and bool(_DOMAIN.match(domain))


def is_writable(address: str) -> bool:
    """Return whether replies can go to a valid address: SMTPUTF8 (RFC 6531) is not in use."""
    local, _, domain = address.rpartition("@")
    try:
        ascii_domain(domain)
    except UnicodeError:
        return False
    return local.isascii()


def is_own(address: str, organization: Organization) -> bool:
    """Return whether an address is one of the organization's, plus-tags dropped."""
    return reduce_address(address) in {reduce_address(own) for own in organization.own_addresses}


def is_same_domain(one: str, other: str) -> bool:
    """Return whether two addresses lie in one domain, or one in a domain under the other's."""
    first, second = (address.rpartition("@")[2].lower() for address in (one, other))
    if not first or not second:
        return False
    nested = first.endswith(f".{second}") or second.endswith(f".{first}")
    shorter = min(first, second, key=len)
    return first == second or (nested and "." in shorter)


def _find_reply_address(mail: ParsedMail, sender: str) -> str | None:
    """Return the address to answer to: From, or a Reply-To of its domain; None when unclear."""
    addresses: list[Address] = list(mail.reply_to)
    if not addresses:
        return sender
    if len(addresses) > 1 or len(mail.header_values("reply-to")) > 1:
        return None
    return addresses[0].email if is_same_domain(sender, addresses[0].email) else None


def is_robot(address: str) -> bool:
    """Return whether an address is one that machines and lists write from."""
    return bool(_ROBOTS.match(address.rpartition("@")[0]))


def reduce_address(address: str) -> str:
    """Return an address in lower case without plus-tag, its domain in ASCII where it can be."""
    local, _, domain = address.rpartition("@")
    return f"{local.lower().partition('+')[0]}@{comparable_domain(domain)}"


def _choose_nobody(why: str) -> Recipients:
    """Return no recipient, with the reason."""
    return Recipients(reason=why, needs_person=True)
