"""What a poll takes, what it leaves, and what it does on the server."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from data.records.core.envelope import Channel
from flows.mail.polling.desk import MailboxDesk
from tests.core.small import ADDRESS, Line, letter
from tests.mail.mailboxes.conftest import Desk, account, post
from tests.mail.mailboxes.dovecot import Dovecot


async def test_new_mail_goes_through_the_spool_and_is_marked(dovecot: Dovecot, desk: Desk) -> None:
    """Each message is in the spool as it was, with its envelope, and is marked as read; once."""
    dovecot.put(post(1), b"Return-Path: <mara@heron.example>\r\n" + post(2))
    report = await desk.poll_well(account(dovecot))

    assert (report.taken, report.known, report.more) == (2, 0, False)
    (first, raw), (second, _) = desk.waiting()
    assert raw == post(1)
    assert first.channel is Channel.IMAP
    assert (first.peer, first.helo, first.tls) == ("127.0.0.1", "127.0.0.1", False)
    assert (first.mail_from, first.rcpt_to) == ("person1@heron.example", (ADDRESS,))
    assert (second.mail_from, second.bare_eol) == ("mara@heron.example", False)
    assert dovecot.flags() == {1: {"\\Seen"}, 2: {"\\Seen"}}
    assert (await desk.poll_well(account(dovecot))).taken == 0
    assert desk.subjects() == ["Number 1", "Number 2"]


async def test_what_was_taken_goes_through_the_line(dovecot: Dovecot, line: Line) -> None:
    """A message of a mailbox ends before a person like any other, and says that it came by IMAP."""
    dovecot.put(letter("When is the workshop open?"))
    desk = MailboxDesk.of(line.house, line.workspace)
    assert (await desk.poll(account(dovecot))).troubles == ()
    await line.run()
    (row,) = await line.rows("SELECT status, channel, mail_from FROM messages")
    assert row == {"status": "draft_ready", "channel": "imap", "mail_from": "mara@heron.example"}


async def test_fetching_marks_nothing_when_mail_is_to_be_left(dovecot: Dovecot, desk: Desk) -> None:
    """With `after: leave` the mailbox looks as if nobody had been there."""
    dovecot.put(post(1))
    assert (await desk.poll_well(account(dovecot, after="leave"))).taken == 1
    assert dovecot.flags() == {1: set()}
    assert (await desk.poll_well(account(dovecot, after="leave"))).taken == 0


async def test_a_keyword_marks_what_was_taken(dovecot: Dovecot, desk: Desk) -> None:
    """With `after: keyword` people's own marks stay as they were."""
    dovecot.put(post(1), flags=(b"\\Flagged",))
    await desk.poll_well(account(dovecot, after="keyword", keyword="Taken"))
    assert dovecot.flags() == {1: {"\\Flagged", "Taken"}}


@pytest.mark.parametrize(
    "capability", ["", "IMAP4rev1 UIDPLUS", "IMAP4rev1"], ids=["move", "uidplus", "neither"]
)
async def test_mail_is_moved_by_whatever_the_server_can(
    make_dovecot: Callable[..., Dovecot], desk: Desk, capability: str
) -> None:
    """MOVE, or COPY and UID EXPUNGE; without both the old copy stays, marked as deleted."""
    server = make_dovecot(f"imap_capability = {capability}" if capability else "")
    server.put(post(1), post(2))
    server.put(post(3), flags=(b"\\Deleted",))
    mailbox = account(server, after="move", move_to="Done/By Postern")
    report = await desk.poll_well(mailbox)

    assert (report.taken, report.left) == (2, 1)
    assert len(server.flags("Done/By Postern")) == 2
    kept = {3: {"\\Deleted"}}
    old = {1: {"\\Deleted"}, 2: {"\\Deleted"}} if capability == "IMAP4rev1" else {}
    assert server.flags() == old | kept
    assert (await desk.poll_well(mailbox)).taken == 0
    assert desk.spool.waiting() == 2


