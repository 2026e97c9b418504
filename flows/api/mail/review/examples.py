"""People's corrections of labels of cases, and what the classifier has learned from them."""

from fastapi import APIRouter

from data.records.mail.examples import LearnedExamples, Relabel
from data.records.mail.views import CaseView
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.review.case_view import case_view
from flows.mail.knowing import retraining
from flows.mail.people.correcting import relabel as correct_labels

router = APIRouter(prefix="/v1/{org}", tags=["review"])


@router.post("/cases/{case_id}/relabel")
async def relabel(
    case_id: str, order: Relabel, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> CaseView:
    """Say what a case is really about; the classifier learns from it."""
    await correct_labels(house, workspace, case_id, order, principal)
    return await case_view(house, workspace, case_id)


@router.get("/examples")
async def examples(workspace: WorkspaceOf) -> LearnedExamples:
    """Return how many cases people have corrected, and how the trainings on them went."""
    return await workspace.db.read(retraining.count_learned)


@router.post("/examples/undo")
async def undo(house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf) -> LearnedExamples:
    """Take the training in use out of use; the one before it comes back."""
    await retraining.undo_training(house, workspace, principal)
    return await workspace.db.read(retraining.count_learned)
