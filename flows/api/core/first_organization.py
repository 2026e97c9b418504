"""The first organization of a home: made with the secret that the terminal prints, once."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.security import HTTPAuthorizationCredentials

from data.errors import ConflictError
from data.records.core.first_organization import BeginningView, FirstOrganization, MadeFirst
from data.records.core.principals import Permission
from data.store.core import control
from flows.api.core.context import WAKES, HouseOf, NotSignedInError, bearer, principal_of
from flows.core.administration.making_organizations import make_first_organization
from flows.core.first_secret import is_setup_secret
from flows.core.house import House

router = APIRouter(prefix="/v1", tags=["administration"])


async def may_begin(
    house: HouseOf,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> House:
    """Return the house where the caller may make its first organization.

    Raises:
        NotSignedInError: the caller has neither the secret nor an administrator's token.
        ConflictError: there is an organization already.

    """
    is_known = credentials is not None and is_setup_secret(house.settings, credentials.credentials)
    if not is_known:
        principal = await principal_of(house, credentials)
        if not principal.may(Permission.ADMINISTER):
            raise NotSignedInError("this link is good no more; the terminal prints a new one")
    if await house.control.read(control.list_organizations):
        raise ConflictError("there is an organization already; sign in with a link of its own")
    return house


@router.get("/beginning", dependencies=[Depends(may_begin)])
async def show_beginning() -> BeginningView:
    """Say whether a first organization can be made: 401 without the secret, 409 once there is."""
    return BeginningView(open=True)


@router.post("/beginning", status_code=201, dependencies=[WAKES])
async def make_beginning(
    order: FirstOrganization, house: Annotated[House, Depends(may_begin)]
) -> MadeFirst:
    """Make the first organization and its administrator, whose sign-in is shown this once."""
    return await make_first_organization(house, order)
