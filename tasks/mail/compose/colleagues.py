"""Colleagues to whom a message may be passed on: by code, from the organization's record alone."""

from data.records.core.envelope import Envelope
from data.records.core.organization import Organization, Person, Policy
from data.records.core.parsed_mail import ParsedMail
from tasks.mail.automated.loop_token import is_own_token
from tasks.mail.automated.web_forms import form_writer
from tasks.mail.compose.recipients import is_own, is_robot, is_valid_address, reduce_address

_LIST_HEADERS = ("list-post", "list-id", "list-owner", "list-subscribe", "mailing-list")


def list_colleagues(organization: Organization, policy: Policy) -> tuple[Person, ...]:
    """Return who may get what came in: the people, then whom the policy names, each once.

    An address of the mailbox itself and one that machines answer are left out, whoever named them.
    """
    addresses_named = [
        *policy.forwards.values(),
        *policy.owners.values(),
        *policy.escalation.values(),
    ]
    person_by_email: dict[str, Person] = {}
    for person in (
        *organization.people,
        *(Person(name=email, email=email) for email in addresses_named),
    ):
        fit = is_valid_address(person.email) and not is_robot(person.email)
        if fit and not is_own(person.email, organization):
            person_by_email.setdefault(person.email.lower(), person)
    return tuple(person_by_email.values())


def explain_barred(
    to: str, mail: ParsedMail, envelope: Envelope, organization: Organization, own_secret: str
) -> str:
    """Return why a message must not go to a colleague, in a sentence; empty when it may.

    It would come back to who wrote it, or go round: through a list, or because it is ours already.
    """
    wrote = {sender.email for sender in (*mail.senders, *mail.reply_to)} | {envelope.mail_from}
    writer = form_writer(mail, organization.own_addresses)
    if writer is not None:
        wrote.add(writer.email)
    if reduce_address(to) in {reduce_address(address) for address in wrote if address}:
        return f"{to!r} wrote this message; it is not passed back to its sender"
    lists = (value.lower() for name in _LIST_HEADERS for value in mail.header_values(name))
    dotted = to.lower().replace("@", ".")
    if any(to.lower() in value or f"<{dotted}>" in value for value in lists):
        return f"{to!r} is the list that this message came through; choose a person"
    if any(is_own_token(token, own_secret) for token in mail.header_values("x-loop")):
        return "this message left from here before; passed on it would go round"
    return ""
