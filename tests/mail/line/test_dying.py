"""A message over which the engine dies, again and again, ends aside; all others go on."""

import asyncio
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

import duckdb
import pytest

from connectors.parse_pool import ParsePool
from connectors.spool import Spool
from connectors.spool.folder import MAX_TRIES
from data.records.core.envelope import Channel
from data.store.core.archive import Archive
from flows.intake import intake_batch
from flows.mail.line.crash_retries import (
    LONGEST_WAIT,
    SUSPECTS_TOGETHER,
    choose_suspects,
    count_deaths,
)
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.take import take_in_waiting
from tasks.mail.read import Reading
from tests.core.small import ADDRESS, SLUG, Line, letter, open_line
from tests.mail.line import dying
from tests.processes import exit_status

MARK = "Deadly 0001"


def deaths(home: Path, where: str) -> int:
    """Start the process until it ends by itself; return how often it was killed before."""
    for killed in range(10):
        status = exit_status(dying.run, home, where, MARK)
        if status == 0:
            return killed
        assert status == -signal.SIGKILL
    raise AssertionError("it dies for ever")


async def fill(home: Path, count: int) -> str:
    """Put good messages and, among them, the deadly one into the spool; return its id."""
    async with open_line(home):
        spool, deadly = Spool(home / "spool"), ""
        for number in range(count):
            subject = MARK if number == count // 2 else f"Question {number}"
            raw = letter(f"When is the workshop open? {number}", subject=subject)
            put = spool.put(raw, channel=Channel.INGEST, mail_from="", rcpt_to=(ADDRESS,))
            deadly = put.spool_id if subject == MARK else deadly
        return deadly


def look(home: Path, deadly: str) -> tuple[dict[str, str], str, bytes]:
    """Return the status of every message, and the note and raw bytes of the deadly one."""
    folder = home / "organizations" / SLUG
    with duckdb.connect(str(folder / "state.duckdb"), read_only=True) as state:
        rows = state.execute("SELECT id, status, note, raw_sha256 FROM messages").fetchall()
    note, raw = "", b""
    for item, _, said, sha256 in rows:
        if item == deadly:
            note, raw = said, Archive(folder / "archive").read(sha256)
    return {item: status for item, status, _, _ in rows}, note, raw


@pytest.mark.slow
async def test_a_message_that_kills_the_engine_while_it_is_read_ends_failed(tmp_path: Path) -> None:
    """Each death costs one start; then it is failed with its raw bytes, the rest is threaded."""
    home, count = tmp_path / "var", 3
    deadly = await fill(home, count)
    assert await asyncio.to_thread(deaths, home, "screen") == MAX_TRIES
    found, note, raw = look(home, deadly)
    assert found.pop(deadly) == "failed"
    assert "unreadable" in note
    assert MARK.encode() in raw
    assert list(found.values()) == ["threaded"] * (count - 1)
    assert list(Spool(home / "spool").tries.iterdir()) == []
    print(
        f"\nkilled {MAX_TRIES} times while reading: 1 failed, {len(found)} others threaded, 0 lost"
    )


@pytest.mark.slow
async def test_a_message_that_kills_the_engine_while_it_is_taken_ends_set_aside(
    tmp_path: Path,
) -> None:
    """It stays in the spool's `bad` with the reason when it cannot even be kept as failed."""
    home, count = tmp_path / "var", 3
    deadly = await fill(home, count)
    assert await asyncio.to_thread(deaths, home, "take") == MAX_TRIES + 1
    found, _, _ = look(home, deadly)
    assert list(found.values()) == ["threaded"] * (count - 1)
    ((aside, reason),) = Spool(home / "spool").aside.list_reasons()
    assert aside == deadly
    assert "never ended" in reason
    deaths_there = MAX_TRIES + 1
    print(
        f"\nkilled {deaths_there} times while taking in: 1 set aside, {len(found)} others threaded"
    )


class Buggy(Archive):
    """Keeps raw mail, but falls over a certain message a few times."""

    falls = MAX_TRIES

    def keep(self, contents: Iterable[bytes]) -> list[str]:
        """Raise what nobody expects."""
        given = list(contents)
        if self.falls and any(MARK.encode() in raw for raw in given):
            self.falls -= 1
            raise ZeroDivisionError
        return super().keep(given)


