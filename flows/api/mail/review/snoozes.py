"""Putting cases off, and bringing them back."""

from fastapi import APIRouter

from data.records.mail.snoozing import Snooze, Unsnooze
from data.records.mail.views import CaseView
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.review.case_view import case_view
from flows.mail.people import snoozing

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post("/cases/{case_id}/snooze")
async def snooze(
    case_id: str, order: Snooze, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Put a case off until a time, or until somebody writes in its conversation."""
    await snoozing.snooze(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/unsnooze")
async def unsnooze(
    case_id: str, order: Unsnooze, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Bring a case back that was put off."""
    await snoozing.unsnooze(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)
