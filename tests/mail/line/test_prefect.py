"""The flows over a real Prefect server: names, task runs, artifacts, schedules."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterStartTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.client.schemas.sorting import ArtifactSort, DeploymentSort, FlowRunSort, TaskRunSort

from flows.core.bindings import CASE_STAGES, INTAKE_STAGES
from flows.core.current import set_house
from flows.delivery import delivery
from flows.inbound import inbound
from flows.intake import intake
from flows.running.deployments import apply_deployments, declared
from flows.running.inbound_round import inbound_round
from flows.running.loops import make_loops
from flows.running.worker import EngineWorker, make_worker
from flows.sync import sync
from flows.upkeep import upkeep
from tests.core.running.prefect_server import Server
from tests.core.small import SLUG, Line

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("prefect"),
    pytest.mark.timeout(1200),
    # Prefect's client leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


# The server refuses the client's own defaults for these.
FLOW_RUNS = {"limit": 100, "sort": FlowRunSort.START_TIME_DESC}
TASK_RUNS = {"limit": 200, "sort": TaskRunSort.END_TIME_DESC}
ARTIFACTS = {"limit": 100, "sort": ArtifactSort.CREATED_DESC}


async def count_begun(client: PrefectClient, since: datetime) -> int:
    """Return how many runs have begun since then; schedules plan others at any moment."""
    not_planned = FlowRunFilterStateType(not_any_=[StateType.SCHEDULED])
    begun = FlowRunFilter(
        start_time=FlowRunFilterStartTime(after_=since), state=FlowRunFilterState(type=not_planned)
    )
    return len(await client.read_flow_runs(flow_run_filter=begun, **FLOW_RUNS))


@pytest.fixture
def housed(line: Line, prefect_server: Server) -> Iterator[Line]:
    """The line as the one that flows of this process work in."""
    set_house(line.house)
    yield line
    set_house(None)


async def test_the_whole_line_runs_as_flows(housed: Line) -> None:
    """Each flow run is named after what it holds, has a task run per stage, and a table."""
    sent = housed.send("When is the workshop open?")
    await intake()
    await inbound(organization=SLUG, count=1)
    assert await housed.status(sent) == "draft_ready"

    async with get_client() as client:
        runs = {run.name for run in await client.read_flow_runs(**FLOW_RUNS)}
        wanted = {f"{stage} × 1" for stage in (*INTAKE_STAGES, *CASE_STAGES)}
        for _ in range(600):  # the server writes task runs down a little later
            tasks = {run.name for run in await client.read_task_runs(**TASK_RUNS)}
            if wanted <= tasks:
                break
            await asyncio.sleep(0.2)
        artifacts = {found.key: found for found in await client.read_artifacts(**ARTIFACTS)}
    assert f"inbound {SLUG} × 1" in runs
    assert wanted <= tasks
    assert sent in str(artifacts[f"intake-{SLUG}"].data)
    assert "mara@heron.example" in str(artifacts[f"inbound-{SLUG}"].data)


async def test_delivery_and_sync_run_with_nothing_to_do(housed: Line) -> None:
    """A click on Run when nothing is due does no harm."""
    assert await delivery() == {SLUG: 0}
    assert await sync() == {SLUG: False}


async def test_deployments_are_made_from_the_file(housed: Line) -> None:
    """Every deployment of prefect.yaml is known to the server, with its schedule."""
    async with make_worker():
        assert set(await apply_deployments()) == set(declared())
        await apply_deployments()
    async with get_client() as client:
        by_name = DeploymentSort.NAME_ASC
        found = {each.name: each for each in await client.read_deployments(limit=50, sort=by_name)}
    assert set(found) == {"intake", "inbound", "delivery", "mailboxes", "sync", "turns", "upkeep"}
    assert [len(found[name].schedules) for name in ("intake", "sync", "upkeep")] == [0, 1, 1]


async def test_a_click_on_run_executes_in_this_process(housed: Line) -> None:
    """The worker picks up a run that somebody made on Prefect's page, and the mail moves."""
    sent = housed.send("When is the workshop open?")
    async with make_worker():
        await apply_deployments()
    async with get_client() as client:
        deployment = await client.read_deployment_by_name("intake/intake")
        made = await client.create_flow_run_from_deployment(deployment.id)
    await make_worker().start(run_once=True, printer=lambda *_: None)

    assert await housed.status(sent) == "threaded"
    async with get_client() as client:
        run: FlowRun = await client.read_flow_run(made.id)
    assert run.state is not None
    assert run.state.is_completed()
    assert EngineWorker.type == "postern-engine"


async def test_with_nothing_to_do_no_flow_run_is_made(housed: Line) -> None:
    """A round of every loop over an empty line starts nothing."""
    began = datetime.now(UTC)
    async with get_client() as client:
        for loop in make_loops():
            assert not await loop.round(housed.house)
        assert await count_begun(client, began) == 0


async def test_the_loops_find_what_there_is_to_do(housed: Line) -> None:
    """Mail in the spool is taken in, worked on and indexed by the rounds of the loops alone."""
    sent = housed.send("When is the workshop open?")
    busy = ("intake", "inbound", "search")
    for loop in make_loops():
        assert await loop.round(housed.house) == (loop.name in busy), loop.name
    assert await housed.status(sent) == "draft_ready"


async def test_a_backlog_goes_in_runs_one_behind_the_other(housed: Line) -> None:
    """Each round makes a run of a batch until all is decided, and every case is decided once."""
    house = housed.house
    for number in range(12):
        housed.send(f"When is room {number} open?", sender=f"person{number}@heron.example")
    await housed.intake()
    house.settings = house.settings.model_copy(update={"batch_size": 4})
    async with get_client() as client:
        began = datetime.now(UTC)
        for run in (1, 2, 3):
            assert await inbound_round(house)
            assert await count_begun(client, began) == run
    assert not await inbound_round(house)
    decided = await housed.rows("SELECT state, outcome FROM cases")
    routed = await housed.rows("SELECT item_id FROM steps WHERE stage = 'route'")
    assert [row["state"] for row in decided] == ["in_review"] * 12
    assert len(routed) == len({row["item_id"] for row in routed}) == 12


async def test_upkeep_tells_what_it_tidied(housed: Line) -> None:
    """A nightly run returns what was removed, by what it was."""
    assert {"spool_leftovers", f"archive_{SLUG}"} <= set(await upkeep())