async def test_several_folders_and_gaps_are_read(dovecot: Dovecot, desk: Desk) -> None:
    """Each folder has its own cursor, and UIDs that are gone are no obstacle."""
    dovecot.put(*(post(n) for n in range(1, 8)))
    dovecot.put(post(8), folder="Büro/Fragen & mehr")
    client = dovecot.client()
    client.select_folder("INBOX")
    client.delete_messages([1, 3, 4, 7])
    client.expunge()
    mailbox = account(dovecot, folders=["INBOX", "Büro/Fragen & mehr"])
    assert (await desk.poll_well(mailbox)).taken == 4
    assert desk.subjects() == ["Number 2", "Number 5", "Number 6", "Number 8"]
    dovecot.put(post(9))
    dovecot.put(post(10), folder="Büro/Fragen & mehr")
    assert (await desk.poll_well(mailbox)).taken == 2


async def test_a_message_that_is_too_large_is_noted_and_left(dovecot: Dovecot, desk: Desk) -> None:
    """It is counted, not marked, does not stop its neighbours, and is not looked at again."""
    desk.desk.largest = 5000
    dovecot.put(post(1), post(2, "x " * 5000), post(3))
    report = await desk.poll_well(account(dovecot))
    assert (report.taken, report.too_large) == (2, 1)
    assert dovecot.flags() == {1: {"\\Seen"}, 2: set(), 3: {"\\Seen"}}
    again = await desk.poll_well(account(dovecot))
    assert (again.taken, again.too_large) == (0, 0)
    found = await desk.rows("SELECT uid, outcome FROM mailbox_messages WHERE uid = 2")
    assert found == [{"uid": 2, "outcome": "too_large"}]


async def test_the_first_poll_takes_what_is_recent(dovecot: Dovecot, desk: Desk) -> None:
    """Older mail stays where it is for good, but what comes later is taken however old it is."""
    long_ago = datetime.now(UTC) - timedelta(days=30)
    dovecot.put(post(1), at=long_ago)
    dovecot.put(post(2), at=datetime.now(UTC) - timedelta(days=2))
    assert (await desk.poll_well(account(dovecot))).taken == 1
    dovecot.put(post(3), at=long_ago)
    assert (await desk.poll_well(account(dovecot))).taken == 1
    assert desk.subjects() == ["Number 2", "Number 3"]


@pytest.mark.parametrize(("since", "taken"), [("all", 2), (0, 0), ("2020-01-01", 1)])
async def test_the_backlog_is_what_the_configuration_says(
    dovecot: Dovecot, desk: Desk, since: object, taken: int
) -> None:
    """`all` takes everything, 0 nothing of what is there, a day what came since; then all new."""
    dovecot.put(post(1), at=datetime(2019, 5, 1, tzinfo=UTC))
    dovecot.put(post(2), at=datetime(2020, 5, 1, tzinfo=UTC))
    mailbox = account(dovecot, since=since)
    sight = await desk.desk.check(mailbox)
    assert (sight.folders[0].messages, sight.folders[0].waiting) == (2, taken)
    assert (await desk.poll_well(mailbox)).taken == taken
    dovecot.put(post(3))
    assert (await desk.poll_well(mailbox)).taken == 1


async def test_who_it_is_for_is_configured_or_read(dovecot: Dovecot, desk: Desk) -> None:
    """Delivered-To of ours counts before To; a stranger's is none of ours; `to` wins over all."""
    tagged = f"hello+shop@{ADDRESS.partition('@')[2]}"
    dovecot.put(
        f"Delivered-To: {tagged}\r\n".encode() + post(1),
        b"Delivered-To: other@elsewhere.example\r\n" + post(2),
        post(3).replace(ADDRESS.encode(), b"list@elsewhere.example"),
    )
    await desk.poll_well(account(dovecot))
    assert [envelope.rcpt_to for envelope, _ in desk.waiting()] == [
        (tagged,),
        (ADDRESS,),
        (ADDRESS,),
    ]
    dovecot.put(f"Delivered-To: {tagged}\r\n".encode() + post(4))
    await desk.poll_well(account(dovecot, to=ADDRESS))
    assert desk.waiting()[-1][0].rcpt_to == (ADDRESS,)


async def test_a_long_backlog_is_taken_in_polls(dovecot: Dovecot, desk: Desk) -> None:
    """A poll ends after a page beyond its limit, and the next goes on where it stood."""
    dovecot.put(*(post(n) for n in range(120)))
    desk.desk.most = 60
    first = await desk.poll_well(account(dovecot))
    second = await desk.poll_well(account(dovecot))
    assert (first.taken, first.more, second.taken, second.more) == (100, True, 20, False)
    assert desk.subjects() == [f"Number {n}" for n in range(120)]
