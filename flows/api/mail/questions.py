"""Questions to owners and their answers."""

from fastapi import APIRouter, Query

from data.records.core.listing import Page
from data.records.mail.questions import OwnerAnswer, QuestionState, QuestionView
from data.store.core.database import Connection
from data.store.mail import questions as store
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import pick_fields
from flows.mail.people import answering

router = APIRouter(prefix="/v1/{org}", tags=["questions to owners"])


@router.get("/questions")
async def questions(
    workspace: WorkspaceOf,
    state: QuestionState | None = None,
    owner: str = "",
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> Page[QuestionView]:
    """Return one page of the questions, newest first; `owner` is an address."""
    questions_listed, total = await workspace.db.read(
        store.list_page, state=state or "", owner=owner, limit=limit, offset=offset
    )
    return Page(
        items=tuple(pick_fields(QuestionView, row) for row in questions_listed), total=total
    )


@router.post("/questions/{question_id}/answer", dependencies=[WAKES])
async def answer(
    question_id: str,
    given: OwnerAnswer,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> QuestionView:
    """Answer a question; its case is drafted again with the answer."""
    await answering.answer(house, workspace, question_id, given, principal)
    return await workspace.db.read(_question, question_id)


@router.post("/questions/{question_id}/withdraw")
async def withdraw(
    question_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> QuestionView:
    """Take a question back; its branch waits no more."""
    await answering.withdraw(house, workspace, question_id, principal)
    return await workspace.db.read(_question, question_id)


@router.post("/questions/{question_id}/remember")
async def remember(
    question_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> QuestionView:
    """Propose an answer as knowledge; it counts once somebody has accepted it."""
    await answering.remember(house, workspace, question_id, principal)
    return await workspace.db.read(_question, question_id)


def _question(cursor: Connection, question_id: str) -> QuestionView:
    return pick_fields(QuestionView, store.read_row(cursor, question_id))
