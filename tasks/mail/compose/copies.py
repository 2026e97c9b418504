"""Copies of a reply: offered from the message's own headers, chosen by policy or a person.

No model has a say here, and nothing that leaves by itself goes to more than one address.
"""

from collections.abc import Iterator, Sequence

from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address, ParsedMail
from data.records.mail.copies import Copy
from tasks.mail.compose.recipients import (
    Recipients,
    is_own,
    is_robot,
    is_valid_address,
    reduce_address,
)

MOST = 20
"""Addresses that are offered, and that a reply is copied to."""


def add_copies(
    recipients: Recipients,
    mail: ParsedMail,
    organization: Organization,
    policy: Policy,
    chosen: Sequence[str] | None = None,
    blind: Sequence[str] | None = None,
    *,
    files: bool = False,
) -> Recipients:
    """Return the recipients with who is offered a copy, and who gets one.

    `chosen` is what a person decided; None where nobody has: then the policy's `reply_to_all` says
    whether all that are offered get one. `blind` is who gets a blind copy, which only a person
    decides. A reply to several, or with `files` that a person has attached, needs a person.
    """
    if len(recipients.to) != 1:
        return recipients
    offers = list(_list_offers(recipients, mail, organization))
    offered_addresses = {reduce_address(offer.address) for offer in offers}
    if chosen is None:
        cc = tuple(offer.address for offer in offers) if policy.reply_to_all else ()
    else:
        cc = tuple(dict.fromkeys(chosen))
        offers += [
            Copy(address=address, provenance="person")
            for address in cc
            if reduce_address(address) not in offered_addresses
        ]
    chosen_addresses = {reduce_address(address) for address in cc}
    bcc = tuple(dict.fromkeys(blind or ()))
    updates: dict[str, object] = {
        "cc": cc,
        "bcc": bcc,
        "offers": tuple(
            offer.model_copy(update={"chosen": reduce_address(offer.address) in chosen_addresses})
            for offer in offers
        ),
    }
    if cc or bcc:
        count = len(cc) + len(bcc)
        gets = "more gets" if count == 1 else "more get"
        why = f"{recipients.reason} {count} {gets} a copy, which a person decides."
        updates |= {"needs_person": True, "reason": why}
    elif files:
        why = f"{recipients.reason} Somebody has attached files, so a person decides."
        updates |= {"needs_person": True, "reason": why}
    return recipients.model_copy(update=updates)


def _list_offers(
    recipients: Recipients, mail: ParsedMail, organization: Organization
) -> Iterator[Copy]:
    """Yield whom the message names beside its sender, each once, those of To first.

    None of us, no machine, and nobody where it is not its sender who is answered: whoever stands
    in a form's mail or a colleague's forward has nothing to do with the writer.
    """
    if recipients.provenance not in ("from", "reply_to"):
        return
    sender = mail.sender.email if mail.sender else ""
    taken_addresses = {reduce_address(address) for address in (*recipients.to, sender) if address}
    mailboxes_named: list[tuple[str, Address]] = [("to", address) for address in mail.to]
    mailboxes_named += [("cc", address) for address in mail.cc]
    for provenance, mailbox in mailboxes_named:
        fit = (
            is_valid_address(mailbox.email)
            and mailbox.email.isascii()
            and not is_robot(mailbox.email)
        )
        if (
            not fit
            or reduce_address(mailbox.email) in taken_addresses
            or is_own(mailbox.email, organization)
        ):
            continue
        taken_addresses.add(reduce_address(mailbox.email))
        if len(taken_addresses) > MOST + 2:
            return
        yield Copy(address=mailbox.email, name=mailbox.name, provenance=provenance)
