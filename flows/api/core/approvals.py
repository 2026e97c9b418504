"""Approvals of every kind: those that wait for a yes, and those that were decided."""

from fastapi import APIRouter, Query

from data.records.core.approvals import Approval, ApprovalKind, kinds
from data.records.core.record import Record
from data.states import ApprovalState
from data.store.core import approvals as store
from flows.api.core.context import PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset

router = APIRouter(prefix="/v1/{org}/approvals", tags=["review"])


class ApprovalPage(Record):
    """One page of approvals, and what kinds there are."""

    items: tuple[Approval, ...]
    total: int
    kinds: tuple[ApprovalKind, ...]


@router.get("")
async def approvals(
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    kind: str | None = Query(None, max_length=100),
    state: ApprovalState | None = None,
    subject: str | None = Query(None, max_length=100),
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> ApprovalPage:
    """Return one page of the approvals, newest first; `subject` is a case's id, for a reply."""
    approvals_listed, total = await workspace.db.read(
        store.list_page,
        kind=kind,
        state=state,
        subject=subject,
        viewer=principal.id,
        limit=limit,
        offset=offset,
    )
    return ApprovalPage(items=tuple(approvals_listed), total=total, kinds=kinds())
