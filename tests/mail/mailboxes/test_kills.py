"""`kill -9` at any instant of a poll: every message is in the spool once, and marked in the end."""

import subprocess
import sys
from pathlib import Path

import pytest

from data.settings import Settings
from flows.mail.line.take import take_in_waiting
from flows.mail.polling.desk import MailboxDesk
from tests.core.small import TEASEL, Line
from tests.mail.mailboxes.conftest import Desk, account, post
from tests.mail.mailboxes.dovecot import Dovecot
from tests.mail.mailboxes.opening import open_desk

ROOT = Path(__file__).resolve().parents[3]


def kill(home: Settings, server: Dovecot, after: str, *instants: str) -> list[int]:
    """Poll in processes that die; return their exit statuses."""
    given = (str(home.home), str(server.port), after, *instants)
    command = [sys.executable, "-m", "tests.mail.mailboxes.killed", *given]
    done = subprocess.run(
        command, cwd=ROOT, timeout=150, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [int(line) for line in done.stdout.split()]


@pytest.mark.slow
@pytest.mark.parametrize("after", ["seen", "move"])
async def test_a_poll_that_is_killed_anywhere_loses_and_doubles_nothing(
    dovecot: Dovecot, home: Settings, after: str
) -> None:
    """Killed before the spool, after it, and before the cursor; then one poll ends well."""
    dovecot.put(*(post(n) for n in range(8)))
    instants = ("fetched", "spooled", "fetched", "marked", "marked")
    statuses = kill(home, dovecot, after, *instants)
    # With `move` the first that is killed at `marked` has emptied the folder.
    assert statuses == [-9, -9, -9, -9, 0 if after == "move" else -9]
    mailbox = account(dovecot, after=after, move_to="Done" if after == "move" else "")
    async with open_desk(home, TEASEL) as opened:
        desk = Desk(opened)
        dovecot.put(post(8))
        report = await desk.poll_well(mailbox)
        assert (report.taken, report.known) == (1, 0 if after == "move" else 8)
        assert desk.subjects() == [f"Number {n}" for n in range(9)]
        assert (await desk.poll_well(mailbox)).known == 0
    left = dovecot.flags()
    if after == "move":
        assert left == {}
        assert len(dovecot.flags("Done")) == 9
    else:
        assert list(left.values()) == [{"\\Seen"}] * 9


async def test_what_the_engine_took_in_meanwhile_is_known(dovecot: Dovecot, line: Line) -> None:
    """Killed before the cursor moved, and taken in by the engine before the next poll: once."""
    dovecot.put(post(1), post(2))
    desk = MailboxDesk.of(line.house, line.workspace)
    assert (await desk.poll(account(dovecot))).taken == 2
    assert await take_in_waiting(line.house, 100) == {TEASEL.slug: 2}

    async with desk.poll_locks["inbox"]:  # as if the poll had been killed before its last step
        await desk.db.write(lambda cursor: cursor.execute("DELETE FROM mailbox_folders"))
    report = await desk.poll(account(dovecot))
    assert (report.taken, report.known, line.house.spool.waiting()) == (0, 2, 0)


async def test_a_copy_of_our_own_reply_is_left(dovecot: Dovecot, line: Line) -> None:
    """What we have sent and finds its way into a folder is no new mail; a forged copy is."""
    from tasks.mail.automated.loop_token import make_token

    ours = "<reply-1@mx.teasel.example>"
    token = make_token(ours, line.workspace.keys.loop_secret)
    await line.workspace.db.write(
        lambda cursor: cursor.execute(
            "INSERT INTO own_message_ids VALUES (?, 'thread', now())", [ours]
        )
    )
    copy = post(1).replace(b"Subject:", f"X-Loop: {token}\r\nSubject:".encode())
    own = copy.replace(b"Message-ID: ", f"Message-ID: {ours}\r\nX-Old: ".encode())
    forged = own.replace(token.encode(), b"0" * len(token))
    dovecot.put(own, forged)
    desk = MailboxDesk.of(line.house, line.workspace)
    report = await desk.poll(account(dovecot))
    assert (report.taken, report.left) == (1, 1)
    assert dovecot.flags() == {1: set(), 2: {"\\Seen"}}
