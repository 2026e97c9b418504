"""A poll that is killed at a chosen instant, by SIGKILL of its own, as if the kernel had.

    python -m tests.mail.mailboxes.killed HOME PORT AFTER fetched|spooled|marked …

Each instant is a process of its own: before the spool, between spool and server, and between the
server's mark and the cursor. Prints the exit status of each.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from connectors.sources.mailboxes import MailboxSession
from connectors.sources.mailboxes.polling import MailboxTaking
from connectors.spool import Spool, SpoolWriter
from data.errors import SpoolError
from data.mailbox_files import read_password
from data.records.core.envelope import Envelope
from data.records.mail.mailboxes import FolderCursor, MailboxAccount, MailboxLine
from data.settings import load_settings
from flows.mail.polling.desk import StateBooks
from tests.core.small import TEASEL
from tests.mail.mailboxes.dovecot import USER
from tests.mail.mailboxes.opening import open_desk


def die() -> None:
    """End as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


class DeadlyBooks(StateBooks):
    """The state, which dies as it is asked for known content, or to move the cursor."""

    when: str = ""

    def known_content(self, hashes: Collection[str]) -> Mapping[str, str]:
        """Die when messages are fetched and not yet spooled."""
        if self.when == "fetched":
            die()
        return super().known_content(hashes)

    def advance(self, account: str, cursor: FolderCursor, lines: Sequence[MailboxLine]) -> None:
        """Die when messages are spooled and marked, and the cursor is not moved."""
        if lines and self.when == "marked":
            die()
        super().advance(account, cursor, lines)


class DeadlySpool(Spool):
    """The spool, which dies when messages are durable and nobody else knows."""

    when: str = ""

    def commit_many(self, writers: Sequence[SpoolWriter]) -> list[Envelope | SpoolError]:
        """Keep the messages, then die."""
        outcomes = super().commit_many(writers)
        if self.when == "spooled":
            die()
        return outcomes


async def poll(home: Path, account: MailboxAccount, when: str) -> None:
    """Poll once, as the command does."""
    async with open_desk(load_settings(home=home), TEASEL) as desk:
        books = DeadlyBooks(desk, account, asyncio.get_running_loop())
        object.__setattr__(books, "when", when)
        spool = DeadlySpool(desk.spool.folder)
        spool.when = when

        def act() -> None:
            with MailboxSession(account, read_password(account)) as session:
                MailboxTaking(
                    session,
                    spool,
                    books,
                    desk.largest,
                    most=1000,
                    clock=desk.clock,
                    stopped=lambda: False,
                ).run()

        await asyncio.to_thread(act)


def start(home: Path, account: MailboxAccount, when: str) -> int:
    """Poll in a process of its own; return its exit status, negative for a signal."""
    child = os.fork()
    if child == 0:
        asyncio.run(poll(home, account, when))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    mailbox = MailboxAccount(
        name="inbox",
        host="127.0.0.1",
        port=int(sys.argv[2]),
        tls="none",
        user=USER,
        password_env="TEASEL_IMAP_PASSWORD",
        after=sys.argv[3],
        move_to="Done" if sys.argv[3] == "move" else "",
    )
    for instant in sys.argv[4:]:
        print(start(Path(sys.argv[1]), mailbox, instant), flush=True)
