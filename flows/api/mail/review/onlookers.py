"""Onlookers of a case: the others who have it open."""

from fastapi import APIRouter

from data.errors import NotFoundError
from data.records.mail.onlookers import LookIn, Onlooker, Onlookers
from data.store.mail import pages
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.mail.line.mail_line import mail_line_of

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post("/cases/{case_id}/onlookers")
async def look_in(
    case_id: str, order: LookIn, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Onlookers:
    """Say that the caller has a case open, for some seconds, and return who else has it open.

    It holds nobody up: a decision still needs the version that was seen.

    Raises:
        NotFoundError: there is no such case.

    """
    if await workspace.db.read(pages.find_version, case_id) is None:
        raise NotFoundError(f"there is no case {case_id!r}")
    looks = mail_line_of(workspace).open_cases.note_open(
        case_id, principal.id, principal.name, house.clock(), writing=order.writing
    )
    return Onlookers(items=tuple(Onlooker(name=look.name, writing=look.writing) for look in looks))
