"""The reading processes: whatever a message does to its reader, the parent and other mail go on."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import BaseModel

from connectors.parse_pool import ParsePool
from data.errors import (
    OutsideTemporaryError,
    PosternError,
    StillInWorkError,
    UnreadableMailError,
)
from tasks.mail.read import Reading, read_mail

MAIL = b"From: a@x.example\r\nSubject: Gears\r\n\r\nHello\r\n-- \r\nAda\r\n"


class Echo(BaseModel):
    """What the hostile target answers when it behaves."""

    said: str
    pid: int


def hostile_pool(**limits: float) -> ParsePool[Echo]:
    """Return a pool of one process whose messages misbehave on demand."""
    return ParsePool(
        "tests.core.reading.hostile_target:read",
        Echo.model_validate_json,
        processes=1,
        cpu_seconds=int(limits.get("cpu_seconds", 1)),
        memory_mb=200,
        wall_seconds=limits.get("wall_seconds", 120.0),
    )


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    ticks = Path(f"/proc/{pid}/stat").read_text().split()[13:15]
    return sum(int(one) for one in ticks) / os.sysconf("SC_CLK_TCK")


def is_running(pid: int) -> bool:
    """Whether a process of that id exists."""
    return Path(f"/proc/{pid}").exists()


def environment(pid: int) -> bytes:
    """Return the environment that a process was started with."""
    return Path(f"/proc/{pid}/environ").read_bytes()


@pytest_asyncio.fixture(name="pool")
async def running_hostile_pool() -> AsyncIterator[ParsePool[Echo]]:
    """Yield a running pool of one process."""
    async with hostile_pool() as pool:
        yield pool


async def test_reading_equals_that_of_the_function() -> None:
    """The way through a process and JSON changes nothing."""
    async with ParsePool("tasks.mail.read:read", Reading.model_validate_json, processes=2) as pool:
        assert await pool.parse(MAIL) == read_mail(MAIL)
        readings = await pool.parse_many([MAIL] * 100)
        assert readings == [read_mail(MAIL)] * 100
        with pytest.raises(UnreadableMailError, match="header_count"):
            await pool.parse(b"A: b\r\n" * 2_000 + b"\r\nx")


async def test_answers_come_in_the_order_of_the_messages(pool: ParsePool[Echo]) -> None:
    """Each message gets its own answer."""
    raws = [f"m{n}".encode() for n in range(100)]
    answers = await pool.parse_many(raws)
    assert [one.said for one in answers if isinstance(one, Echo)] == [f"m{n}" for n in range(100)]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        (b"spin", "too much processor time"),
        (b"hog", "needs more than 200 MiB"),
        (b"die", "SIGKILL"),
        (b"crash", "SIGSEGV"),
        (b"exit", "code 3"),
        (b"raise", "ValueError: a bug"),
        (b"garbage", "not valid"),
    ],
)
async def test_deadly_message_is_unreadable_and_its_neighbours_are_read(
    pool: ParsePool[Echo], word: bytes, says: str
) -> None:
    """Only the message that kills its reader is lost to reading, wherever it stands in a batch."""
    answers = await pool.parse_many([b"one", b"two", word, b"three", b"four"])
    assert [one.said for one in answers if isinstance(one, Echo)] == ["one", "two", "three", "four"]
    fatal = answers[2]
    assert isinstance(fatal, UnreadableMailError)
    assert says in str(fatal)
    assert (await pool.parse(b"next")).said == "next"


async def test_message_that_sleeps_meets_the_wall_clock() -> None:
    """A reader that waits for ever is ended by the clock on the wall."""
    async with hostile_pool(wall_seconds=3.0) as pool:
        before = time.monotonic()
        with pytest.raises(UnreadableMailError, match="no answer within 3 seconds"):
            await pool.parse(b"sleep")
        assert time.monotonic() - before < 50  # it would sleep for sixty
        assert (await pool.parse(b"next")).said == "next"


async def test_processor_time_is_counted_per_message() -> None:
    """Many short messages do not use up the time of one long one."""
    async with ParsePool(
        "tasks.mail.read:read",
        Reading.model_validate_json,
        processes=1,
        cpu_seconds=1,
        wall_seconds=120.0,
    ) as pool:
        page = b"Content-Type: text/html\r\n\r\n" + b"<p>gear <b>wheel</b>" * 20_000
        readings = await pool.parse_many([page] * 12)
        (pid,) = pool.pids()
        assert processor_seconds(pid) > 1.5
        assert all(isinstance(one, Reading) for one in readings)


async def test_process_killed_from_outside_costs_no_message(pool: ParsePool[Echo]) -> None:
    """A reader that somebody kills is replaced, and what it had is read by the next one."""
    (pid,) = pool.pids()
    os.kill(pid, signal.SIGKILL)
    assert (await pool.parse(b"still")).said == "still"
    assert pool.pids() != [pid]


async def test_printing_does_not_break_the_answers(pool: ParsePool[Echo]) -> None:
    """What a reader prints is no answer."""
    assert (await pool.parse(b"print me")).said == "print me"


async def test_cancelled_caller_leaves_a_pool_that_works(pool: ParsePool[Echo]) -> None:
    """Nobody gets the answer that a cancelled caller left behind."""
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pool.parse(b"sleep"), 0.2)
    assert (await pool.parse(b"mine")).said == "mine"


async def test_event_loop_goes_on_while_a_message_spins(pool: ParsePool[Echo]) -> None:
    """The parent is never blocked by its readers."""
    reading = asyncio.create_task(pool.parse_many([b"spin"]))
    turns = 0
    while not reading.done():
        await asyncio.sleep(0.02)
        turns += 1
    assert turns > 3
    assert isinstance((await reading)[0], PosternError)


async def test_stop_leaves_no_process() -> None:
    """After the pool is left no child runs, and it takes no more messages."""
    async with hostile_pool() as pool:
        pids = pool.pids()
        assert len(pids) == 1
    assert not any(is_running(pid) for pid in pids)
    with pytest.raises(OutsideTemporaryError, match="not running"):
        await pool.parse(b"late")


async def test_target_that_cannot_be_imported_is_told() -> None:
    """A wrong target fails at the start, with what to look at."""
    pool: ParsePool[Echo] = ParsePool("tests.nowhere:read", Echo.model_validate_json, processes=2)
    with pytest.raises(OutsideTemporaryError, match=r"tests\.nowhere:read"):
        async with pool:
            pass


async def test_an_opened_pool_starts_with_the_first_message() -> None:
    """No process runs that nobody needs; one that cannot be started is tried with each message."""
    pool = ParsePool("tasks.mail.read:read", Reading.model_validate_json, processes=2)
    pool.open()
    assert pool.pids() == []
    assert (await pool.parse(MAIL)).mail.subject == "Gears"
    assert len(pool.pids()) == 1
    await pool.warm()
    assert len(pool.pids()) == 2
    await pool.__aexit__(None, None, None)
    assert pool.pids() == []
    nowhere: ParsePool[Echo] = ParsePool("tests.nowhere:read", Echo.model_validate_json)
    nowhere.open()
    for _ in range(2):
        with pytest.raises(OutsideTemporaryError, match=r"tests\.nowhere:read"):
            await nowhere.warm()
        with pytest.raises(OutsideTemporaryError, match=r"tests\.nowhere:read"):
            await nowhere.parse(MAIL)
    await nowhere.__aexit__(None, None, None)


async def test_reader_has_no_environment_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets in the environment do not reach a process that reads hostile mail."""
    monkeypatch.setenv("LLM_API_KEY", "silly-secret-4711")
    async with hostile_pool() as pool:
        (pid,) = pool.pids()
        assert b"silly-secret-4711" not in environment(pid)


