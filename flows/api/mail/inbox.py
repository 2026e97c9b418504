"""The messages of an organization: listing and reading them, and their files."""

import asyncio

from fastapi import APIRouter, Query, Response

from data.errors import NotFoundError
from data.records.core.listing import SearchedPage
from data.records.mail.documents import DocumentView
from data.records.mail.views import MessageLine, MessageView
from data.states import MessageStatus
from data.store.core import journal
from data.store.mail import messages
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.message_page import message_page
from flows.api.mail.message_view import message_views, whole_message
from flows.api.mail.served_files import INERT, make_download, show_page
from flows.mail.people import documents, guarding
from tasks.core.parse.attachments import attachment_bytes
from tasks.mail.read import Reading

router = APIRouter(prefix="/v1/{org}", tags=["inbox"])


@router.get("/messages")
async def list_messages(
    house: HouseOf,
    workspace: WorkspaceOf,
    status: MessageStatus | None = None,
    category: str = "",
    priority: str = "",
    assignee: str = "",
    q: str = "",
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> SearchedPage[MessageLine]:
    """Return one page of the inbox, newest first; `q` searches it."""
    return await message_page(
        house,
        workspace,
        q,
        limit=limit,
        offset=offset,
        status=status,
        filters={"category": category, "priority": priority, "assignee": assignee},
    )


@router.get("/messages/{message_id}")
async def message(message_id: str, workspace: WorkspaceOf) -> MessageView:
    """Return one message with everything that was decided about it."""
    return await workspace.db.read(whole_message, message_id)


@router.get("/messages/{message_id}/raw")
async def raw(message_id: str, workspace: WorkspaceOf) -> Response:
    """Return the message as it came, as inert text."""
    return Response(await _raw(workspace, message_id), media_type="text/plain", headers=INERT)


@router.get("/messages/{message_id}/attachments/{sha256}")
async def attachment(message_id: str, sha256: str, workspace: WorkspaceOf) -> Response:
    """Return an attachment for download; it is never shown in the browser."""
    results = await workspace.db.read(journal.read_results, "parse", [message_id])
    if message_id not in results:
        raise NotFoundError(f"message {message_id!r} could not be read; get its raw form")
    mail = Reading.model_validate_json(results[message_id]).mail
    content = await _raw(workspace, message_id)
    octets = await asyncio.to_thread(attachment_bytes, content, mail, sha256)
    if octets is None:
        raise NotFoundError(f"message {message_id!r} has no attachment {sha256[:12]!r}")
    return make_download(*octets)


@router.get(
    "/messages/{message_id}/attachments/{sha256}/preview",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
async def preview_attachment(
    message_id: str,
    sha256: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    page: int = Query(1, ge=1, le=100_000),
) -> Response:
    """Return a picture or a page of a PDF as PNG, drawn anew; `Postern-Pages` counts its pages."""
    drawn = await documents.draw_attachment(house, workspace, message_id, sha256, page)
    return show_page(drawn)


@router.post("/messages/{message_id}/attachments/{sha256}/read")
async def read_attachment(
    message_id: str, sha256: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> DocumentView:
    """Return an attachment's text, with a summary and what the screen says; nothing is kept."""
    return await documents.read_attachment(house, workspace, message_id, sha256, principal)


@router.post("/messages/{message_id}/replay", dependencies=[WAKES])
async def replay(
    message_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MessageView:
    """Take a failed message through intake again."""
    await guarding.replay(house, workspace, message_id, principal)
    return (await workspace.db.read(message_views, [message_id]))[0]


async def _raw(workspace: WorkspaceOf, message_id: str) -> bytes:
    """Return the bytes of a message as it came.

    Raises:
        NotFoundError: there is none of that id, or retention has removed them.

    """
    sha256 = await workspace.db.read(messages.read_raw_hash, message_id)
    return await asyncio.to_thread(workspace.archive.read, sha256)
