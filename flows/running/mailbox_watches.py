"""Watches of the mailboxes: a thread with a connection for each, and a loop that polls.

A watch takes nothing; it says when something is there. The loop then starts the flow *mailboxes*,
which takes it. After a failure both wait, twice as long each time.
"""

import logging
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from connectors.sources.mailboxes import MailboxLogins
from connectors.sources.mailboxes.watching import Watch, rest_until_stopped
from data.errors import ManifestError, PosternError
from data.mailbox_files import file_times, load_mailboxes
from data.records.mail.mailboxes import FolderPosition, MailboxAccount, MailboxPoll
from data.store.mail import mailboxes as store
from flows.core.house import House
from flows.core.rounds import do_for_organizations, do_named_works
from flows.core.workspace import Workspace
from flows.mail.leaving.scheduling import mailboxes_due_since
from flows.mail.line.mail_line import mail_line_of
from flows.mail.polling.desk import MailboxDesk
from flows.mailboxes import mailboxes

log = logging.getLogger("postern.mailboxes")
FIRST_WAIT, LONGEST_WAIT = 5.0, 900.0
MailboxKey = tuple[str, str]
"""Organization and mailbox."""


def backoff(failures: int) -> float:
    """Return the seconds to wait after so many failures in a row: 5, doubling to 15 minutes."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(max(failures - 1, 0), 16))


@dataclass
class Watching:
    """One mailbox that is watched."""

    account: MailboxAccount
    closing: threading.Event
    logins: MailboxLogins
    seen: dict[str, FolderPosition]
    """UIDVALIDITY and UIDNEXT of each folder when it was last looked at."""
    due: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    trouble: str = ""
    """What ended the last connection, until the loop has noted it."""
    failures: int = 0
    not_before: float = 0.0
    """Monotonic time of the next poll after a failed one."""
    silent: int = 0
    """Polls in a row that left a message which the server did not give."""
    again_at: float = 0.0
    """Monotonic time to ask for it again, while `silent`."""

    def start(self) -> None:
        """Begin to watch."""
        name = f"mailbox-{self.account.name}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def stopped(self) -> bool:
        """Whether the watch is to end."""
        return self.ended.is_set() or self.closing.is_set()

    def _run(self) -> None:
        while not self.stopped():
            try:
                session = self.logins.open(self.account)
                try:
                    Watch(session, self.seen, self._wake, self.stopped).run()
                finally:
                    session.drop_connection()
            except PosternError as error:
                self.failures += 1
                self.trouble = str(error)
                rest_until_stopped(backoff(self.failures), self.stopped)

    def _wake(self) -> None:
        self.failures = 0
        self.due.set()


@dataclass
class MailboxLoop:
    """Keeps a watch for each mailbox that is configured, and polls those that are due."""

    run: Callable[..., Awaitable[list[MailboxPoll]]] = mailboxes
    """Polls a mailbox, given `organization` and `mailbox`."""
    watching: dict[MailboxKey, Watching] = field(default_factory=dict)
    _stamps: dict[str, tuple[float, ...]] = field(default_factory=dict)

    async def round(self, house: House) -> bool:
        """Follow the configuration, then poll what is due; say whether anything was."""

        async def work(workspace: Workspace) -> bool:
            await self._follow(house, workspace)
            await self._look_for_scheduled(house, workspace)
            return await do_named_works(
                (f"mailbox {name}", partial(self._poll, house, workspace, name, watching))
                for (slug, name), watching in list(self.watching.items())
                if slug == workspace.slug
            )

        return await do_for_organizations(house, work)

    async def _follow(self, house: House, workspace: Workspace) -> None:
        """Start and end watches when the files that name mailboxes have changed."""
        slug, changed = workspace.slug, file_times(workspace.folder)
        if self._stamps.get(slug) == changed:
            return
        self._stamps[slug] = changed
        try:
            mailbox_by_key = {
                (slug, mailbox.name): mailbox for mailbox in load_mailboxes(workspace.folder)
            }
        except ManifestError as error:
            log.warning("mailboxes not read: %s; the earlier ones go on", error)
            return
        for key, watching in list(self.watching.items()):
            if key[0] == slug and mailbox_by_key.get(key) != watching.account:
                watching.ended.set()
                del self.watching[key]
        for key, account in mailbox_by_key.items():
            if account.enabled and key not in self.watching:
                positions = await workspace.db.read(store.read_positions, account.name)
                self.watching[key] = Watching(
                    account, house.closing, mail_line_of(workspace).logins, positions
                )
                self.watching[key].start()

    async def _look_for_scheduled(self, house: House, workspace: Workspace) -> None:
        """Have every mailbox read before a reply leaves at the moment that a person chose."""
        mine = [one for (slug, _), one in self.watching.items() if slug == workspace.slug]
        since = await mailboxes_due_since(workspace, house.clock()) if mine else None
        if since is None:
            return
        read = await workspace.db.read(store.list_read_times)
        for watching in mine:
            at = read.get(watching.account.name)
            if at is None or at < since:
                watching.due.set()

    async def _poll(
        self, house: House, workspace: Workspace, name: str, watching: Watching
    ) -> bool:
        if trouble := watching.trouble:
            watching.trouble = ""
            log.warning("mailbox %s: %s", name, trouble)
            await MailboxDesk.of(house, workspace).note(name, [trouble], failed=True)
        if watching.silent and time.monotonic() >= watching.again_at:
            watching.due.set()
        if not watching.due.is_set() or time.monotonic() < watching.not_before:
            return False
        watching.due.clear()
        watching.not_before = time.monotonic() + FIRST_WAIT  # in case it raises
        try:
            async with house.turn_of_run("mailboxes"):
                reports = await self.run(organization=workspace.slug, mailbox=name)
        except BaseException:
            watching.due.set()
            raise
        failed = any(report.failed for report in reports)
        if failed or any(report.more for report in reports):
            watching.due.set()
        watching.failures = watching.failures + 1 if failed else 0
        silent = any(report.unanswered for report in reports)
        watching.silent = watching.silent + 1 if silent else 0
        watching.again_at = time.monotonic() + backoff(watching.silent)
        wait = backoff(watching.failures) if failed else 0.0
        watching.not_before = time.monotonic() + wait
        return True
