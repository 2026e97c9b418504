"""Prefect's worker inside the engine: scheduled runs, and clicks on "Run", execute here.

Only the engine's process holds the state, so a worker that starts another process could do
nothing. This one calls the flow that the deployment names, in this event loop.
"""

import asyncio
import logging
from typing import Any, Literal

import anyio.abc
from prefect import Flow
from prefect.client.schemas.objects import FlowRun
from prefect.flow_engine import run_flow_async
from prefect.utilities.importtools import import_object
from prefect.workers.base import (
    BaseJobConfiguration,
    BaseVariables,
    BaseWorker,
    BaseWorkerResult,
)

from flows.running.deployments import POOL, declared

log = logging.getLogger("postern.worker")


class EngineWorker(BaseWorker[BaseJobConfiguration, BaseVariables, BaseWorkerResult]):
    """Runs the flow of a deployment in the process that polls for it."""

    type: Literal["postern-engine"] = "postern-engine"
    _description = "Executes flows inside Postern's engine, which alone holds the state."

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
        state = await run_flow_async(
            flow, flow_run=flow_run, parameters=flow_run.parameters, return_type="state"
        )
        failed = state is None or state.is_failed() or state.is_crashed()
        return BaseWorkerResult(identifier=str(flow_run.id), status_code=int(failed))

    async def _flow_of(self, flow_run: FlowRun) -> Flow[Any, Any]:
        named = await self.client.read_flow(flow_run.flow_id)
        entrypoint = declared()[named.name].entrypoint
        flow = await asyncio.to_thread(import_object, entrypoint)
        assert isinstance(flow, Flow)  # noqa: S101  # prefect.yaml names flows only
        return flow


def make_worker() -> EngineWorker:
    """Return the worker of this engine."""
    return EngineWorker(
        work_pool_name=POOL, name="engine", prefetch_seconds=2, create_pool_if_not_found=True
    )
