"""Work processes: the same results as in the engine, whatever happens to them."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from data.records.core.briefing import Briefing, Snippet, SourceKind
from flows.core.work_pool import FEW, LEAST, WorkPool
from tests.core.running import worked
from tests.core.small import open_line

MANY = list(range(3 * LEAST))
HERE = os.getpid()


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def processes() -> AsyncIterator[WorkPool]:
    """Two processes for all tests: each loads every model, which takes longer than any test."""
    made = WorkPool(2)
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="module")
async def pool(processes: WorkPool) -> WorkPool:
    """Two processes, ready; new ones where a test before has ended some."""
    await processes.start_all()
    assert len(processes.list_pids()) == 2
    return processes


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for yet does not."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


async def gone(pid: int) -> bool:
    """Whether a process ends within a generous time."""
    for _ in range(300):
        if not alive(pid):
            return True
        await asyncio.sleep(0.1)
    return False


def count_files(folder: Path) -> int:
    """Return how many files a folder has."""
    return len(list(folder.iterdir()))


async def test_a_record_comes_back_as_it_was() -> None:
    """With its values, its kind, and which of them were given; and as frozen as before."""
    snippet = Snippet(source=SourceKind.KNOWLEDGE, ref="knowledge:otter", text="Otters eat fish.")
    briefing = Briefing(snippets=(snippet,), budget=77, version=4)
    packed = pickle.dumps(briefing, pickle.HIGHEST_PROTOCOL)
    there = pickle.loads(packed)  # noqa: S301  # packed here
    assert there == briefing
    assert type(there.snippets[0]) is Snippet
    assert there.model_fields_set == briefing.model_fields_set == {"snippets", "budget", "version"}
    assert there.model_copy(update={"version": 5, "tokens": 3}).version == 5
    assert there.model_fields_set == {"snippets", "budget", "version"}
    with pytest.raises(ValueError, match="frozen"):
        there.version = 5


async def test_large_batches_are_computed_elsewhere_in_order(pool: WorkPool) -> None:
    """Every item comes back in its place, computed by the processes and not by the engine."""
    made = await pool.compute_each(worked.doubled, 1, MANY)
    assert [number for number, _ in made] == [2 * item + 1 for item in MANY]
    assert {pid for _, pid in made} <= set(pool.list_pids())


async def test_briefings_are_handed_over_whole(pool: WorkPool) -> None:
    """What a process gets is equal to what the engine has."""
    snippet = Snippet(source=SourceKind.KNOWLEDGE, ref="hours", text="Open from nine.", score=0.5)
    sent = [Briefing(tokens=n, snippets=(snippet,)) for n in range(LEAST)]
    assert await pool.compute_each(worked.returned, None, sent) == sent


async def test_small_batches_and_a_pool_of_none_stay_in_the_engine(pool: WorkPool) -> None:
    """A few items are not handed over, and with no processes nothing is."""
    few = await pool.compute_each(worked.doubled, 1, MANY[: FEW - 1])
    none = WorkPool(0)
    all_here = await none.compute_each(worked.doubled, 1, MANY)
    assert {pid for _, pid in [*few, *all_here]} == {HERE}
    assert await pool.compute_each(worked.doubled, 1, []) == [] == none.list_pids()
    await none.close()


async def test_work_does_not_wait_for_processes_that_start() -> None:
    """The first large batch starts them and is computed in the engine meanwhile."""
    pool = WorkPool(1)
    made = await pool.compute_each(worked.doubled, 0, MANY)
    assert {pid for _, pid in made} == {HERE}
    await pool.start_all()
    later = await pool.compute_each(worked.doubled, 0, MANY)
    assert {pid for _, pid in later} == set(pool.list_pids())
    await pool.close()


async def test_a_process_that_dies_is_replaced_and_its_piece_done_here(pool: WorkPool) -> None:
    """Nothing of a batch is lost over which processes die, and the next has new ones."""
    before = pool.list_pids()
    assert await pool.compute_each(worked.dying, HERE, MANY) == MANY
    assert pool.list_pids() == []
    await pool.start_all()
    assert len(pool.list_pids()) == 2
    assert set(pool.list_pids()).isdisjoint(before)
    assert [n for n, _ in await pool.compute_each(worked.doubled, 0, MANY)] == [2 * n for n in MANY]


async def test_a_process_that_was_killed_between_batches_is_noticed(pool: WorkPool) -> None:
    """One that is gone before it is asked costs nobody anything either."""
    os.kill(pool.list_pids()[0], signal.SIGKILL)
    assert [n for n, _ in await pool.compute_each(worked.doubled, 0, MANY)] == [2 * n for n in MANY]


async def test_what_fails_elsewhere_is_tried_here(pool: WorkPool) -> None:
    """An error of a process means its piece is computed in the engine, and the process lives."""
    assert await pool.compute_each(worked.failing_outside, HERE, MANY) == MANY
    assert len(pool.list_pids()) == 2


async def test_what_fails_here_too_is_raised_as_it_is(pool: WorkPool) -> None:
    """The caller meets the very error that it would without processes."""
    with pytest.raises(KeyError):
        await pool.compute_each(worked.failing, HERE, MANY)


async def test_what_is_cancelled_ends_with_its_processes(pool: WorkPool, tmp_path: Path) -> None:
    """A stage that ran out of time leaves no process at work."""
    before = pool.list_pids()
    working = asyncio.create_task(pool.compute_each(worked.slow, str(tmp_path), MANY))
    while count_files(tmp_path) < len(before):  # noqa: ASYNC110  # a folder tells nobody
        await asyncio.sleep(0.01)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert pool.list_pids() == []
    assert all([await gone(pid) for pid in before])


async def test_two_batches_share_the_processes(pool: WorkPool) -> None:
    """What intake and the work on cases ask at the same time is not mixed up."""
    one, two = await asyncio.gather(
        pool.compute_each(worked.doubled, 0, MANY), pool.compute_each(worked.doubled, 1, MANY)
    )
    assert [n for n, _ in one] == [2 * n for n in MANY]
    assert [n for n, _ in two] == [2 * n + 1 for n in MANY]


ENGINE = """
import asyncio, time
from flows.core.work_pool import WorkPool
async def main():
    pool = WorkPool(1)
    await pool.start_all()
    print(pool.list_pids()[0], flush=True)
    time.sleep(600)
