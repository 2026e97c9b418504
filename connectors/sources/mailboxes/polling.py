"""One poll of a mailbox: from the server into the spool, in an order that is safe to be killed in.

For each page of messages: fetched, durable in the spool, then marked or moved on the server, then
the cursor. Killed before the spool: nothing has happened. Killed after it: the messages come
again, their bytes are known, and they are marked and counted but not spooled twice.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Protocol, cast

from dlt.extract.exceptions import ResourceExtractionError

from connectors.line_ends import from_storage
from connectors.mail_files import envelope_sender
from connectors.sources.mailboxes.position import begin
from connectors.sources.mailboxes.reading import UNANSWERED, Fetched, mailbox
from connectors.sources.mailboxes.session import MailboxSession, OpenFolder
from connectors.sources.mailboxes.settling import make_target, objection, settle
from connectors.sources.mailboxes.spooled import waiting_content
from connectors.spool import Spool
from data.errors import OutsidePermanentError, PosternError, SpoolError
from data.records.core.envelope import Channel, Envelope
from data.records.mail.mailboxes import (
    FolderCursor,
    MailboxAccount,
    MailboxAfter,
    MailboxLine,
    MailboxOutcome,
    MailboxPoll,
)


class Books(Protocol):
    """What a poll asks of the state; blocking."""

    def cursors(self, account: str, folder: str) -> list[FolderCursor]:
        """Return where a folder stands under each UIDVALIDITY, the newest last."""

    def advance(self, account: str, cursor: FolderCursor, lines: Sequence[MailboxLine]) -> None:
        """Note durably what became of messages, and that the cursor has moved."""

    def known_content(self, hashes: Collection[str]) -> Mapping[str, str]:
        """Return the ids of messages with these contents that were taken in before."""

    def is_own(self, raw: bytes) -> bool:
        """Whether this is a copy of a reply of ours."""

    def recipients(self, raw: bytes) -> list[str]:
        """Return the envelope recipients of a message."""


@dataclass
class MailboxTaking:
    """One poll: a session, the spool, and the state."""

    session: MailboxSession
    spool: Spool
    books: Books
    largest: int
    """Most bytes of a message."""
    most: int
    """Messages after which a poll stops, so that others get their turn."""
    clock: Callable[[], datetime]
    stopped: Callable[[], bool]
    seen: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    waiting: dict[str, str] = field(default_factory=dict)
    """Spool ids of what waits for intake, by content."""
    troubles: list[str] = field(default_factory=list)
    more: bool = False

    @property
    def account(self) -> MailboxAccount:
        """The mailbox."""
        return self.session.account

    def run(self) -> None:
        """Read every folder; what is wrong with one does not stop the others.

        Raises:
            MailboxAwayError: the connection broke; what came before it is safe and counted.
            SpoolError: the spool takes nothing now.

        """
        try:
            make_target(self.session)
        except OutsidePermanentError as error:  # mail is taken all the same, and stays where it is
            self.troubles.append(str(error))
        for folder in self.account.folders:
            if self.more or self.stopped():
                self.more = True
                return
            try:
                self._folder(folder)
            except OutsidePermanentError as error:
                self.troubles.append(str(error))

    def report(self, failure: str = "") -> MailboxPoll:
        """Return what was done so far; `failure` is what ended it, if anything did."""
        left = ("own", "draft", "deleted")
        return MailboxPoll(
            name=self.account.name,
            taken=self.counts["taken"],
            known=self.counts["known"],
            too_large=self.counts["too_large"],
            left=sum(self.counts[outcome] for outcome in left),
            unanswered=self.counts[UNANSWERED],
            more=self.more,
            failed=bool(failure),
            troubles=(*self.troubles, *([failure] if failure else [])),
        )

    def _folder(self, name: str) -> None:
        readonly = self.account.after is MailboxAfter.LEAVE
        opened = self.session.open(name, readonly=readonly)
        refused = objection(self.session, opened)
        if refused:
            self.troubles.append(refused)
        cursors = self.books.cursors(self.account.name, name)
        cursor = begin(self.account, opened, cursors, self.clock())
        if cursor not in cursors:  # where it begins must not change when more arrives
            self.books.advance(self.account.name, cursor, [])
        if cursor.last_uid + 1 < opened.uidnext:
            self._read(opened, cursor)

    def _read(self, opened: OpenFolder, cursor: FolderCursor) -> None:
        """Take the new messages of the selected folder, page by page."""
        # What a poll may have left behind that was killed before it moved the cursor.
        self.waiting |= waiting_content(self.spool, cursor.advanced_at if cursor.last_uid else None)
        owed: list[int] = []
        for fetched in _pages(self.session, opened, cursor, self.largest):
            self.spool.check()
            page = [row for row in fetched if row["left"] != UNANSWERED]
            owed += (silent := self._unanswered(opened, fetched))
            lines = self._page(opened, page)
            spoolless = [row["uid"] for row in page[len(lines) :]]
            cursor = self._moved(cursor, fetched, sorted(silent + spoolless))
            self.books.advance(self.account.name, cursor, lines)
            if spoolless:
                raise SpoolError("the spool did not keep every message; the rest is tried again")
            self.seen += len(fetched)
            if self.seen >= self.most or self.stopped():
                self.more = True
                return
        # Gaps, and what is older than the cutoff, are not looked at again.
        end = cursor.model_copy(update={"read_to": opened.uidnext - 1, "owed": ()})
        self.books.advance(self.account.name, self._moved(end, [], owed), [])

    def _unanswered(self, opened: OpenFolder, fetched: Sequence[Fetched]) -> list[int]:
        """Note what the server has and does not give; return the UIDs."""
        owed = [row for row in fetched if row["left"] == UNANSWERED]
        self.counts[UNANSWERED] += len(owed)
        self.troubles += [
            f"message {row['uid']} of folder {opened.name!r} is on the server, which does not give "
            f"it ({row['said']}); the others were taken, and it is asked for again. If that goes "
            "on, open it with a mail program, and move or delete it there"
            for row in owed
        ]
        return [row["uid"] for row in owed]

    def _moved(
        self, cursor: FolderCursor, fetched: Sequence[Fetched], owed: Sequence[int]
    ) -> FolderCursor:
        """Return the cursor behind what was fetched, and before the first message still owed."""
        asked = range(fetched[0]["uid"], fetched[-1]["uid"] + 1) if fetched else range(0)
        still = sorted({*(uid for uid in cursor.owed if uid not in asked), *owed})
        read_to = max(cursor.last_uid, cursor.read_to, asked.stop - 1)
        return cursor.model_copy(
            update={
                "last_uid": min([read_to, *(uid - 1 for uid in still)]),
                "read_to": read_to,
                "owed": tuple(still),
                "advanced_at": self.clock(),
            }
        )

    def _page(self, opened: OpenFolder, page: Sequence[Fetched]) -> list[MailboxLine]:
        """Make one page safe, then mark it; return what became of it, up to the first failure."""
        contents = {row["uid"]: from_storage(row["raw"]) for row in page if not row["left"]}
        hashes = {uid: hashlib.sha256(raw).hexdigest() for uid, (raw, _) in contents.items()}
        content_known = {**self.books.known_content(set(hashes.values())), **self.waiting}
        fresh = self._fresh(page, hashes, content_known)
        outcomes = self._spool([(row["raw"], contents[row["uid"]]) for row in fresh])
        stored = {row["uid"]: outcome for row, outcome in zip(fresh, outcomes, strict=True)}
        for uid, outcome in stored.items():
            if isinstance(outcome, Envelope):
                content_known[hashes[uid]] = self.waiting[hashes[uid]] = outcome.spool_id
        lines: list[MailboxLine] = []
        for row in page:
            failed = stored.get(row["uid"])
            if isinstance(failed, SpoolError):
                self.troubles.append(str(failed))
                break
            lines.append(_line(opened, row, hashes.get(row["uid"], ""), content_known, stored))
        self._settle(opened, lines)
        return lines

    def _fresh(
        self, page: Sequence[Fetched], hashes: Mapping[int, str], known_content: Mapping[str, str]
    ) -> list[Fetched]:
        """Return those that belong into the spool; a second copy on a page is no second message."""
        uids_seen, fresh = set(known_content), []
        for row in page:
            sha256 = hashes.get(row["uid"])
            if sha256 and sha256 not in uids_seen and not self.books.is_own(row["raw"]):
                uids_seen.add(sha256)
                fresh.append(row)
        return fresh

    def _settle(self, opened: OpenFolder, lines: Sequence[MailboxLine]) -> None:
        safe = (MailboxOutcome.TAKEN, MailboxOutcome.KNOWN)
        refused = settle(self.session, opened, [ln.uid for ln in lines if ln.outcome in safe])
        if refused and refused not in self.troubles:
            self.troubles.append(refused)
        self.counts.update(str(line.outcome) for line in lines)

    def _spool(
        self, messages: Sequence[tuple[bytes, tuple[bytes, bool]]]
    ) -> list[Envelope | SpoolError]:
        """Make messages durable with one sync of the folder."""
        writers = []
        for raw, (content, mixed) in messages:
            writer = self.spool.open_writer(
                channel=Channel.IMAP,
                mail_from=envelope_sender(raw),
                rcpt_to=self.books.recipients(raw),
                peer=self.session.peer,
                helo=self.account.host,
                tls=self.session.encrypted,
            )
            writer.bare_eol = mixed
            writer.write(content)
            writers.append(writer)
        return self.spool.commit_many(writers) if writers else []


def _pages(
    session: MailboxSession, opened: OpenFolder, cursor: FolderCursor, largest: int
) -> Iterator[list[Fetched]]:
    """Give the pages of the folder's resource; our failures as they are, not as dlt wraps them."""
    for resource in mailbox(session, [(opened, cursor)], largest).resources.values():
        rows = (cast(Fetched, row) for row in resource)
        try:
            for _, page in groupby(rows, key=lambda row: row["page"]):
                yield list(page)
        except ResourceExtractionError as error:
            if isinstance(error.__cause__, PosternError):
                raise error.__cause__ from None
            raise


def _line(
    opened: OpenFolder,
    row: Fetched,
    sha256: str,
    known_content: Mapping[str, str],
    stored: Mapping[int, Envelope | SpoolError],
) -> MailboxLine:
    outcome = MailboxOutcome.KNOWN
    if row["left"]:
        outcome = MailboxOutcome(row["left"])
    elif isinstance(stored.get(row["uid"]), Envelope):
        outcome = MailboxOutcome.TAKEN
    elif sha256 not in known_content:
        outcome = MailboxOutcome.OWN
    return MailboxLine(
        folder=opened.name,
        uidvalidity=opened.uidvalidity,
        uid=row["uid"],
        outcome=outcome,
        spool_id=known_content.get(sha256, ""),
        sha256=sha256,
        size_bytes=len(row["raw"]) or row["size_bytes"],
    )
