"""Broken lines, restarts, restored folders: nothing is lost, nothing comes twice."""

import asyncio
import time

from data.records.mail.mailboxes import MailboxAccount
from tests.mail.mailboxes.conftest import VARIABLE, Desk, account, post
from tests.mail.mailboxes.dovecot import PASSWORD, USER, Dovecot
from tests.mail.mailboxes.scripted import ScriptedServer
from tests.mail.mailboxes.wire import BreakingWire


async def test_a_line_that_breaks_anywhere_loses_and_doubles_nothing(
    dovecot: Dovecot, desk: Desk
) -> None:
    """Broken after ever more bytes, each poll goes on; every message is in the spool once."""
    dovecot.put(*(post(n, "word " * 300) for n in range(60)))
    failed = 0
    with BreakingWire(dovecot.port) as wire:
        mailbox = account(dovecot, port=wire.port)
        for limit in range(300, 110_000, 5500):
            wire.limit = limit
            report = await desk.poll(mailbox)
            failed += report.failed
            if report.failed:
                assert "tried again" in report.troubles[-1]
        wire.limit = 0
        await desk.poll_well(mailbox)
    assert failed >= 10
    assert wire.broken == failed
    assert desk.subjects() == [f"Number {n}" for n in range(60)]
    assert set(map(frozenset, dovecot.flags().values())) == {frozenset({"\\Seen"})}


async def test_a_server_that_was_away_is_asked_again(dovecot: Dovecot, desk: Desk) -> None:
    """While it is down the trouble is told and counted; afterwards polling goes on."""
    dovecot.put(post(1))
    assert (await desk.poll_well(account(dovecot))).taken == 1
    dovecot.stop()
    for _ in range(2):
        report = await desk.poll(account(dovecot))
        assert report.failed
        assert "nothing listens" in report.troubles[0]
    (standing,) = (await desk.rows("SELECT failures, error FROM mailbox_polls"),)
    assert standing[0]["failures"] == 2
    dovecot.start()
    dovecot.put(post(2))
    assert (await desk.poll_well(account(dovecot))).taken == 1
    assert (await desk.rows("SELECT failures, error FROM mailbox_polls")) == [
        {"failures": 0, "error": ""}
    ]


async def test_a_changed_uidvalidity_neither_loses_nor_doubles(
    dovecot: Dovecot, desk: Desk
) -> None:
    """Known messages are recognized by their content under their new UIDs; new ones are taken."""
    dovecot.put(post(1), post(2))
    await desk.poll_well(account(dovecot))
    dovecot.put(post(3))
    dovecot.renumber()
    sight = await desk.desk.check(account(dovecot))
    assert sight.folders[0].state == "changed"
    report = await desk.poll_well(account(dovecot))
    assert (report.taken, report.known) == (1, 2)
    assert desk.subjects() == ["Number 1", "Number 2", "Number 3"]
    assert (await desk.poll_well(account(dovecot))).known == 0


async def test_uids_that_go_back_under_the_same_uidvalidity_lose_nothing(
    dovecot: Dovecot, desk: Desk
) -> None:
    """A server that breaks its word, and counts anew, is read again; known content is known."""
    dovecot.put(*(post(n) for n in range(1, 6)))
    assert (await desk.poll_well(account(dovecot))).taken == 5
    dovecot.go_back(1, 2, 3)
    dovecot.put(post(6))
    assert max(dovecot.flags()) < 5
    report = await desk.poll_well(account(dovecot))
    assert (report.taken, report.known) == (1, 2)
    folders = await desk.rows("SELECT DISTINCT uidvalidity FROM mailbox_folders")
    assert len(folders) == 1
    dovecot.put(post(7))
    assert (await desk.poll_well(account(dovecot))).taken == 1
    assert desk.subjects() == [f"Number {n}" for n in range(1, 8)]


async def test_a_folder_that_was_made_anew_is_read_from_its_start(
    dovecot: Dovecot, desk: Desk
) -> None:
    """A folder of the same name with lower UIDs loses nothing; one that is gone is told."""
    mailbox = account(dovecot, folders=["INBOX", "Shop"])
    dovecot.put(post(1))
    dovecot.put(post(2), post(3), folder="Shop")
    assert (await desk.poll_well(mailbox)).taken == 3
    client = dovecot.client()
    client.delete_folder("Shop")
    dovecot.put(post(4))
    report = await desk.poll(mailbox)
    assert (report.taken, report.failed) == (1, False)
    assert "'Shop'" in report.troubles[0]
    assert "INBOX" in report.troubles[0]
    dovecot.put(post(5), folder="Shop")
    assert (await desk.poll_well(mailbox)).taken == 1


