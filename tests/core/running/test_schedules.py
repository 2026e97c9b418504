"""Prefect schedules sync and upkeep: upcoming and late runs are seen, and people change them."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterDeploymentId
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.client.schemas.responses import DeploymentResponse
from prefect.client.schemas.schedules import CronSchedule, IntervalSchedule
from prefect.client.schemas.sorting import FlowRunSort
from prefect.states import Running

from flows.core.current import set_house
from flows.running.deployments import apply_deployments
from flows.running.worker import end_abandoned_runs, make_worker
from flows.sync import sync
from tests.core.running.prefect_server import Server
from tests.core.small import Line

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("prefect"),
    pytest.mark.timeout(1200),
    # Prefect's client leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PATIENCE = 240.0
"""Seconds that a busy machine may take for what is due within a few."""


@pytest.fixture
def housed(line: Line, prefect_server: Server) -> Iterator[Line]:
    """The line as the one that flows of this process work in."""
    set_house(line.house)
    yield line
    set_house(None)


async def deployed(client: PrefectClient, name: str) -> DeploymentResponse:
    """Declare the deployments as an engine does when it starts; return the named one."""
    async with make_worker():
        await apply_deployments()
    return await client.read_deployment_by_name(f"{name}/{name}")


async def runs_of(client: PrefectClient, deployment: DeploymentResponse) -> list[FlowRun]:
    """Return the runs of a deployment, earliest first."""
    theirs = FlowRunFilter(deployment_id=FlowRunFilterDeploymentId(any_=[deployment.id]))
    by_time = FlowRunSort.EXPECTED_START_TIME_ASC
    return await client.read_flow_runs(flow_run_filter=theirs, sort=by_time, limit=100)


async def until(
    client: PrefectClient, deployment: DeploymentResponse, good: Callable[[list[FlowRun]], object]
) -> list[FlowRun]:
    """Wait until a deployment's runs are as `good` says; return them."""
    end = asyncio.get_running_loop().time() + PATIENCE
    while True:
        runs = await runs_of(client, deployment)
        if good(runs):
            return runs
        assert asyncio.get_running_loop().time() < end, [(run.name, run.state_name) for run in runs]
        await asyncio.sleep(0.5)


def upcoming(runs: list[FlowRun]) -> list[datetime]:
    """Return when the runs that have not begun are due."""
    return [
        run.expected_start_time
        for run in runs
        if run.state_name == "Scheduled" and run.expected_start_time
    ]


async def work_until(done: Awaitable[list[FlowRun]]) -> list[FlowRun]:
    """Let the engine's worker run what is due until then."""
    working = asyncio.create_task(make_worker().start(printer=lambda *_: None))
    try:
        return await done
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def test_upcoming_runs_are_there_to_be_seen(housed: Line) -> None:
    """The next hours of sync and the next nights of upkeep stand in Prefect after the start."""
    async with get_client() as client:
        for name in ("sync", "upkeep"):
            deployment = await deployed(client, name)
            runs = await until(client, deployment, lambda runs: len(upcoming(runs)) >= 3)
            times = upcoming(runs)
            apart = {(later - earlier).total_seconds() for earlier, later in pairwise(times)}
            assert apart == {3600.0 if name == "sync" else 86_400.0}
            # One that has just come due may be seen before it begins, or is told to be late.
            assert all(time > datetime.now(UTC) - timedelta(minutes=5) for time in times)
            if name == "upkeep":
                assert {(time.hour, time.minute) for time in times} == {(3, 20)}


async def test_what_a_person_changed_holds_when_postern_starts_again(housed: Line) -> None:
    """A changed time, a paused schedule, a deleted one and a paused deployment stay as they are."""
    nine = CronSchedule(cron="0 9 * * 1-5", timezone="Europe/Berlin")
    async with get_client() as client:
        for name, change in (("sync", {"schedule": nine}), ("upkeep", {"active": False})):
            deployment = await deployed(client, name)
            schedule = deployment.schedules[0].id
            await client.update_deployment_schedule(deployment.id, schedule, **change)
            before = (await deployed(client, name)).schedules
            assert [one.id for one in before] == [schedule]
            assert {"schedule": before[0].schedule, "active": before[0].active} == {
                "schedule": deployment.schedules[0].schedule, "active": True, **change,
            }  # fmt: skip
        upkeep = await deployed(client, "upkeep")
        while upcoming(await runs_of(client, upkeep)):  # planned while it was being paused
            upkeep = await deployed(client, "upkeep")

        sync_id = (await deployed(client, "sync")).id
        await client.pause_deployment(sync_id)
        assert (await deployed(client, "sync")).paused
        await client.resume_deployment(sync_id)
        await client.delete_deployment_schedule(
            sync_id, (await deployed(client, "sync")).schedules[0].id
        )
        assert (await deployed(client, "sync")).schedules == []
        await client.delete_deployment(sync_id)
        again = await deployed(client, "sync")
        assert [one.schedule.interval for one in again.schedules] == [timedelta(hours=1)]  # type: ignore[union-attr]


