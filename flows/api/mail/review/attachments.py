"""Files of our own on letters: put on, taken off, opened and drawn."""

import asyncio

from fastapi import APIRouter, Query, Request, Response

from data.errors import NotFoundError
from data.records.mail.attaching import DetachFile, EnclosedFile
from data.records.mail.views import CaseView
from data.store.mail import attached_files, deliveries
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.review.case_view import case_view
from flows.api.mail.served_files import make_download, show_page
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people import attaching
from flows.mail.people.documents import draw_file

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post(
    "/cases/{case_id}/attachments",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"format": "binary"}}},
        }
    },
)
async def attach(
    case_id: str,
    request: Request,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    version: int,
    name: str = Query(max_length=1000),
) -> CaseView:
    """Attach the file that is the body to a case's letter; the answer shows its new hash.

    `name` is what it is called, `version` the case's as it was shown.
    """
    content = await request.body()
    await attaching.attach_file(house, workspace, case_id, version, name, content, principal)
    return await case_view(house, workspace, case_id)


@router.get("/cases/{case_id}/attachments/{file_id}")
async def open_attached(case_id: str, file_id: str, workspace: WorkspaceOf) -> Response:
    """Return a file of a case's letter for download; it is never shown in the browser."""
    file = await workspace.db.read(attached_files.read_file, case_id, file_id)
    return await _download(workspace, file)


@router.get(
    "/cases/{case_id}/attachments/{file_id}/preview",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
async def preview_attached(
    case_id: str,
    file_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    page: int = Query(1, ge=1, le=100_000),
) -> Response:
    """Return a file of a case's letter as PNG, drawn anew; `Postern-Pages` counts its pages."""
    file = await workspace.db.read(attached_files.read_file, case_id, file_id)
    return await _draw(house, workspace, file, page)


@router.post("/cases/{case_id}/attachments/{file_id}/remove")
async def detach(
    case_id: str,
    file_id: str,
    given: DetachFile,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> CaseView:
    """Take a file off a case's letter."""
    await attaching.detach_file(house, workspace, case_id, given.version, file_id, principal)
    return await case_view(house, workspace, case_id)


@router.get("/deliveries/{delivery_id}/attachments/{sha256}")
async def open_enclosed(delivery_id: str, sha256: str, workspace: WorkspaceOf) -> Response:
    """Return a file of something in the outbox for download."""
    return await _download(workspace, await _read_enclosed(workspace, delivery_id, sha256))


@router.get(
    "/deliveries/{delivery_id}/attachments/{sha256}/preview",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
async def preview_enclosed(
    delivery_id: str,
    sha256: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    page: int = Query(1, ge=1, le=100_000),
) -> Response:
    """Return a file of the outbox as PNG, drawn anew; `Postern-Pages` counts its pages."""
    file = await _read_enclosed(workspace, delivery_id, sha256)
    return await _draw(house, workspace, file, page)


async def _read_enclosed(workspace: Workspace, delivery_id: str, sha256: str) -> EnclosedFile:
    """Return a file of something in the outbox.

    Raises:
        NotFoundError: there is nothing of that id, or it has no such file.

    """
    await workspace.db.read(deliveries.read_row, delivery_id)
    files = (await workspace.db.read(attached_files.list_of_deliveries, [delivery_id])).get(
        delivery_id
    )
    for file in files or ():
        if file.sha256 == sha256:
            return file
    raise NotFoundError(f"delivery {delivery_id!r} has no file {sha256[:12]!r}")


async def _draw(house: House, workspace: Workspace, file: EnclosedFile, page: int) -> Response:
    content = await asyncio.to_thread(workspace.archive.read, file.sha256)
    drawn = await draw_file(house, content, page)
    return show_page(drawn)


async def _download(workspace: Workspace, file: EnclosedFile) -> Response:
    content = await asyncio.to_thread(workspace.archive.read, file.sha256)
    return make_download(file.filename, content)