async def test_a_message_that_intake_has_a_bug_for_ends_failed_with_its_raw_bytes(
    line: Line,
) -> None:
    """A bug that ends the batch counts like a death; the neighbours are taken in meanwhile."""
    good = [line.send("Hello", subject="Before")]
    deadly = line.send("Hello", subject=MARK)
    good.append(line.send("Hello", subject="After"))
    line.workspace.archive = Buggy(line.workspace.archive.folder)
    bugs = 0
    while line.house.spool.waiting():
        try:
            await take_in_waiting(line.house, 100)
        except ZeroDivisionError:
            bugs += 1
    assert bugs == MAX_TRIES
    assert [await line.status(item) for item in good] == ["received", "received"]
    assert await line.status(deadly) == "failed"
    (row,) = await line.rows("SELECT raw_sha256 FROM messages WHERE id = ?", deadly)
    assert MARK.encode() in line.workspace.archive.read(str(row["raw_sha256"]))


def test_suspects_are_tried_in_ever_smaller_company(tmp_path: Path) -> None:
    """All together, then sixteen at a time, then each alone; what ended well is forgotten."""
    spool = Spool.create(tmp_path / "spool")
    ids = [f"{number:026x}" for number in range(40)]
    die(spool, ids)
    die(spool, ids[:SUSPECTS_TOGETHER])
    for some in (ids[16:32], ids[32:], *([item] for item in ids[:16])):
        assert choose_suspects(spool, ids) == some
        with count_deaths(spool, some) as hopeless:
            assert hopeless == {}
        ids = [item for item in ids if item not in some]


def test_mail_that_is_not_suspected_waits_for_no_trial(tmp_path: Path) -> None:
    """It goes first; a suspect that has waited long has its turn all the same, the least first."""
    spool = Spool.create(tmp_path / "spool")
    ids = [f"{number:026x}" for number in range(20)]
    die(spool, ids[:2])
    die(spool, ids[:1])
    assert choose_suspects(spool, ids) == ids[2:]
    assert choose_suspects(spool, ids[:2]) == ids[1:2]
    for item, waited in ((ids[0], LONGEST_WAIT), (ids[1], LONGEST_WAIT + 1)):
        at = time.time() - waited
        age(spool, item, at)
    assert choose_suspects(spool, ids, since=time.time()) == ids[2:]
    assert choose_suspects(spool, ids, since=0) == ids[1:2]
    with count_deaths(spool, ids[1:2]):
        pass
    assert choose_suspects(spool, ids, since=0) == ids[1:]
    age(spool, ids[0], 0)
    assert choose_suspects(spool, ids, since=0) == ids[:1]


def age(spool: Spool, item: str, at: float) -> None:
    """Have every try of a message begun at that time, seconds since 1970."""
    for path in spool.tries.iterdir():
        if item in path.read_text().split():
            os.utime(path, (at, at))


def die(spool: Spool, ids: list[str]) -> None:
    """Work on these, who are chosen, and fall over a bug."""
    assert choose_suspects(spool, ids) == ids
    with pytest.raises(ZeroDivisionError), count_deaths(spool, ids):
        raise ZeroDivisionError


def test_a_full_disk_is_no_fault_of_the_message(tmp_path: Path) -> None:
    """What comes from outside is not counted, however often."""
    spool = Spool.create(tmp_path / "spool")
    ids = ["0" * 26]
    for _ in range(MAX_TRIES + 2):
        with pytest.raises(OSError, match="full"), count_deaths(spool, ids):
            raise OSError("full")
    with count_deaths(spool, ids) as hopeless:
        assert hopeless == {}


async def test_a_message_that_takes_long_to_read_holds_up_nobody(line: Line) -> None:
    """Mail in the same batch and mail that comes later is threaded before it; then it is failed."""
    await mailroom_of(line.house).parsers.__aexit__(None, None, None)
    mailroom_of(line.house).parsers = ParsePool(
        "tests.mail.line.spinning_target:read",
        Reading.model_validate_json,
        processes=1,
        cpu_seconds=6,
        wall_seconds=600,
    )
    await mailroom_of(line.house).parsers.__aenter__()
    deadly = line.send("Please spin for ever", subject=MARK)
    good = [line.send("When is the workshop open?", subject="First")]
    began = time.monotonic()
    waits: list[float] = []
    while await line.status(deadly) != "failed":
        await take_in_waiting(line.house, 100)
        await intake_batch(line.house, line.workspace)
        if len(waits) < len(good) and await line.status(good[-1]) == "threaded":
            waits.append(time.monotonic() - began)
            if len(good) < 3:
                began = time.monotonic()
                good.append(line.send("And now?", subject=f"Later {len(good)}"))
        line.clock.forward(1.0)
        await asyncio.sleep(0.1)
    assert len(waits) == 3
    (row,) = await line.rows("SELECT note FROM messages WHERE id = ?", deadly)
    assert "cannot be read" in str(row["note"])
    steps = await line.rows("SELECT * FROM steps WHERE item_id = ? AND status <> 'done'", deadly)
    assert len(steps) == 1
    print(f"\nbeside a message that is read for ever others wait {max(waits):.1f} s at most")