async def test_runs_are_late_while_the_engine_is_away_and_are_made_up_for(housed: Line) -> None:
    """What was due without an engine is marked late, and runs when one is there again."""
    async with get_client() as client:
        deployment = await deployed(client, "sync")
        often = IntervalSchedule(interval=timedelta(seconds=5))
        (schedule,) = deployment.schedules
        await client.update_deployment_schedule(deployment.id, schedule.id, schedule=often)
        runs = await until(
            client, deployment, lambda runs: sum(run.state_name == "Late" for run in runs) >= 2
        )
        late = {run.id for run in runs if run.state_name == "Late"}
        await client.update_deployment_schedule(deployment.id, schedule.id, active=False)
        runs = await work_until(
            until(
                client,
                deployment,
                lambda runs: (
                    late <= {run.id for run in runs if run.state_type is StateType.COMPLETED}
                ),
            )
        )
        spans = sorted((run.start_time, run.end_time) for run in runs if run.id in late)
        assert all(first[1] <= second[0] for first, second in pairwise(spans))


async def test_a_run_that_is_due_runs_by_itself(housed: Line) -> None:
    """With an engine there a scheduled run begins at its time, and is not late."""
    async with get_client() as client:
        deployment = await deployed(client, "upkeep")
        often = IntervalSchedule(interval=timedelta(seconds=10))
        (schedule,) = deployment.schedules
        await client.update_deployment_schedule(
            deployment.id, schedule.id, schedule=often, active=True
        )
        try:
            runs = await work_until(
                until(client, deployment, lambda runs: [run for run in runs if run.end_time])
            )
        finally:
            await client.update_deployment_schedule(deployment.id, schedule.id, active=False)
        done = next(run for run in runs if run.end_time)
        assert done.state_type is StateType.COMPLETED
        assert done.auto_scheduled
        assert done.start_time is not None
        assert done.expected_start_time is not None
        # Prefect's server holds a run back in whole seconds, rounded down.
        assert done.start_time > done.expected_start_time - timedelta(seconds=1)


async def test_what_an_engine_left_behind_is_ended(housed: Line) -> None:
    """A run that was going when its engine was killed is shown as crashed; a newer one goes on."""
    await end_abandoned_runs(datetime.now(UTC))  # a schedule may have planned runs before
    async with get_client() as client:
        left = await client.create_flow_run(sync, state=Running())
        await asyncio.sleep(0.1)
        began = datetime.now(UTC)
        going = await client.create_flow_run(sync, state=Running())
        assert await end_abandoned_runs(began) >= 1  # nor is it over with planning them
        assert await end_abandoned_runs(began) == 0
        states = [(await client.read_flow_run(run.id)).state_type for run in (left, going)]
    assert states == [StateType.CRASHED, StateType.RUNNING]


async def test_old_runs_go_with_their_tables(housed: Line, prefect_server: Server) -> None:
    """After `prefect_days` the server itself removes a run, its log and its tables; others stay."""
    old = (await sync(return_state=True)).state_details.flow_run_id
    await sync()
    aged = (datetime.now(UTC) - timedelta(days=8)).isoformat(" ").removesuffix("+00:00")

    def held() -> list[int]:
        counts = (
            "SELECT count(*) FROM flow_run WHERE id = ?1",
            "SELECT count(*) FROM artifact WHERE flow_run_id = ?1",
            "SELECT count(*) FROM flow_run WHERE id <> ?1 AND start_time IS NOT NULL",
        )
        with closing(sqlite3.connect(prefect_server.database, timeout=240)) as connection:
            return [connection.execute(one, [str(old)]).fetchone()[0] for one in counts]

    before = held()
    assert before[:2] == [1, 1]
    with closing(sqlite3.connect(prefect_server.database, timeout=240)) as connection:
        connection.execute("UPDATE flow_run SET end_time = ? WHERE id = ?", [aged, str(old)])
        connection.commit()
    end = asyncio.get_running_loop().time() + PATIENCE
    while held()[:2] != [0, 0]:
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.5)
    assert held()[2] == before[2]
