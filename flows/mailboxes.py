"""Flow *mailboxes*: new mail from IMAP servers into the spool."""

import logging
from functools import partial

from prefect import flow

from data.errors import ManifestError
from data.mailbox_files import load_mailboxes
from data.records.mail.mailboxes import MailboxPoll
from flows.core.current import get_current_house
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.polling.desk import MailboxDesk
from flows.mail.stages.stage_tasks import log_line, publish_outcomes, run_as_task

log = logging.getLogger("postern.mailboxes")


@flow(name="mailboxes", flow_run_name="mailboxes {organization} {mailbox}", persist_result=False)
async def mailboxes(organization: str = "", mailbox: str = "") -> list[MailboxPoll]:
    """Take what is new in the organizations' mailboxes into the spool.

    Args:
        organization: slug; empty polls for every organization.
        mailbox: name; empty polls every enabled mailbox.

    Returns:
        What each poll did.

    """
    house = get_current_house()
    done: list[MailboxPoll] = []
    for workspace in await house.choose_workspaces(organization):
        reports = await poll_all(house, workspace, mailbox)
        done += reports
        await publish_outcomes(
            "mailboxes",
            workspace.slug,
            [
                {**report.model_dump(exclude={"troubles"}), "troubles": " ".join(report.troubles)}
                for report in reports
            ],
            f"mailboxes of {workspace.organization.name}",
        )
    return done


async def poll_all(house: House, workspace: Workspace, name: str = "") -> list[MailboxPoll]:
    """Poll one mailbox of an organization, or every enabled one."""
    try:
        accounts = load_mailboxes(workspace.folder)
    except ManifestError as error:
        log.warning("mailboxes not read: %s", error)
        return []
    desk = MailboxDesk.of(house, workspace)
    reports = []
    for account in accounts:
        if account.name == name or (account.enabled and not name):
            act = partial(desk.poll, account)
            reports.append(await run_as_task("poll", act, run_name=f"poll {account.name}"))
            log_poll(workspace.slug, reports[-1])
            log_line(f"poll {account.name}: {reports[-1].taken} taken, {reports[-1].known} known")
    return reports


def log_poll(slug: str, report: MailboxPoll) -> None:
    """Write a line to the log about what a poll did, and one for each trouble."""
    fields = {"organization": slug, **report.model_dump(exclude={"troubles"})}
    log.info(
        "mailbox %s: %d taken, %d known, %d too large, %d left",
        report.name,
        report.taken,
        report.known,
        report.too_large,
        report.left,
        extra={"fields": fields},
    )
    for trouble in report.troubles:
        log.warning("mailbox %s: %s", report.name, trouble, extra={"fields": fields})
