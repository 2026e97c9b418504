"""What every route works with: the house, the caller, and the organization it may see."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from data.errors import ForbiddenError, PosternError
from data.store.core import control
from data.store.core.control import User
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.running.loops import Loop

bearer = HTTPBearer(auto_error=False)


class NotSignedInError(PosternError):
    """No token, or one that nobody knows."""


def house_of(request: Request) -> House:
    """Return the engine's house."""
    house: House = request.app.state.house
    return house


def loops_of(request: Request) -> tuple[Loop, ...]:
    """Return the engine's loops."""
    loops: tuple[Loop, ...] = request.app.state.loops
    return loops


async def user_of(
    house: Annotated[House, Depends(house_of)],
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> User:
    """Return the caller.

    Raises:
        NotSignedInError: no token was sent, or it is not known.

    """
    if credentials is None:
        raise NotSignedInError("send a token as `Authorization: Bearer …`")
    try:
        return await house.control.read(control.user_of, credentials.credentials)
    except ForbiddenError as error:
        raise NotSignedInError(str(error)) from error


async def admin_of(user: Annotated[User, Depends(user_of)]) -> User:
    """Return the caller, who must be an administrator of everything.

    Raises:
        ForbiddenError: the caller is not.

    """
    if user.role != "admin" or user.organization is not None:
        raise ForbiddenError("only an administrator may do that; ask one")
    return user


async def workspace_of(
    org: str,
    house: Annotated[House, Depends(house_of)],
    user: Annotated[User, Depends(user_of)],
) -> Workspace:
    """Return the organization of the path, which the caller's token must open.

    Raises:
        ForbiddenError: it does not; whether the organization exists is not said.

    """
    if not user.may_see(org):
        raise ForbiddenError(f"this token does not open organization {org!r}")
    return await house.workspace(org)


def wake(request: Request) -> None:
    """Wake the loops, so that what a person decided happens at once."""
    for loop in loops_of(request):
        loop.woken.set()


HouseOf = Annotated[House, Depends(house_of)]
UserOf = Annotated[User, Depends(user_of)]
AdminOf = Annotated[User, Depends(admin_of)]
WorkspaceOf = Annotated[Workspace, Depends(workspace_of)]
Waker = Annotated[None, Depends(wake)]
