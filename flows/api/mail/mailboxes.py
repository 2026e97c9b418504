"""The mailboxes of an organization: how they are doing, a look into one, and a poll at once."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from data.mailbox_files import read_mailbox
from data.records.core.version_diff import VersionDiff
from data.records.mail.mailbox_versions import MailboxVersions, RestoreMailbox
from data.records.mail.mailboxes import ChangeMailbox, MailboxPoll, MailboxSight, MailboxStanding
from data.store.mail import mailbox_versions
from flows.api.core.context import FOR_ADMINISTRATORS, AdminOf, HouseOf, WorkspaceOf
from flows.mail.polling import keeping
from flows.mail.polling.desk import MailboxDesk

router = APIRouter(prefix="/v1/{org}", tags=["mailboxes"])


@router.get("/mailboxes")
async def standings(house: HouseOf, workspace: WorkspaceOf) -> list[MailboxStanding]:
    """Return how each configured mailbox is doing."""
    return await MailboxDesk.of(house, workspace).standings()


@router.put("/mailboxes/{name}")
async def keep_mailbox(
    name: Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")],
    order: ChangeMailbox,
    house: HouseOf,
    workspace: WorkspaceOf,
    admin: AdminOf,
) -> list[MailboxStanding]:
    """Keep a mailbox to fetch from, or change one; its secrets are never shown again."""
    await keeping.keep_mailbox(house, workspace, name, order, admin)
    return await MailboxDesk.of(house, workspace).standings()


@router.get("/mailbox-versions")
async def list_versions(
    workspace: WorkspaceOf,
    name: Annotated[str, Query(max_length=63, description="one mailbox; all when empty")] = "",
) -> MailboxVersions:
    """Return the settings that mailboxes have had as they were kept here, removed ones too."""
    return MailboxVersions(items=await workspace.db.read(mailbox_versions.list_versions, name))


@router.get("/mailboxes/{name}/diff")
async def compare_versions(
    name: str,
    workspace: WorkspaceOf,
    before: Annotated[int, Query(ge=0, description="0: nothing, before the first")],
    after: Annotated[int, Query(ge=0)],
) -> VersionDiff:
    """Return how two versions of a mailbox's settings differ."""
    return await workspace.db.read(keeping.compare_versions, name, before, after)


@router.post("/mailboxes/{name}/restore")
async def restore_mailbox(
    name: Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")],
    order: RestoreMailbox,
    house: HouseOf,
    workspace: WorkspaceOf,
    admin: AdminOf,
) -> list[MailboxStanding]:
    """Let earlier settings of a mailbox count again, as one more version."""
    await keeping.restore_mailbox(house, workspace, name, order, admin)
    return await MailboxDesk.of(house, workspace).standings()


@router.delete("/mailboxes/{name}", status_code=204)
async def remove_mailbox(name: str, house: HouseOf, workspace: WorkspaceOf, admin: AdminOf) -> None:
    """Forget a mailbox that is kept here, and its secrets."""
    await keeping.remove_mailbox(house, workspace, name, admin)


@router.post("/mailboxes/{name}/check", dependencies=[FOR_ADMINISTRATORS])
async def check(name: str, house: HouseOf, workspace: WorkspaceOf) -> MailboxSight:
    """Log in to a mailbox and count what a poll would take; takes nothing."""
    account = read_mailbox(workspace.folder, name)
    return await MailboxDesk.of(house, workspace).check(account)


@router.post("/mailboxes/{name}/poll", dependencies=[FOR_ADMINISTRATORS])
async def poll(name: str, house: HouseOf, workspace: WorkspaceOf) -> MailboxPoll:
    """Take what is new in a mailbox, now."""
    account = read_mailbox(workspace.folder, name)
    return await MailboxDesk.of(house, workspace).poll(account)
