"""Hearing of an answered case again, and writing to its contact once more."""

from fastapi import APIRouter

from data.records.mail.follow_ups import AskFollowUp, WriteAgain
from data.records.mail.views import CaseView
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.review.case_view import case_view
from flows.mail.people import following

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post("/cases/{case_id}/follow-up")
async def ask_follow_up(
    case_id: str, order: AskFollowUp, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Have an answered case come back where no answer comes; without `days` no more."""
    await following.ask_follow_up(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/cases/{case_id}/again")
async def write_again(
    case_id: str, order: WriteAgain, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Begin another letter to the contact of an answered or closed case; return its case."""
    letter = await following.write_again(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, letter)
