"""Stages as Prefect tasks: one task run per stage and batch, bound by the table of bindings."""

from collections.abc import Sequence
from typing import Any

from prefect import task
from prefect.artifacts import acreate_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.context import FlowRunContext

from flows.bindings import BINDINGS
from flows.run_stage import run_stage
from flows.stage import Batch, Stage


async def take_through(stages: Sequence[Stage[Any]], batch: Batch) -> None:
    """Take a batch through the stages, each as a task run; stop when nobody is left.

    Outside a flow run (unit tests, benchmarks) the stages run as they are.
    """
    observed = FlowRunContext.get() is not None
    for stage in stages:
        if batch.ids:
            await (_as_task(stage, batch)() if observed else run_stage(stage, batch))


def _as_task(stage: Stage[Any], batch: Batch) -> Any:  # noqa: ANN401  # Prefect's own type
    """Bind a stage to its row of the table.

    Prefect's retries are for the failure of a whole batch: what single items need is journalled
    and waits in the state. The batch is bound by closure, because Prefect hashes task inputs.
    """
    binding = BINDINGS[stage.name]

    @task(
        name=stage.name,
        description=binding.sentence,
        task_run_name=f"{stage.name} × {len(batch.ids)}",
        retries=binding.retries,
        retry_delay_seconds=list(binding.delays[: binding.retries]),
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    async def perform() -> dict[str, int]:
        return await run_stage(stage, batch)

    return perform


async def publish_outcomes(
    kind: str, slug: str, rows: Sequence[dict[str, Any]], description: str
) -> None:
    """Attach the table of what became of the batch to the run's page."""
    if rows and FlowRunContext.get() is not None:
        await acreate_table_artifact(
            table=list(rows), key=f"{kind}-{slug}", description=description
        )
