"""The audit log: what people did, narrowed, verified and handed out."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from data.records.core.audit_views import AuditChain, AuditChoices, AuditFilter, AuditView
from data.records.core.listing import Page
from data.store.core import audit as audit_log
from data.store.core.audit_check import verify_log
from data.store.core.database import Connection
from data.store.mail.audited import add_titles
from flows.api.core.context import WorkspaceOf
from flows.api.core.queries import Offset
from flows.export import Format, encode, frame_of

router = APIRouter(prefix="/v1/{org}", tags=["audit log"])

Short = Annotated[str, Query(max_length=200)]


def only_of(
    actor: Short = "",
    action: Short = "",
    words: Short = "",
    since: date | None = None,
    until: date | None = None,
) -> AuditFilter:
    """Return what the query narrows the log to."""
    return AuditFilter(actor=actor, action=action, words=words, since=since, until=until)


OnlyOf = Annotated[AuditFilter, Depends(only_of)]


@router.get("/audit/chain")
async def audit_chain(workspace: WorkspaceOf) -> AuditChain:
    """Verify the chain of hashes over the whole audit log, and the turns it vouches for, now."""
    return await workspace.db.read(verify_log)


@router.get("/audit/choices")
async def audit_choices(workspace: WorkspaceOf) -> AuditChoices:
    """Return who did something, and what was done, as the filters name it."""
    return await workspace.db.read(audit_log.list_choices)


@router.get("/audit/export")
async def export_audit(
    workspace: WorkspaceOf,
    only: OnlyOf,
    form: Annotated[Format, Query(alias="format")] = "csv",
) -> Response:
    """Return the events with their hashes as a file, oldest first."""
    zone = workspace.organization.timezone
    frame = frame_of(await workspace.db.read(audit_log.read_whole, only, zone))
    return Response(
        encode(frame, form),
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="audit.{form}"'},
    )


@router.get("/audit")
async def audit(
    workspace: WorkspaceOf,
    only: OnlyOf,
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> Page[AuditView]:
    """Return what people did, newest first, with the title of what it was about."""
    zone = workspace.organization.timezone
    page_listed: Page[AuditView] = await workspace.db.read(_page, limit, offset, only, zone)
    return page_listed


def _page(
    cursor: Connection, limit: int, offset: int, only: AuditFilter, zone: str
) -> Page[AuditView]:
    events_listed, total = audit_log.list_page(
        cursor, limit=limit, offset=offset, only=only, zone=zone
    )
    return Page(items=tuple(add_titles(cursor, events_listed)), total=total)