asyncio.run(main())
"""


def kill_an_engine() -> int:
    """Kill an engine once it has a work process; return whose id that was."""
    with subprocess.Popen([sys.executable, "-c", ENGINE], stdout=subprocess.PIPE) as engine:
        assert engine.stdout is not None
        pid = int(engine.stdout.readline())
        assert alive(pid)
        engine.kill()
    return pid


async def test_a_killed_engine_leaves_no_process_behind() -> None:
    """Processes end when their engine is gone, however it went."""
    assert await gone(await asyncio.to_thread(kill_an_engine))


async def journalled(home: Path, work_processes: int) -> dict[tuple[str, str], str]:
    """Take a large batch through the line; return what was found out, by stage and subject."""
    async with open_line(home, work_processes=work_processes) as line:
        for number in range(LEAST + 6):
            line.send(
                f"When is the workshop open on day {number}? And what does a repair cost?",
                subject=f"Hours {number}",
                sender=f"person{number}@heron.example",
                message_id=f"<{number}@heron.example>",
            )
        await line.house.work.start_all()
        await line.run()
        rows = await line.rows(
            "SELECT s.stage, m.subject, s.output FROM steps s JOIN messages m "
            "ON m.id = s.item_id OR m.case_id = s.item_id "
            "WHERE s.stage IN ('screen', 'classify', 'draft', 'check')"
        )
        assert bool(line.house.work.list_pids()) == (work_processes > 0)
        return {(str(r["stage"]), str(r["subject"])): str(r["output"]) for r in rows}


async def test_the_line_finds_out_the_same_with_processes_and_without(tmp_path: Path) -> None:
    """Screen, classifier, draft and check say word for word the same of every message."""
    without = await journalled(tmp_path / "without", 0)
    assert len(without) == 4 * (LEAST + 6)
    assert await journalled(tmp_path / "with", 1) == without