async def until_read(pool: ParsePool[Echo], raw: bytes) -> Echo | PosternError:
    """Hand a message in until it is read or given up."""
    while True:
        (answer,) = await pool.parse_many([raw], 0.3)
        if not isinstance(answer, StillInWorkError):
            return answer
        await asyncio.sleep(0.05)


async def test_message_that_takes_long_is_read_aside() -> None:
    """Its neighbours are read before it; itself it gets the time that it is allowed, or its end."""
    async with hostile_pool(cpu_seconds=4) as pool:
        read: set[str] = set()
        while len(read) < 2:  # on a busy machine the process for them takes its time to start
            spinning, *others = await pool.parse_many([b"spin", b"one", b"two"], 0.3)
            assert isinstance(spinning, StillInWorkError)
            read |= {one.said for one in others if isinstance(one, Echo)}
        assert read == {"one", "two"}
        assert isinstance(await pool.parse(b"three"), Echo)
        slow = await until_read(pool, b"slow")
        assert isinstance(slow, Echo)
        assert slow.said == "slow"
        spun = await until_read(pool, b"spin")
        assert isinstance(spun, UnreadableMailError)
        assert "too much processor time" in str(spun)


async def test_many_that_take_long_hold_up_nobody_for_long() -> None:
    """They come aside one by one; who was not reached comes again, and all are read in the end."""
    async with hostile_pool(cpu_seconds=5) as pool:
        raws = [b"slow %d" % n for n in range(6)] + [b"quick %d" % n for n in range(6)]
        left, read = set(raws), set()
        while left:
            asked = sorted(left)
            for raw, answer in zip(asked, await pool.parse_many(asked, 0.2), strict=True):
                if isinstance(answer, Echo):
                    read.add(answer.said.encode())
                    left.remove(raw)
                else:
                    assert isinstance(answer, StillInWorkError)
            await asyncio.sleep(0.05)
        assert read == set(raws)


async def test_message_whose_reader_is_killed_aside_is_tried_again() -> None:
    """Somebody else's kill is no fault of the message."""
    async with hostile_pool(cpu_seconds=20) as pool:
        await pool.parse_many([b"spin"], 0.2)
        (pid,) = pool.pids()
        os.kill(pid, signal.SIGKILL)
        ended = await until_read(pool, b"spin")
        assert isinstance(ended, OutsideTemporaryError)
        assert "SIGKILL" in str(ended)
    assert not is_running(pid)


async def test_message_that_never_had_its_turn_costs_no_process() -> None:
    """Whose patience ran out in the queue asked nothing of the process that came free."""
    async with hostile_pool(cpu_seconds=20) as pool:
        before = pool.pids()
        slow = asyncio.create_task(pool.parse_many([b"slow"]))
        await asyncio.sleep(0)
        (answer,) = await pool.parse_many([b"one"], 0.05)
        assert isinstance(answer, StillInWorkError)
        await slow
        assert isinstance(await pool.parse(b"two"), Echo)
        assert pool.pids() == before
