"""The engine's loop: told by IDLE, else by looking; nothing is started for nothing."""

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from data.mailbox_files import FILE
from data.records.mail.mailboxes import MailboxAccount, MailboxPoll
from data.records.mail.orders import Approve
from flows.api.mail.review.case_view import case_view
from flows.core.current import set_house
from flows.mail.leaving.sending import deliver_due
from flows.mail.people import reviewing
from flows.mailboxes import mailboxes
from flows.running.due_work import wake_due
from flows.running.mailbox_watches import LONGEST_WAIT, MailboxLoop, backoff
from tests.core.small import Line
from tests.mail.mailboxes.conftest import account, post
from tests.mail.mailboxes.dovecot import Dovecot
from tests.mail.mailboxes.faulty import FaultyServer, at
from tests.people import person


class Engine:
    """The loop as the engine runs it, with the flow as it is outside of Prefect."""

    def __init__(self, line: Line) -> None:
        self.line, self.runs, self.taken = line, 0, 0
        self.loop = MailboxLoop(self._run)

    async def _run(self, organization: str, mailbox: str) -> list[MailboxPoll]:
        self.runs += 1
        reports = await mailboxes.fn(organization=organization, mailbox=mailbox)
        self.taken += sum(report.taken for report in reports)
        return reports

    async def until(self, done: Callable[[], bool], seconds: float = 120) -> None:
        """Go round until that is so."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "it did not come about"
            await self.loop.round(self.line.house)
            await asyncio.sleep(0.05)


@pytest.fixture
async def engine(line: Line) -> Engine:
    """A loop over the tiny organization."""
    set_house(line.house)
    return Engine(line)


def configure(line: Line, *accounts: MailboxAccount) -> Path:
    """Write the organization's file."""
    entries = [one.model_dump(mode="json", exclude_defaults=True) for one in accounts]
    path = line.workspace.folder / FILE
    path.write_text(yaml.safe_dump({"mailboxes": entries}))
    return path


@pytest.mark.parametrize("idle", [True, False])
async def test_new_mail_is_taken_when_it_comes(
    make_dovecot: Callable[..., Dovecot], engine: Engine, idle: bool
) -> None:
    """With IDLE at once, though a look is an hour away; without, at the next look; else no run."""
    server = make_dovecot("" if idle else "imap_capability = IMAP4rev1 UIDPLUS")
    server.put(post(1))
    configure(engine.line, account(server, poll_seconds=3600 if idle else 5))
    await engine.until(lambda: engine.taken == 1)
    server.put(post(2))
    await engine.until(lambda: engine.taken == 2)
    for _ in range(10):
        assert not await engine.loop.round(engine.line.house)
    assert engine.runs <= 3
    set_house(None)


async def test_a_folder_that_is_missing_does_not_hold_up_the_others(
    dovecot: Dovecot, engine: Engine
) -> None:
    """Mail of the other folder comes, and the trouble is told beside it."""
    configure(engine.line, account(dovecot, folders=["INBOX", "Nowhere"], poll_seconds=3600))
    dovecot.put(post(1))
    await engine.until(lambda: engine.taken == 1)
    dovecot.put(post(2))
    await engine.until(lambda: engine.taken == 2)
    (row,) = await engine.line.rows("SELECT failures, error FROM mailbox_polls")
    assert row["failures"] == 0
    assert "'Nowhere'" in str(row["error"])
    set_house(None)


async def test_a_mailbox_whose_poll_breaks_holds_up_no_other(line: Line) -> None:
    """It is told, and tried again; the one behind it is polled all the same."""
    polled: list[str] = []

    async def run(organization: str, mailbox: str) -> list[MailboxPoll]:
        polled.append(f"{organization} {mailbox}")
        if mailbox == "first":
            raise RuntimeError("no flow run")
        return []

    loop, fields = MailboxLoop(run), {"host": "127.0.0.1", "port": 1, "tls": "none", "user": "ida"}
    names = {"password_env": "NO_PASSWORD"}
    configure(
        line,
        *(
            MailboxAccount.model_validate({"name": name} | fields | names)
            for name in ("first", "second")
        ),
    )
    await loop.round(line.house)
    for watching in loop.watching.values():
        watching.due.set()
    with pytest.raises(RuntimeError, match="no flow run"):
        await loop.round(line.house)
    assert polled == [f"{line.workspace.slug} {name}" for name in ("first", "second")]
    line.house.closing.set()