async def test_a_full_spool_takes_nothing_and_marks_nothing(dovecot: Dovecot, desk: Desk) -> None:
    """The poll fails, and the mail is there for the next one."""
    dovecot.put(post(1))
    await desk.poll_well(account(dovecot))
    dovecot.put(post(2))
    desk.spool.limit = 1
    report = await desk.poll(account(dovecot))
    assert report.failed
    assert "spool_limit" in report.troubles[0]
    assert dovecot.flags()[2] == set()
    desk.spool.limit = 100
    assert (await desk.poll_well(account(dovecot))).taken == 1


async def test_mail_that_may_not_be_marked_is_taken_once_all_the_same(
    dovecot: Dovecot, desk: Desk
) -> None:
    """A target that cannot be made is told; what came is safe, and is not taken again."""
    dovecot.put(post(1))
    mailbox = account(dovecot, after="move", move_to="../up")
    report = await desk.poll(mailbox)
    assert (report.taken, report.failed) == (1, False)
    assert "'../up'" in report.troubles[0]
    assert "safe here" in report.troubles[1]
    assert (await desk.poll(mailbox)).taken == 0
    assert desk.spool.waiting() == 1


async def test_copies_of_one_message_are_one_message(dovecot: Dovecot, desk: Desk) -> None:
    """A copy of a message, on the same page or days later, is known and not spooled again."""
    dovecot.put(post(1), post(1))
    report = await desk.poll_well(account(dovecot))
    assert (report.taken, report.known) == (1, 1)
    dovecot.put(post(1))
    assert (await desk.poll_well(account(dovecot))).known == 1
    found = await desk.rows("SELECT DISTINCT spool_id FROM mailbox_messages")
    assert [row["spool_id"] for row in found] == [
        entry.spool_id for entry in desk.spool.list_waiting(9)
    ]


async def test_a_server_that_forbids_login_is_asked_in_another_way(desk: Desk) -> None:
    """LOGINDISABLED (RFC 9051 section 6.2.3): the order LOGIN is never given."""
    with ScriptedServer("LOGINDISABLED AUTH=PLAIN", silent="SELECT") as server:
        polling = asyncio.create_task(desk.poll(at(server)))
        assert await asyncio.to_thread(server.fell_silent.wait, 60)
        desk.desk.closing.set()
        await polling
    assert "LOGIN" not in server.heard
    secret = server.heard[server.heard.index("AUTHENTICATE") + 1]
    assert secret == f"\0{USER}\0{PASSWORD}"


async def test_a_server_that_hangs_does_not_hold_up_the_end_of_the_engine(desk: Desk) -> None:
    """Some seconds after the engine is told to stop, the connection is cut; the poll fails."""
    with ScriptedServer(silent="SELECT") as server:
        polling = asyncio.create_task(desk.poll(at(server)))
        assert await asyncio.to_thread(server.fell_silent.wait, 60)
        began = time.monotonic()
        desk.desk.closing.set()
        report = await polling
        assert time.monotonic() - began < 45, "it waited for the server"
    assert report.failed
    assert "broke while" in report.troubles[0]


async def test_an_engine_that_stops_ends_between_pages(dovecot: Dovecot, desk: Desk) -> None:
    """What is under way is finished, the rest is left for the next start; nothing comes twice."""
    dovecot.put(*(post(n) for n in range(110)))
    polling = asyncio.create_task(desk.poll(account(dovecot)))
    while not desk.spool.waiting() and not polling.done():  # noqa: ASYNC110  # a spool tells nobody
        await asyncio.sleep(0.001)
    desk.desk.closing.set()
    first = await polling
    assert first.troubles == ()
    assert first.taken in (50, 100, 110)
    assert first.more is (first.taken < 110)
    desk.desk.closing.clear()
    assert first.taken + (await desk.poll_well(account(dovecot))).taken == 110
    assert desk.subjects() == [f"Number {n}" for n in range(110)]


def at(server: ScriptedServer) -> MailboxAccount:
    """Return a mailbox of that server."""
    given = {"host": "127.0.0.1", "port": server.port, "tls": "none", "user": USER}
    return MailboxAccount.model_validate({"name": "inbox", "password_env": VARIABLE, **given})
