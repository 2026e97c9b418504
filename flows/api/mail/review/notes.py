"""Notes for colleagues, on a case or a conversation."""

from fastapi import APIRouter

from data.records.mail.notes import NoteView, WriteNote
from data.records.mail.views import CaseView, ThreadView
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.lines import pick_fields
from flows.api.mail.review.case_view import case_view
from flows.api.mail.thread_view import thread_view
from flows.mail.people import annotating

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post("/cases/{case_id}/notes")
async def write_on_case(
    case_id: str, order: WriteNote, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Keep a note on a case, and tell whom it names with `@`."""
    await annotating.write_on_case(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.post("/threads/{thread_id}/notes")
async def write_on_thread(
    thread_id: str, order: WriteNote, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> ThreadView:
    """Keep a note on a conversation, and tell whom it names with `@`."""
    await annotating.write_on_thread(house, workspace, thread_id, order, principal)
    return await workspace.db.read(thread_view, workspace.organization, thread_id)


@router.post("/notes/{note_id}/remove")
async def remove(
    note_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> NoteView:
    """Take a note away; the answer is what it was."""
    row = await annotating.remove(house, workspace, note_id, principal)
    return pick_fields(NoteView, row)
