"""The first steps of an organization, and a test mail that is followed to its draft."""

from fastapi import APIRouter

from data.records.core.profiles import ProfileView
from data.records.mail.setting_up import Setup, TrialMail, TrialOrder
from data.store.core import control, profiles
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.mail.people import setting_up

router = APIRouter(prefix="/v1/{org}", tags=["administration"])


@router.get("/setup")
async def show_setup(house: HouseOf, workspace: WorkspaceOf) -> Setup:
    """Return the first steps, each done or not by what is there."""
    return await setting_up.setup_of(house, workspace)


@router.get("/profile")
async def show_profile(house: HouseOf, workspace: WorkspaceOf) -> ProfileView:
    """Return the organization's profile, with the mark that a change of it names."""
    own = await house.control.read(control.read_organization, workspace.slug)
    return ProfileView(profile=own, was=profiles.mark(own))


@router.post("/setup/trial", status_code=201, dependencies=[WAKES])
async def send_trial(
    order: TrialOrder, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> TrialMail:
    """Hand in a test mail, as if it had come from outside (administrators)."""
    return await setting_up.hand_in(house, workspace, order, principal)


@router.get("/setup/trial/{message_id}")
async def follow_trial(message_id: str, house: HouseOf, workspace: WorkspaceOf) -> TrialMail:
    """Return how far a test mail has come."""
    return await setting_up.follow(house, workspace, message_id)
