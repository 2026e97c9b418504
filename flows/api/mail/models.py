"""Language models: who thinks, what it costs, and one short question to try it out."""

from fastapi import APIRouter

from data.records.core.manifest_format import ModelTier
from data.records.core.model_views import ModelsView, TriedModel, TryModel
from flows.api.core.context import FOR_ADMINISTRATORS, HouseOf, PrincipalOf, WorkspaceOf
from flows.mail.thinking.model_figures import models_view
from flows.mail.thinking.model_trial import try_model

router = APIRouter(prefix="/v1/{org}", tags=["models"])


@router.get("/models")
async def models(house: HouseOf, workspace: WorkspaceOf) -> ModelsView:
    """Return who thinks, the caps, and what this organization has used."""
    return await workspace.db.read(models_view, house.settings, house.clock())


@router.post("/models/try", dependencies=[FOR_ADMINISTRATORS])
async def try_a_model(
    order: TryModel, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> TriedModel:
    """Ask the model of a class one short question, within the caps; no mail goes to it.

    With settings that are not kept it is asked as they say, and they count for nothing else.
    """
    return await try_model(house, workspace, principal, ModelTier(order.tier), order.change)
