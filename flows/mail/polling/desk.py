"""Polling the mailboxes of one organization: IMAP and spool in a thread, the state beside it."""

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from connectors.authorities import read_authorities
from connectors.mail_files import delivered_to, header_of, written_to
from connectors.routes import RoutesMissingError, RouteTable
from connectors.sources.mailboxes import MailboxLogins
from connectors.sources.mailboxes.caution import Caution
from connectors.sources.mailboxes.cutting import cut_short
from connectors.sources.mailboxes.inspecting import look
from connectors.spool import Spool
from data.errors import PosternError, SettingsError, UnfitError
from data.mailbox_files import load_kept_mailboxes, load_mailboxes
from data.records.core.authorities import Authority
from data.records.core.organization import Organization, RouteMode
from data.records.mail.mailboxes import (
    FolderCursor,
    KeepMailbox,
    MailboxAccount,
    MailboxLine,
    MailboxPoll,
    MailboxSight,
    MailboxStanding,
)
from data.store.core.database import Database
from data.store.mail import mailbox_versions, mailboxes, threads
from flows.core.house import House, utc_now
from flows.core.workspace import Workspace
from flows.mail.line.mail_line import mail_line_of
from tasks.mail.automated.loop_token import is_own_token

MOST_ADDRESSES = 20
AnswerT = TypeVar("AnswerT")


@dataclass
class MailboxDesk:
    """What polling needs of one organization."""

    organization: Organization
    folder: Path
    loop_secret: str
    db: Database
    spool: Spool
    routes: RouteTable
    largest: int
    """Most bytes of a message."""
    most: int = 1000
    """Messages after which a poll stops, so that others get their turn."""
    clock: Callable[[], datetime] = utc_now
    closing: threading.Event = field(default_factory=threading.Event)
    poll_locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    logins: MailboxLogins = field(default_factory=MailboxLogins)
    caution: dict[str, Caution] = field(default_factory=dict)
    """By mailbox, over which messages the connection broke."""

    @classmethod
    def of(cls, house: House, workspace: Workspace) -> "MailboxDesk":
        """Return the desk of an organization of the engine."""
        return cls(
            organization=workspace.organization,
            folder=workspace.folder,
            loop_secret=workspace.keys.loop_secret,
            db=workspace.db,
            spool=house.spool,
            routes=house.routes,
            largest=house.settings.message_size_limit,
            clock=house.clock,
            closing=house.closing,
            poll_locks=mail_line_of(workspace).poll_locks,
            logins=mail_line_of(workspace).logins,
            caution=mail_line_of(workspace).caution,
        )

    async def poll(self, account: MailboxAccount) -> MailboxPoll:
        """Take what is new; one poll of a mailbox at a time. Failures are told in the report."""
        async with self.poll_locks.setdefault(account.name, asyncio.Lock()):
            loop = asyncio.get_running_loop()
            report = await asyncio.to_thread(self._poll, account, StateBooks(self, account, loop))
            await self.note(account.name, report.troubles, failed=report.failed)
            return report

    async def note(self, name: str, troubles: Sequence[str], *, failed: bool) -> int:
        """Note how a poll went; return how many in a row have failed."""
        return await self.db.write(
            mailboxes.note_poll, name, " ".join(troubles), self.clock(), failed=failed
        )

    def _poll(self, account: MailboxAccount, books: "StateBooks") -> MailboxPoll:
        from connectors.sources.mailboxes.polling import MailboxTaking  # brings dlt, 1 s

        taking: MailboxTaking | None = None
        try:
            self.check_recipient(account)
            self.spool.check()
            with (
                self.logins.open(account) as session,
                cut_short(session, self.closing),
            ):
                session.caution = self.caution.setdefault(account.name, session.caution)
                taking = MailboxTaking(
                    session,
                    self.spool,
                    books,
                    self.largest,
                    most=self.most,
                    clock=self.clock,
                    stopped=self.closing.is_set,
                )
                taking.run()
        except PosternError as error:
            if taking is None:
                return MailboxPoll(name=account.name, failed=True, troubles=(str(error),))
            return taking.report(str(error))
        return taking.report()

    async def check(self, account: MailboxAccount) -> MailboxSight:
        """Look at a mailbox and take nothing; an access token is asked for anew.

        Raises:
            PosternError: it cannot be polled; the sentence says what to do.

        """
        books = StateBooks(self, account, asyncio.get_running_loop())

        def act() -> MailboxSight:
            self.check_recipient(account)
            self.logins.forget(account)
            with self.logins.open(account) as session:
                return look(
                    session,
                    lambda folder: books.cursors(account.name, folder),
                    self.largest,
                    self.clock(),
                )

        sight = await asyncio.to_thread(act)
        ends = [authority.trouble(self.clock()) for authority in _authorities_of(account)]
        return sight.model_copy(update={"troubles": (*sight.troubles, *filter(None, ends))})

    def check_recipient(self, account: MailboxAccount) -> None:
        """Raise SettingsError when mail of this mailbox would have no route."""
        if account.to and not self.answers_for(account.to):
            raise SettingsError(
                f"'to' of mailbox {account.name!r} is {account.to!r}, but mail for that address "
                f"does not go to organization {self.organization.slug!r}; add a route, or change it"
            )

    def answers_for(self, address: str) -> bool:
        """Whether mail for this address goes to the organization."""
        try:
            route = self.routes.match(address)
        except RoutesMissingError:
            return False
        refused = (RouteMode.BOUNCE, RouteMode.REJECT)
        return (
            route is not None
            and route.organization == self.organization.slug
            and route.mode not in refused
        )

    async def standings(self) -> list[MailboxStanding]:
        """Return how each configured mailbox is doing.

        Raises:
            ManifestError: `mailboxes.yaml` cannot be used.

        """
        standing_by_name = await self.db.read(mailboxes.list_standings)
        kept_by_name = {
            kept_mailbox.name: KeepMailbox.of(kept_mailbox)
            for kept_mailbox in load_kept_mailboxes(self.folder)
        }
        version_by_name = {
            version.name: version.number
            for version in reversed(await self.db.read(mailbox_versions.list_versions))
            if not version.removed
        }
        return [
            standing_by_name.get(account.name, MailboxStanding(name=account.name)).model_copy(
                update={
                    "host": account.host,
                    "user": account.user,
                    "folders": account.folders,
                    "enabled": account.enabled,
                    "kept": kept_by_name.get(account.name),
                    "version": version_by_name.get(account.name, 0),
                    "authorities": _authorities_of(account),
                }
            )
            for account in load_mailboxes(self.folder)
        ]


