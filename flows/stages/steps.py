"""Stages as Prefect tasks: one task run per stage and batch, bound by the table of bindings."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from prefect import task
from prefect.artifacts import acreate_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.context import FlowRunContext

from flows.bindings import BINDINGS
from flows.line.conveyor import Ride
from flows.stages.run_stage import run_stage
from flows.stages.stage import Batch, Stage

Done = TypeVar("Done")
UNKEPT = Path("results")
"""Where results would be kept. None is; but whoever names no place has the server asked for one
with every flow run, twice."""


async def take_through(
    stages: Sequence[Stage[Any]], batch: Batch, ride: Ride | None = None
) -> None:
    """Take a batch through the stages, each as a task run; stop when nobody is left.

    With `ride` every stage is a station that batches enter one behind the other.
    """
    for stage in stages:
        if not batch.ids:
            return
        if ride is not None:
            await ride.enter(stage.name)
        binding = BINDINGS[stage.name]
        await as_task_run(
            stage.name,
            partial(run_stage, stage, batch),
            description=binding.sentence,
            run_name=f"{stage.name} × {len(batch.ids)}",
            # For the failure of a whole batch; what single items need is journalled and waits.
            retries=binding.retries,
            delays=binding.delays,
        )


async def as_task_run(
    name: str,
    act: Callable[[], Awaitable[Done]],
    *,
    description: str = "",
    run_name: str | None = None,
    retries: int = 0,
    delays: Sequence[float] = (),
) -> Done:
    """Await `act()` as a task run of the current flow run; outside of one, as it is.

    What it needs is bound by closure, because Prefect hashes the inputs of a task.
    """
    if FlowRunContext.get() is None:
        return await act()

    @task(
        name=name,
        description=description or None,
        task_run_name=run_name or name,
        retries=retries,
        retry_delay_seconds=list(delays[:retries]) or None,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    async def perform() -> Done:
        return await act()

    return await perform()


def told(outcomes: Mapping[str, str]) -> str:
    """Return how many items had which outcome, for the log: `3 threaded, 1 quarantined`."""
    counts = Counter(outcomes.values())
    return ", ".join(f"{count} {word}" for word, count in counts.most_common()) or "nothing"


async def publish_outcomes(
    kind: str, slug: str, rows: Sequence[dict[str, Any]], description: str
) -> None:
    """Attach the table of what became of the batch to the run's page."""
    if rows and FlowRunContext.get() is not None:
        await acreate_table_artifact(
            table=list(rows), key=f"{kind}-{slug}", description=description
        )
