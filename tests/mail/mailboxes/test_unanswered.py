"""A server that gives no answer for a message: the others come, it is told, and asked for again."""

import pytest

from tests.mail.mailboxes.conftest import Desk, account, post
from tests.mail.mailboxes.dovecot import Dovecot
from tests.mail.mailboxes.faulty import FaultyServer, at

CURSOR = "SELECT last_uid, read_to, owed FROM mailbox_folders"


@pytest.mark.parametrize("fault", ["nil", "absent", "no", "garbled", "empty"])
async def test_one_message_without_an_answer_holds_up_itself_alone(desk: Desk, fault: str) -> None:
    """The page is taken, the cursor stays before it, and a person is told; later it comes too."""
    with FaultyServer(*(post(n) for n in range(1, 6))) as server:
        server.faults[2] = fault
        report = await desk.poll(at(server))
        assert (report.taken, report.unanswered, report.failed) == (4, 1, False)
        (trouble,) = report.troubles
        assert "message 2 of folder 'INBOX'" in trouble
        assert "asked for again" in trouble
        assert await desk.rows(CURSOR) == [{"last_uid": 1, "read_to": 5, "owed": [2]}]
        assert server.seen == {1, 3, 4, 5}

        server.add(post(6))
        server.fetched.clear()
        again = await desk.poll(at(server))
        assert (again.taken, again.known, again.unanswered) == (1, 0, 1)
        assert set(server.fetched) <= {2, 6}, "what is safe is not fetched again"

        del server.faults[2]
        late = await desk.poll_well(at(server))
        assert (late.taken, late.unanswered) == (1, 0)
        assert await desk.rows(CURSOR) == [{"last_uid": 6, "read_to": 6, "owed": []}]
    subjects = ["Number 1", "Number 3", "Number 4", "Number 5", "Number 6", "Number 2"]
    assert desk.subjects() == subjects


@pytest.mark.parametrize("fault", ["sizeless", "unlisted"])
async def test_a_message_without_a_size_is_fetched_all_the_same(desk: Desk, fault: str) -> None:
    """Up to the limit: its size is counted as it comes."""
    with FaultyServer(*(post(n) for n in range(1, 4))) as server:
        server.faults[3] = fault
        report = await desk.poll_well(at(server))
        assert (report.taken, report.unanswered) == (3, 0)
        desk.desk.largest = 400
        server.add(post(4, "word " * 400))
        server.faults[4] = fault
        report = await desk.poll_well(at(server))
        assert (report.taken, report.too_large) == (0, 1)
    assert desk.subjects() == ["Number 1", "Number 2", "Number 3"]


async def test_a_message_that_is_gone_is_no_longer_asked_for(desk: Desk) -> None:
    """Moved or deleted on the server by a person, it leaves nothing owed."""
    with FaultyServer(*(post(n) for n in range(1, 4))) as server:
        server.faults[1] = "nil"
        assert (await desk.poll(at(server))).unanswered == 1
        del server.raws[1]
        assert (await desk.poll_well(at(server))).unanswered == 0
        assert await desk.rows(CURSOR) == [{"last_uid": 3, "read_to": 3, "owed": []}]


async def test_a_search_without_an_answer_passes_nothing(desk: Desk) -> None:
    """A folder that has messages and names none is asked again; its cursor stays."""
    with FaultyServer(post(1), post(2)) as server:
        server.silent_search = True
        report = await desk.poll(at(server))
        assert report.failed
        assert "names none" in report.troubles[-1]
        server.silent_search = False
        assert (await desk.poll_well(at(server))).taken == 2


async def test_a_server_that_refuses_everything_is_no_trouble_of_messages(desk: Desk) -> None:
    """Nothing is taken, and nothing is told message by message."""
    with FaultyServer(*(post(n) for n in range(1, 41))) as server:
        server.faults = dict.fromkeys(range(1, 41), "no")
        report = await desk.poll(at(server))
        assert (report.taken, report.unanswered) == (0, 0)
        assert len(report.troubles) == 1
        assert "refused while" in report.troubles[0]
        server.faults.clear()
        assert (await desk.poll_well(at(server))).taken == 40


async def test_a_message_that_breaks_the_line_holds_up_itself_alone(desk: Desk) -> None:
    """Some servers hang up over one that they cannot read: it is left for a while, and told."""
    with FaultyServer(*(post(n) for n in range(1, 31))) as server:
        server.faults[20] = "hangup"
        failed, report = 0, await desk.poll(at(server))
        while report.failed and failed < 10:
            failed += 1
            report = await desk.poll(at(server))
        assert failed <= 4
        assert (report.failed, report.unanswered) == (False, 1)
        assert "it hung up over it 2 times" in report.troubles[0]
        assert len(desk.subjects()) == 29
        server.add(post(31))
        assert (await desk.poll(at(server))).taken == 1
        del server.faults[20]
        for suspect in desk.desk.caution["inbox"].suspects.values():
            suspect.rest_until = 0.0
        assert (await desk.poll_well(at(server))).taken == 1
    assert len(set(desk.subjects())) == 31


async def test_a_file_that_dovecot_cannot_read_is_told(dovecot: Dovecot, desk: Desk) -> None:
    """Dovecot hangs up over it; the others are taken, and once it can be read, it is too."""
    dovecot.put(*(post(n) for n in range(1, 5)))
    (file,) = (
        path
        for path in (dovecot.root / "mail").rglob("*")
        if path.is_file() and b"Subject: Number 2" in path.read_bytes()
    )
    file.chmod(0)
    report = await desk.poll(account(dovecot))
    for _ in range(5):
        if not report.failed:
            break
        report = await desk.poll(account(dovecot))
    assert (report.unanswered, report.failed) == (1, False), report.troubles
    assert sorted(desk.subjects()) == ["Number 1", "Number 3", "Number 4"]
    unique = file.name.partition(",")[0]  # Dovecot may have moved it from new to cur
    (file,) = (dovecot.root / "mail").rglob(f"{unique}*")
    file.chmod(0o600)
    desk.desk.caution.clear()
    assert (await desk.poll_well(account(dovecot))).taken == 1
    assert sorted(desk.subjects()) == [f"Number {n}" for n in range(1, 5)]