def _authorities_of(account: MailboxAccount) -> tuple[Authority, ...]:
    """Return the certificates that it trusts; none where they cannot be read."""
    try:
        return read_authorities(account.ca_pem) if account.ca_pem else ()
    except UnfitError:  # whoever logs in is told
        return ()


@dataclass(frozen=True)
class StateBooks:
    """The state, asked from the thread that polls (`Books` of the connector)."""

    desk: MailboxDesk
    account: MailboxAccount
    loop: asyncio.AbstractEventLoop

    def _wait(self, asked: Coroutine[Any, Any, AnswerT]) -> AnswerT:
        return asyncio.run_coroutine_threadsafe(asked, self.loop).result()

    def cursors(self, account: str, folder: str) -> list[FolderCursor]:
        """Return where a folder stands under each UIDVALIDITY, the newest last."""
        return self._wait(self.desk.db.read(mailboxes.list_cursors, account, folder))

    def advance(self, account: str, cursor: FolderCursor, lines: Sequence[MailboxLine]) -> None:
        """Note durably what became of messages, and that the cursor has moved."""
        self._wait(self.desk.db.write(mailboxes.advance_cursor, account, cursor, lines))

    def known_content(self, hashes: Collection[str]) -> Mapping[str, str]:
        """Return the ids of messages with these contents that were taken in before."""
        return self._wait(self.desk.db.read(mailboxes.find_known_content, hashes)) if hashes else {}

    def is_own(self, raw: bytes) -> bool:
        """Whether this is a copy of a reply of ours: its token and its id are both ours."""
        token = header_of(raw, "X-Loop")
        if not token or not is_own_token(token, self.desk.loop_secret):
            return False
        return bool(
            self._wait(self.desk.db.read(threads.list_own_ids, [header_of(raw, "Message-ID")]))
        )

    def recipients(self, raw: bytes) -> list[str]:
        """Return who a message is for: as configured, delivered, written, or the first address."""
        if self.account.to:
            return [self.account.to]
        for address in delivered_to(raw):
            if self.desk.answers_for(address):
                return [address]
        addresses = [address for address in written_to(raw) if self.desk.answers_for(address)]
        return addresses[:MOST_ADDRESSES] or [self.desk.organization.addresses[0]]
