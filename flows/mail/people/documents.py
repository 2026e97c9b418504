"""Reading or drawing an attachment because somebody asks: in a process with limits.

Its text is screened like mail. Nothing of it is kept, and nothing is read or drawn unasked: what a
file says is somebody else's words.
"""

import asyncio

from data.errors import NotFoundError, UnfitError, UnreadableMailError
from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import Attachment, Automated, ParsedMail, Segments
from data.records.core.principals import Principal, system
from data.records.core.screening import Screening, Verdict
from data.records.mail.documents import DocumentText, DocumentView, DrawnPage
from data.records.mail.tools import FileText
from data.states import HELD_BY_SCREEN
from data.store.core import audit, journal
from data.store.core.database import Connection
from data.store.mail import cases, messages
from data.store.mail.messages import MessageRow
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.screen_knowledge import read_common_knowledge
from tasks.core.asking.model_view import text_view
from tasks.core.parse.attachments import attachment_bytes
from tasks.mail.documents.drawing import drawing_request
from tasks.mail.documents.reading import request
from tasks.mail.read import Reading
from tasks.mail.screen.screen_messages import ToScreen, screen_messages

PLANNER = "plan"
"""Who asks, in the audit log, when a model that plans does."""
MOST_TOLD = 8_000
"""Characters of a file's text that a model is told."""


async def read_attachment(
    house: House, workspace: Workspace, message_id: str, sha256: str, principal: Principal
) -> DocumentView:
    """Return an attachment's text, summary and tags, and what the screen says of them.

    Raises:
        NotFoundError: there is no such message, or it has no such attachment.

    """
    row, mail, entry, content = await _file_of(workspace, message_id, sha256)
    document = await _read(house, entry, content)
    screening = await _screened(house, workspace, mail, row, entry, document)
    await workspace.db.write(_note, message_id, entry, principal, house)
    hits = screening.hits if screening else ()
    return DocumentView(
        message_id=message_id,
        filename=entry.filename,
        sha256=sha256,
        document=document,
        verdict=screening.verdict if screening else Verdict.CLEAN,
        findings=tuple(f"{hit.rule}: {hit.excerpt}" for hit in hits[:8]),
    )


async def draw_attachment(
    house: House, workspace: Workspace, message_id: str, sha256: str, page: int
) -> DrawnPage:
    """Return a picture or a page of a PDF as PNG, made anew; pages count from 1.

    Raises:
        NotFoundError: there is no such message, or it has no such attachment.
        UnfitError: the screen holds the message, or there is no preview; the sentence says why.

    """
    row, _, _, content = await _file_of(workspace, message_id, sha256)
    if row.status in HELD_BY_SCREEN:
        raise UnfitError("The screen holds this message, so its files are not drawn.")
    return await draw_file(house, content, page)


async def draw_file(house: House, content: bytes, page: int) -> DrawnPage:
    """Return the bytes of a picture or a page of a PDF as PNG, made anew; pages count from 1.

    Raises:
        UnfitError: there is no preview; the sentence says why.

    """
    try:
        drawn = await mailroom_of(house).documents.draw(drawing_request(page, content))
    except UnreadableMailError as error:
        raise UnfitError(
            "It takes more time or memory to draw than a file may; open it with care."
        ) from error
    if drawn.trouble:
        raise UnfitError(drawn.trouble)
    return drawn


async def read_file_of_case(
    house: House, workspace: Workspace, case_id: str, name: str
) -> FileText:
    """Return a file of a case's own messages by its name, for a model that plans.

    What the screen warns of stays unread: a person reads it.
    """
    row = await workspace.db.read(cases.read_row, case_id)
    readings = await workspace.db.read(journal.read_results, "parse", row.message_ids)
    for message, text in readings.items():
        for entry in Reading.model_validate_json(text).mail.attachments:
            if entry.filename == name:
                view = await read_attachment(
                    house, workspace, message, entry.sha256, system(PLANNER)
                )
                return _for_a_model(view)
    return FileText(trouble="No attachment of this case has that name.")


async def _file_of(
    workspace: Workspace, message_id: str, sha256: str
) -> tuple[MessageRow, ParsedMail, Attachment, bytes]:
    """Return a message as stored and as read, and one of its attachments with its bytes."""

    def look(cursor: Connection) -> tuple[MessageRow, str | None]:
        message_by_id = messages.read_messages(cursor, [message_id])
        if message_id not in message_by_id:
            raise NotFoundError(f"there is no message {message_id!r}")
        return message_by_id[message_id], journal.read_results(cursor, "parse", [message_id]).get(
            message_id
        )

    row, parsed = await workspace.db.read(look)
    if parsed is None:
        raise NotFoundError(f"message {message_id!r} could not be read; get its raw form")
    mail = Reading.model_validate_json(parsed).mail
    entry = next(
        (attachment for attachment in mail.attachments if attachment.sha256 == sha256), None
    )
    raw = await asyncio.to_thread(workspace.archive.read, row.raw_sha256)
    octets = await asyncio.to_thread(attachment_bytes, raw, mail, sha256)
    if entry is None or octets is None:
        raise NotFoundError(f"message {message_id!r} has no attachment {sha256[:12]!r}")
    return row, mail, entry, octets[1]


def _for_a_model(view: DocumentView) -> FileText:
    document = view.document
    if view.verdict is not Verdict.CLEAN:
        why = "The screen warns of it; a person reads it."
        return FileText(name=view.filename, kind=document.kind, trouble=why)
    return FileText(
        name=view.filename,
        kind=document.kind,
        text=text_view(document.text, MOST_TOLD),
        summary=text_view(document.summary, MOST_TOLD),
        trouble=document.trouble,
    )


async def _read(house: House, entry: Attachment, content: bytes) -> DocumentText:
    """Have a reading process get the text; one that it does not survive is a trouble."""
    asked = request(entry.filename, entry.content_type, content)
    try:
        return await mailroom_of(house).documents.read(asked)
    except UnreadableMailError:
        return DocumentText(
            trouble="It takes more time or memory to read than a file may; open it with care."
        )


async def _screened(
    house: House,
    workspace: Workspace,
    mail: ParsedMail,
    row: MessageRow,
    entry: Attachment,
    document: DocumentText,
) -> Screening | None:
    """Ask every rule of the screen about a file's text, as if it were a mail of its sender."""
    if not (document.text or document.hidden):
        return None
    known_screen = await read_common_knowledge(workspace)
    body = document.text
    parsed_mail = ParsedMail(
        message_id=None,
        senders=mail.senders,
        sender=mail.sender,
        subject=entry.filename,
        text=body,
        hidden=document.hidden,
    )
    asked = ToScreen(
        reading=Reading(mail=parsed_mail, segments=Segments(new=body)),
        envelope=Envelope.model_validate_json(row.envelope),
        automated=Automated(),
        known=known_screen,
        released=False,
    )
    (screening,) = await house.work.compute_each(
        screen_messages, (workspace.policy, mailroom_of(house).judge is not None), [asked]
    )
    return screening


def _note(
    cursor: Connection, message_id: str, entry: Attachment, principal: Principal, house: House
) -> None:
    audit.append(
        cursor,
        actor=principal.name,
        action="read-attachment",
        subject=f"message:{message_id}",
        detail=f"sha256 {entry.sha256}",
        now=house.clock(),
    )
