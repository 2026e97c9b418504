"""The organization's own groups: those that its profile names, and those that were seen."""

from data.errors import ConflictError, NotFoundError
from data.records.core.principals import Principal
from data.records.core.profiles import EditProfile
from data.records.mail.senders import GroupsView
from data.store.core import audit
from data.store.core.database import Connection
from data.store.core.profiles import mark
from data.store.mail import groups
from flows.core.administration.profiling import edit_profile
from flows.core.house import House
from flows.core.workspace import Workspace


async def groups_of(workspace: Workspace) -> GroupsView:
    """Return what the profile names, and what is proposed beside it."""
    own = {address.lower() for address in workspace.organization.own_addresses}
    groups_seen = await workspace.db.read(groups.list_proposed)
    return GroupsView(
        items=workspace.organization.group_addresses,
        proposed=tuple(row.address for row in groups_seen if row.address not in own),
    )


async def add_group(house: House, workspace: Workspace, address: str, principal: Principal) -> None:
    """Name a group as the organization's own: what it adds to a mail says nothing any more.

    Raises:
        ManifestError: it is no mail address.
        ConflictError: it is one of the organization's already.

    """
    organization = workspace.organization
    if address.lower() in {own_address.lower() for own_address in organization.own_addresses}:
        raise ConflictError(f"{address!r} is an address of the organization already")
    await _store(house, workspace, (*organization.group_addresses, address.lower()), principal)


async def remove_group(
    house: House, workspace: Workspace, address: str, principal: Principal
) -> None:
    """Name a group no longer, or say that a proposed one is none.

    Raises:
        NotFoundError: it is neither named nor proposed.

    """
    groups_kept = tuple(
        group_address
        for group_address in workspace.organization.group_addresses
        if group_address.lower() != address.lower()
    )
    if groups_kept != workspace.organization.group_addresses:
        await _store(house, workspace, groups_kept, principal)
        return

    def dismiss(cursor: Connection) -> None:
        if not groups.dismiss(cursor, address.lower(), principal.name):
            raise NotFoundError(f"{address!r} is neither a group of the organization nor proposed")
        audit.append(
            cursor,
            actor=principal.name,
            action="dismiss-group",
            subject=f"group:{address.lower()}",
            detail="",
            now=house.clock(),
        )

    await workspace.db.write(dismiss)


async def _store(
    house: House, workspace: Workspace, groups_wanted: tuple[str, ...], principal: Principal
) -> None:
    before = workspace.organization
    profile = before.model_copy(update={"group_addresses": groups_wanted})
    await edit_profile(house, workspace, EditProfile(profile=profile, was=mark(before)), principal)
