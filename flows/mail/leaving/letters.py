"""The reply of a case: who gets it, what it says, what it answers.

It is computed anew from the state whenever it is shown, approved or sent, always in the same way;
the hash of it is what a person approves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from data.errors import ConflictError
from data.ids import new_id
from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import ParsedMail, Segments
from data.records.mail.attaching import AttachedFile, EnclosedFile
from data.records.mail.delivery import Outgoing
from data.records.mail.drafting import Draft
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import attached_files, cases, deliveries, messages
from data.store.mail.cases import CaseRow
from flows.core.workspace import Workspace
from tasks.mail.automated.loop_token import make_token
from tasks.mail.compose.composing import (
    LetterWording,
    compose_reply,
    hash_for_approval,
    preview_reply,
    word_reply,
)
from tasks.mail.compose.copies import add_copies
from tasks.mail.compose.enclosing import Enclosure
from tasks.mail.compose.recipients import Recipients, choose_recipients
from tasks.mail.read import Reading


@dataclass(frozen=True)
class Letter:
    """A reply as it would leave, before it is rendered."""

    recipients: Recipients
    draft: Draft
    parent: Reading
    files: tuple[EnclosedFile, ...] = ()
    """What a person has attached; the bytes are in the archive."""
    answers: bool = True
    """Whether it answers something; else it begins a conversation."""

    def preview(self, workspace: Workspace, now: datetime) -> tuple[str, str]:
        """Return the text exactly as it would leave, and what an approval of it signs.

        The bytes of its files are not read for it: an approval signs them by their hashes.
        """
        alone = replace(self, files=())
        outgoing = render(workspace, alone, hostname="preview.invalid", auto=False, now=now)
        whole = outgoing.model_copy(update={"enclosed": self.files})
        return preview_reply(whole), hash_of(whole)


def render(
    workspace: Workspace, letter: Letter, *, hostname: str, auto: bool, now: datetime
) -> Outgoing:
    """Render the message that goes over the wire.

    Raises:
        ComposeError: it cannot be sent exactly as it stands.
        NotFoundError: a file of it is not in the archive any more.

    """
    message_id = f"<{new_id(now)}@{hostname}>"
    return compose_reply(
        subject=letter.draft.subject,
        body=letter.draft.body,
        language=letter.draft.language,
        parent=mail_to_answer(letter.parent),
        quote=workspace.policy.quote == "last",
        quoted_text=letter.parent.segments.new,
        recipients=letter.recipients,
        organization=workspace.organization,
        policy=workspace.policy,
        message_id=message_id,
        date=now,
        loop_token=make_token(message_id, workspace.keys.loop_secret),
        auto=auto,
        answers=letter.answers,
        enclosures=[Enclosure(file, workspace.archive.read(file.sha256)) for file in letter.files],
    )


def wording_of(workspace: Workspace, letter: Letter, *, auto: bool = False) -> LetterWording:
    """Return what whoever approves a reply is shown of it, without rendering it.

    Raises:
        ComposeError: it cannot be sent as it stands.

    """
    return word_reply(
        subject=letter.draft.subject,
        body=letter.draft.body,
        language=letter.draft.language,
        parent=mail_to_answer(letter.parent),
        quote=workspace.policy.quote == "last",
        quoted_text=letter.parent.segments.new,
        recipients=letter.recipients,
        organization=workspace.organization,
        policy=workspace.policy,
        auto=auto,
        enclosed=letter.files,
        answers=letter.answers,
    )


def mail_to_answer(parent: Reading) -> ParsedMail:
    """Return the mail that a reply names as the one it answers.

    Where a colleague has passed a mail on, its writer does not know the colleague's message, so the
    ids, date and sender of that one are left out.
    """
    if parent.passed_on is None:
        return parent.mail
    whose = {"sender": parent.passed_on, "senders": (parent.passed_on,)}
    none = {"message_id": None, "in_reply_to": None, "references": (), "date": None}
    return parent.mail.model_copy(update=whose | none)


def hash_of(reply: Outgoing | LetterWording) -> str:
    """Return what an approval signs: recipients, subject, body with its quotation, and files."""
    files = [file.signed for file in reply.enclosed]
    return hash_for_approval(reply.rcpt_to, reply.subject, reply.body, files, reply.bcc)


def letter_of(
    cursor: Connection, workspace: Workspace, case: CaseRow, draft: Draft | None = None
) -> Letter | None:
    """Return the reply of a case with its newest draft (or `draft`), or None without one.

    It answers the case's last message, and goes where that message came from.
    """
    if draft is None:
        revisions = cases.list_drafts(cursor, case.id)
        draft = Draft.model_validate_json(revisions[-1].draft) if revisions else None
    if draft is None:
        return None
    if case.is_new_mail:
        return make_new_letter(cursor, workspace, case, draft)
    parent_id = case.message_ids[-1]
    readings = journal.read_results(cursor, "parse", [parent_id])
    if parent_id not in readings:
        return None
    envelope = messages.read_messages(cursor, [parent_id])[parent_id].envelope
    files = attached_files.list_of_case(cursor, case.id) if case.files else ()
    return address_letter(workspace, case, draft, readings[parent_id], envelope, files)


def address_letter(
    workspace: Workspace,
    case: CaseRow,
    draft: Draft,
    reading: str,
    envelope: str,
    files: Sequence[AttachedFile] = (),
) -> Letter:
    """Return a draft as the reply to a message, with its recipients.

    Args:
        workspace: the organization's.
        case: the case that the reply is of.
        draft: what it says.
        reading: the message as it was read, as JSON.
        envelope: how the message came, as JSON.
        files: what a person has attached.

    """
    parent = Reading.model_validate_json(reading)
    arrived = Envelope.model_validate_json(envelope)
    return Letter(
        recipients=add_copies(
            choose_recipients(parent.mail, arrived, workspace.organization, parent.passed_on),
            parent.mail,
            workspace.organization,
            workspace.policy,
            case.cc,
            case.bcc,
        ),
        draft=draft,
        parent=parent,
        files=tuple(files),
    )


def make_new_letter(
    cursor: Connection, workspace: Workspace, case: CaseRow, draft: Draft
) -> Letter:
    """Return a letter that answers no message: to the contact of its case, whom a person named.

    One that is written again says by its ids which letter of ours it continues.
    """
    before = deliveries.find_last_message_id(cursor, case.again_of) if case.again_of else None
    parent = Reading(mail=ParsedMail(message_id=before), segments=Segments())
    recipients = Recipients(
        to=(case.contact_email,),
        reason="A person writes to this address.",
        needs_person=True,
        provenance="person",
    )
    return Letter(
        recipients=add_copies(
            recipients, parent.mail, workspace.organization, workspace.policy, case.cc, case.bcc
        ),
        draft=draft,
        parent=parent,
        files=attached_files.list_of_case(cursor, case.id) if case.files else (),
        answers=case.again_of is not None,
    )


def letter_or_refuse(
    cursor: Connection, workspace: Workspace, case: CaseRow, draft: Draft | None = None
) -> Letter:
    """Return the reply of a case that is to be sent.

    Raises:
        ConflictError: there is nothing to send, or nobody to send it to.

    """
    letter = letter_of(cursor, workspace, case, draft)
    if letter is None:
        raise ConflictError("this case has no draft; write one, or close it without a reply")
    if not letter.recipients.to:
        why = letter.recipients.reason
        if "your own mail program" not in why:
            why = (
                f"{why.rstrip('.')}; close it without a reply, and write from your own mail program"
            )
        raise ConflictError(f"there is nobody to send this to: {why}")
    return letter
