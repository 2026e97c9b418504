"""Who gets a copy of a reply: offered from the message's own headers, chosen by policy or a person.

No model has a say here, and nothing that leaves by itself goes to more than one address.
"""

from collections.abc import Iterator, Sequence

from data.records.core.organization import Organization, Policy
from data.records.mail.copies import Copy
from data.records.mail.mail import Address, ParsedMail
from tasks.compose.recipients import Recipients, bare, is_own, is_robot, is_valid_address

MOST = 20
"""Addresses that are offered, and that a reply is copied to."""


def with_copies(
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
    offers = list(_offered(recipients, mail, organization))
    known = {bare(one.address) for one in offers}
    if chosen is None:
        cc = tuple(one.address for one in offers) if policy.reply_to_all else ()
    else:
        cc = tuple(dict.fromkeys(chosen))
        offers += [Copy(address=one, provenance="person") for one in cc if bare(one) not in known]
    wanted = {bare(one) for one in cc}
    bcc = tuple(dict.fromkeys(blind or ()))
    given: dict[str, object] = {
        "cc": cc,
        "bcc": bcc,
        "offers": tuple(
            one.model_copy(update={"chosen": bare(one.address) in wanted}) for one in offers
        ),
    }
    if cc or bcc:
        count = len(cc) + len(bcc)
        gets = "more gets" if count == 1 else "more get"
        why = f"{recipients.reason} {count} {gets} a copy, which a person decides."
        given |= {"needs_person": True, "reason": why}
    elif files:
        why = f"{recipients.reason} Somebody has attached files, so a person decides."
        given |= {"needs_person": True, "reason": why}
    return recipients.model_copy(update=given)


def _offered(
    recipients: Recipients, mail: ParsedMail, organization: Organization
) -> Iterator[Copy]:
    """Yield whom the message names beside its sender, each once, those of To first.

    None of us, no machine, and nobody where it is not its sender who is answered: whoever stands
    in a form's mail or a colleague's forward has nothing to do with the writer.
    """
    if recipients.provenance not in ("from", "reply_to"):
        return
    sender = mail.sender.email if mail.sender else ""
    seen = {bare(one) for one in (*recipients.to, sender) if one}
    named: list[tuple[str, Address]] = [("to", one) for one in mail.to]
    named += [("cc", one) for one in mail.cc]
    for provenance, one in named:
        fit = is_valid_address(one.email) and one.email.isascii() and not is_robot(one.email)
        if not fit or bare(one.email) in seen or is_own(one.email, organization):
            continue
        seen.add(bare(one.email))
        if len(seen) > MOST + 2:
            return
        yield Copy(address=one.email, name=one.name, provenance=provenance)