async def test_a_mailbox_is_read_before_a_reply_leaves_later(
    dovecot: Dovecot, engine: Engine
) -> None:
    """Nothing has come there that the server told of; it is looked at all the same, once."""
    line = engine.line
    configure(line, account(dovecot, poll_seconds=3600))
    dovecot.put(post(1))
    await engine.until(lambda: engine.taken == 1)
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases WHERE subject = 'Opening hours'")
    case = await case_view(line.house, line.workspace, str(row["id"]))
    leave = line.clock() + timedelta(hours=2)
    order = Approve(version=case.version, approval_hash=case.approval_hash, leave=leave)
    await reviewing.approve(line.house, line.workspace, case.id, order, person("ida"))
    line.clock.forward(2 * 3600 + 1)
    await wake_due(line.house)
    assert await deliver_due(line.house, line.workspace, 10) == {}
    before = engine.runs
    await engine.until(lambda: engine.runs > before)
    await wake_due(line.house)
    assert list((await deliver_due(line.house, line.workspace, 10)).values()) == ["sent"]
    set_house(None)


@pytest.mark.slow
async def test_a_restart_of_the_server_is_survived(dovecot: Dovecot, engine: Engine) -> None:
    """The trouble is noted while it lasts; afterwards mail comes again by itself."""
    configure(engine.line, account(dovecot, poll_seconds=3600))
    dovecot.put(post(1))
    await engine.until(lambda: engine.taken == 1)
    dovecot.stop()
    (watching,) = engine.loop.watching.values()
    await engine.until(lambda: watching.failures > 0)
    await engine.loop.round(engine.line.house)
    (row,) = await engine.line.rows("SELECT failures, error FROM mailbox_polls")
    assert row["failures"]
    assert "inbox" in str(row["error"])
    dovecot.start()
    dovecot.put(post(2))
    await engine.until(lambda: engine.taken == 2)
    set_house(None)


async def test_the_file_is_followed_while_the_engine_runs(dovecot: Dovecot, engine: Engine) -> None:
    """A mailbox that is added is polled, a broken file changes nothing, one taken out is let go."""
    house, line = engine.line.house, engine.line
    assert not await engine.loop.round(house)
    path = configure(line, account(dovecot), account(dovecot, name="off", enabled=False))
    dovecot.put(post(1))
    await engine.until(lambda: engine.taken == 1)
    assert list(engine.loop.watching) == [(line.workspace.slug, "inbox")]
    (watching,) = engine.loop.watching.values()
    path.write_text("mailboxes: [{")
    await engine.loop.round(house)
    assert not watching.ended.is_set()
    path.unlink()
    await engine.loop.round(house)
    assert watching.ended.is_set()
    assert engine.loop.watching == {}
    set_house(None)


def test_failures_wait_ever_longer() -> None:
    """Five seconds, doubling, and never more than a quarter of an hour."""
    assert [backoff(n) for n in (1, 2, 3)] == [5, 10, 20]
    assert backoff(50) == LONGEST_WAIT


async def test_what_was_not_given_is_asked_for_again_without_new_mail(engine: Engine) -> None:
    """The server has a message and does not give it; once it does, it is taken by itself."""
    with FaultyServer(post(1), post(2)) as server:
        server.faults[1] = "nil"
        configure(engine.line, at(server, poll_seconds=3600))
        await engine.until(lambda: engine.taken == 1)
        del server.faults[1]
        await engine.until(lambda: engine.taken == 2)
        (watching,) = engine.loop.watching.values()
        assert watching.silent == 0
        watching.ended.set()
    set_house(None)
