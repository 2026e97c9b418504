"""The context of every route: the house, the caller, and the organization it may see."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from data.errors import ForbiddenError, PosternError
from data.records.core.principals import Permission, Principal
from data.store.core import control
from flows.core.house import House
from flows.core.workspace import Workspace

if TYPE_CHECKING:
    from flows.running.loops import Loop

bearer = HTTPBearer(auto_error=False)


class NotSignedInError(PosternError):
    """No token, or one that nobody knows."""


def house_of(request: Request) -> House:
    """Return the engine's house."""
    house: House = request.app.state.house
    return house


def loops_of(request: Request) -> "tuple[Loop, ...]":
    """Return the engine's loops."""
    loops: tuple[Loop, ...] = request.app.state.loops
    return loops


async def principal_of(
    house: Annotated[House, Depends(house_of)],
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Principal:
    """Return the caller.

    Raises:
        NotSignedInError: no token was sent, or it is not known.

    """
    if credentials is None:
        raise NotSignedInError("send a token as `Authorization: Bearer …`")
    try:
        return await house.control.read_once(control.read_token_principal, credentials.credentials)
    except ForbiddenError as error:
        raise NotSignedInError(str(error)) from error


async def admin_of(principal: Annotated[Principal, Depends(principal_of)]) -> Principal:
    """Return the caller, who must be an administrator of everything.

    Raises:
        ForbiddenError: the caller is not.

    """
    if not principal.may(Permission.ADMINISTER):
        raise ForbiddenError("only an administrator may do that; ask one")
    return principal


async def workspace_of(
    org: str,
    request: Request,
    house: Annotated[House, Depends(house_of)],
    principal: Annotated[Principal, Depends(principal_of)],
) -> Workspace:
    """Return the organization of the path, where the caller may do what is asked for.

    Raises:
        ForbiddenError: the caller may not; whether the organization exists is not said.

    """
    if not principal.may_see(org):
        raise ForbiddenError(f"this token does not open organization {org!r}")
    needed = permission_for(request.method, request.scope["route"].path)
    if not principal.may(needed, org):
        raise ForbiddenError(
            f"your role in organization {org!r} does not permit it to {WORDS[needed]}; "
            "ask who manages its users"
        )
    return await house.get_workspace(org)


WORDS = {
    Permission.SEE: "look",
    Permission.DECIDE: "decide what becomes of mail",
    Permission.TEACH: "teach knowledge, replies and rules",
    Permission.MANAGE_USERS: "manage users",
    Permission.ADMINISTER: "administer Postern",
}
"""What each permission lets somebody do, in the words of a refusal."""
LOOKS = ("preview", "read", "seen", "onlookers")
"""Last parts of the routes that are posted to and decide nothing."""
TEACHES = (
    "business-profile",
    "rules",
    "saved-replies",
    "knowledge",
    "proposals",
    "examples",
    "relabel",
    "remember",
)
"""Parts of the routes below which people teach."""
OWN = ("chats", "memories", "turns", "calls", "tasks", "calendar")
"""The routes of what is a person's own, which look themselves who may do what."""
MANAGES = ("users", "teams", "agents", "agent-library", "chat-intents")
ADMINISTERS = ("caps", "models", "policy", "setup", "holidays")
"""Parts of the routes below which only who administers changes anything."""


def permission_for(method: str, path: str) -> Permission:
    """Return what a caller has to be permitted for a request within an organization.

    `path` is the route's, `/v1/{org}/…`, so that no word that a caller puts into an address counts.
    What is not named here is a decision: a new route is never open to who may only look.
    """
    parts = path.strip("/").split("/")[2:]
    looks = method in ("GET", "HEAD") or (method == "POST" and parts[-1] in LOOKS)
    if looks or parts[0] in OWN:
        return Permission.SEE
    if any(part in ADMINISTERS for part in parts):
        return Permission.ADMINISTER
    if any(part in MANAGES for part in parts):
        return Permission.MANAGE_USERS
    return Permission.TEACH if any(part in TEACHES for part in parts) else Permission.DECIDE


async def wake(request: Request) -> AsyncIterator[None]:
    """Wake the loops once a route is through, so that what was decided happens at once."""
    yield
    for loop in loops_of(request):
        loop.woken.set()


HouseOf = Annotated[House, Depends(house_of)]
PrincipalOf = Annotated[Principal, Depends(principal_of)]
AdminOf = Annotated[Principal, Depends(admin_of)]
WorkspaceOf = Annotated[Workspace, Depends(workspace_of)]
WAKES = Depends(wake)
"""For routes after which there is something to do."""
FOR_ADMINISTRATORS = Depends(admin_of)
"""For routes that need nothing else of who asks."""
FOR_WHO_IS_SIGNED_IN = Depends(principal_of)
"""For routes that anybody with a token may ask."""
FOR_WHO_SEES_IT = Depends(workspace_of)
"""For routes below an organization that need nothing of it."""
