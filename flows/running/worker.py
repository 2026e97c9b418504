"""Prefect's worker inside the engine: scheduled runs, and clicks on "Run", execute here.

Only the engine's process holds the state, so a worker that starts another process could do
nothing. This one calls the flow that the deployment names, in this event loop.
"""

import asyncio
from collections import defaultdict
from datetime import datetime
from typing import Any, Literal

import anyio.abc
from prefect import Flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterExpectedStartTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.client.schemas.sorting import FlowRunSort
from prefect.flow_engine import run_flow_async
from prefect.states import Crashed
from prefect.utilities.importtools import import_object
from prefect.workers.base import (
    BaseJobConfiguration,
    BaseVariables,
    BaseWorker,
    BaseWorkerResult,
)

from flows.running.deployments import POOL, declared
from flows.running.prefect_client import patient_client

UNENDED = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
PAGE = 200


class EngineWorker(BaseWorker[BaseJobConfiguration, BaseVariables, BaseWorkerResult]):
    """Runs the flow of a deployment in the process that polls for it."""

    type: Literal["postern-engine"] = "postern-engine"
    _description = "Executes flows inside Postern's engine, which alone holds the state."

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401  # its parent's
        super().__init__(*given, **named)
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """One run of a flow at a time: an engine that was away has several to make up for."""

    async def run(
        self,
        flow_run: FlowRun,
        configuration: BaseJobConfiguration,
        task_status: anyio.abc.TaskStatus[Any] | None = None,
    ) -> BaseWorkerResult:
        """Execute one scheduled flow run; its parameters come from the run."""
        del configuration
        flow = await self._flow_of(flow_run)
        if task_status is not None:
            task_status.started(str(flow_run.id))
        async with self._turns[flow.name], patient_client():
            state = await run_flow_async(
                flow, flow_run=flow_run, parameters=flow_run.parameters, return_type="state"
            )
        failed = state is None or state.is_failed() or state.is_crashed()
        return BaseWorkerResult(identifier=str(flow_run.id), status_code=int(failed))

    async def _flow_of(self, flow_run: FlowRun) -> Flow[Any, Any]:
        flow_read = await self.client.read_flow(flow_run.flow_id)
        entrypoint = declared()[flow_read.name].entrypoint
        flow = await asyncio.to_thread(import_object, entrypoint)
        assert isinstance(flow, Flow)  # noqa: S101  # prefect.yaml names flows only
        return flow


def make_worker() -> EngineWorker:
    """Return the worker of this engine."""
    return EngineWorker(
        work_pool_name=POOL, name="engine", prefetch_seconds=2, create_pool_if_not_found=True
    )


async def end_abandoned_runs(before: datetime) -> int:
    """Say of runs that an engine left behind that they crashed; return how many there were.

    Only the engine runs flows, so what began before it started and has not ended never will. What
    they held is journalled and goes on in the next run.
    """
    left = FlowRunFilter(
        expected_start_time=FlowRunFilterExpectedStartTime(before_=before),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=UNENDED)),
    )
    count = 0
    async with get_client() as client:
        while runs := await client.read_flow_runs(
            flow_run_filter=left, limit=PAGE, sort=FlowRunSort.START_TIME_ASC
        ):
            for run in runs:
                why = "The engine ended while this ran; the next run goes on."
                ended: State[Any] = Crashed(message=why)
                await client.set_flow_run_state(run.id, ended, force=True)
            count += len(runs)
    return count
