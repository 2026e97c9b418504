"""The mailboxes of an organization: how they are doing, a look into one, and a poll at once."""

from fastapi import APIRouter

from data.mailbox_files import mailbox_named
from data.records.mail.mailboxes import MailboxPoll, MailboxSight, MailboxStanding
from flows.api.context import FOR_ADMINISTRATORS, HouseOf, WorkspaceOf
from flows.mail.polling.desk import MailboxDesk

router = APIRouter(prefix="/v1/{org}", tags=["mailboxes"])


@router.get("/mailboxes")
async def standings(house: HouseOf, workspace: WorkspaceOf) -> list[MailboxStanding]:
    """Return how each configured mailbox is doing."""
    return await MailboxDesk.of(house, workspace).standings()


@router.post("/mailboxes/{name}/check", dependencies=[FOR_ADMINISTRATORS])
async def check(name: str, house: HouseOf, workspace: WorkspaceOf) -> MailboxSight:
    """Log in to a mailbox and count what a poll would take; takes nothing."""
    account = mailbox_named(workspace.folder, name)
    return await MailboxDesk.of(house, workspace).check(account)


@router.post("/mailboxes/{name}/poll", dependencies=[FOR_ADMINISTRATORS])
async def poll(name: str, house: HouseOf, workspace: WorkspaceOf) -> MailboxPoll:
    """Take what is new in a mailbox, now."""
    account = mailbox_named(workspace.folder, name)
    return await MailboxDesk.of(house, workspace).poll(account)
