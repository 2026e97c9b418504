"""Letters of ours that answer nothing."""

from fastapi import APIRouter

from data.records.mail.new_mail import WriteMail
from data.records.mail.views import CaseView
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.review.case_view import case_view
from flows.mail.people import writing_new_mail

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post("/letters")
async def write(
    order: WriteMail, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Begin a mail to an address; return its case, which is approved like any other."""
    letter = await writing_new_mail.write_mail(house, workspace, order, principal)
    return await case_view(house, workspace, letter)
