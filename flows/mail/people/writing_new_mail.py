"""A person writes to an address of their own choice: a contact, a conversation and a letter.

The letter is a case like one that is begun again on an answered case: nobody drafts it, a person
writes and approves it, and it leaves by the same outbox. An answer joins its conversation.
"""

import asyncio
from typing import NamedTuple

from data.errors import UnfitError
from data.ids import new_id
from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Address
from data.records.core.principals import Principal
from data.records.mail.drafting import BEGUN, Checked, Draft
from data.records.mail.new_mail import WriteMail
from data.records.mail.stage_outputs import CaseText
from data.states import ThreadStatus
from data.store.mail import contacts, threads
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.following_up import begun_body, put_letter
from flows.mail.line.mail_line import mail_line_of
from flows.mail.people.copying import checked_copies, refuse_both
from tasks.core.segment.subject import normalize_subject
from tasks.mail.check.check_drafts import basis_of, check_draft
from tasks.mail.compose.recipients import is_own, is_valid_address, is_writable
from tasks.mail.draft.drafting import fresh_subject


class _BegunLetter(NamedTuple):
    """A mail that a person has begun."""

    to: Address
    cc: list[str]
    bcc: list[str]
    draft: Draft
    checked: Checked


async def write_mail(
    house: House, workspace: Workspace, order: WriteMail, principal: Principal
) -> str:
    """Begin a mail to an address; return the id of its case.

    Raises:
        UnfitError: an address cannot be written to, or is ours, or the subject is empty.

    """
    letter = await _begin_letter(workspace, order, principal)

    def work(act: Act) -> str:
        row = _open_thread(act, letter) | _case_fields(letter, principal)
        case_id = put_letter(
            act.cursor, workspace, row, letter.draft, letter.checked, act.actor, act.now
        )
        act.note("write-mail", f"case:{case_id}", f"to {letter.to.email}: {letter.draft.subject}")
        return case_id

    return await carry_out(house, workspace, principal, work)


async def _begin_letter(
    workspace: Workspace, order: WriteMail, principal: Principal
) -> _BegunLetter:
    """Return what a mail begins with, checked.

    Raises:
        UnfitError: an address cannot be written to, or is ours, or the subject is empty.

    """
    own = workspace.organization
    email = _recipient(order.to, workspace)
    cc, bcc = checked_copies(order.cc, own), checked_copies(order.bcc, own)
    refuse_both((email, *cc), bcc)
    subject = fresh_subject(order.subject)
    if not subject:
        raise UnfitError("a new mail needs a subject; write one")
    to = Address(name=" ".join(order.name.split())[:200], email=email)
    draft = _build_first_draft(workspace, order, subject, to, principal)
    checked = await asyncio.to_thread(_checked, workspace, draft, to)
    return _BegunLetter(to, cc, bcc, draft, checked)


def _case_fields(letter: _BegunLetter, principal: Principal) -> dict[str, object]:
    """Return what the case of a letter says besides its conversation."""
    return {
        "message_ids": [],
        "preview": "",
        "verdict": "clean",
        "language": letter.draft.language,
        "assignee": principal.email or None,
        "cc": letter.cc,
        "bcc": letter.bcc,
        "note": f"{principal.name} writes to them.",
    }


def _open_thread(act: Act, letter: _BegunLetter) -> dict[str, object]:
    """Begin a conversation with an address; return what a case of it says of it."""
    sender, subject = letter.to, letter.draft.subject
    cursor, now = act.cursor, act.now
    email = sender.email.lower()
    contact = contacts.find_or_make(cursor, {email: sender.name}, now)[email]
    thread_id = new_id(now)
    threads.add(
        cursor,
        [
            {
                "id": thread_id,
                "subject": subject,
                "normalized_subject": normalize_subject(subject),
                "contact_id": contact.id,
                "contact_email": email,
                "contact_name": contact.name or sender.name,
                "participants": [email],
                "status": ThreadStatus.OPEN,
                "assignee": None,
                "linked_to": None,
                "message_count": 0,
                "last_message_at": now,
            }
        ],
    )
    return {
        "contact_id": contact.id,
        "contact_email": sender.email,
        "contact_name": sender.name or contact.name,
        "thread_id": thread_id,
        "subject": subject,
    }


def _recipient(given: str, workspace: Workspace) -> str:
    """Return the address that a mail goes to.

    Raises:
        UnfitError: it cannot be written to, or is ours.

    """
    address = given.strip()
    if not is_valid_address(address):
        raise UnfitError(f"{address!r} is no mail address; write it as name@domain")
    if not is_writable(address):
        raise UnfitError(f"{address!r} cannot be written to from here; use a mail program")
    if is_own(address, workspace.organization):
        raise UnfitError(f"{address!r} is the organization's own; write to somebody else")
    return address


def _build_first_draft(
    workspace: Workspace, order: WriteMail, subject: str, sender: Address, principal: Principal
) -> Draft:
    """Return what the letter begins with: the text that was given, or greeting and closing."""
    language = workspace.organization.language
    if order.body is not None and order.body.strip():
        return Draft(subject=subject, body=order.body, language=language, provider=principal.name)
    body = begun_body(workspace, language, sender)
    return Draft(subject=subject, body=body, language=language, provider=BEGUN)


def _checked(workspace: Workspace, draft: Draft, sender: Address) -> Checked:
    """Return what the check says of a text that was given."""
    if draft.provider == BEGUN:
        return Checked(quality=0.0)
    basis = basis_of(CaseText(text="", subject=""), sender, None, Briefing())
    return check_draft(mail_line_of(workspace).ground, basis, draft)
