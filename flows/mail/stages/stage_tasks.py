"""Stages as Prefect tasks: one task run per stage and batch, bound by the table of bindings.

What a run did is told on its page: a line in its log for each stage, and a table of its items.
Neither holds text of mail.
"""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from prefect import task
from prefect.artifacts import acreate_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.context import FlowRunContext
from prefect.logging import get_run_logger

from flows.core.batch import Batch
from flows.core.bindings import BINDINGS
from flows.mail.stages.run_stage import run_stage
from flows.mail.stages.stage import Stage

ResultT = TypeVar("ResultT")
UNKEPT = Path("results")
"""Where results would be kept. None is; but whoever names no place has the server asked for one
with every flow run, twice."""
LINKS = 20
"""Links below the description of a table; each row has its own in a cell besides."""


async def take_through_stages(stages: Sequence[Stage[Any]], batch: Batch) -> None:
    """Take a batch through the stages, each as a task run; stop when nobody is left."""
    batch.run = get_run_id()
    for stage in stages:
        if not batch.ids:
            return
        binding, count, clock = BINDINGS[stage.name], len(batch.ids), time.perf_counter()
        before = Counter(batch.outcomes.values())
        done = await run_as_task(
            stage.name,
            partial(run_stage, stage, batch),
            description=binding.sentence,
            run_name=f"{stage.name} × {len(batch.ids)}",
            # For the failure of a whole batch; what single items need is journalled and waits.
            retries=binding.retries,
            delays=binding.delays,
        )
        ended = Counter(batch.outcomes.values()) - before
        log_line(describe_stage(stage.name, count, time.perf_counter() - clock, done, ended))


def describe_stage(
    stage: str, count: int, seconds: float, done: Mapping[str, int], ended: Mapping[str, int]
) -> str:
    """Return what a stage did: `screen: 12 of 12 done in 0.41 s; 2 quarantined`.

    `done` is what `run_stage` returns; `ended` is the last word on items that went no further, and
    on how many.
    """
    parts = [f"{done['done']} of {count} done in {seconds:.2f} s"]
    if done["before"]:
        parts.append(f"{done['before']} were done before")
    parts += [f"{number} {word.removeprefix(f'{stage}: ')}" for word, number in ended.items()]
    return f"{stage}: {'; '.join(parts)}"


def log_line(line: str) -> None:
    """Write a line to the log on the page of the current flow run; outside of one, nowhere."""
    context = FlowRunContext.get()
    if context is not None and context.flow_run is not None:
        get_run_logger(context).info(line)


def get_run_id() -> str:
    """Return the id of the current flow run; empty outside of one."""
    context = FlowRunContext.get()
    return str(context.flow_run.id) if context is not None and context.flow_run else ""


async def run_as_task(
    name: str,
    act: Callable[[], Awaitable[ResultT]],
    *,
    description: str = "",
    run_name: str | None = None,
    retries: int = 0,
    delays: Sequence[float] = (),
) -> ResultT:
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
    async def perform() -> ResultT:
        return await act()

    return await perform()


def count_outcomes(outcomes: Mapping[str, str]) -> str:
    """Return how many items had which outcome, for the log: `3 threaded, 1 quarantined`."""
    counts = Counter(outcomes.values())
    return ", ".join(f"{count} {word}" for word, count in counts.most_common()) or "nothing"


async def publish_outcomes(
    kind: str,
    slug: str,
    rows: Sequence[Mapping[str, object]],
    description: str,
    links: Mapping[str, str] | None = None,
) -> None:
    """Attach the table of what became of the batch to the run's page.

    The page draws cells as they are, and the description as Markdown: so what strangers wrote
    stands in cells alone, and `links` (address by name) below the description, the first 20.
    """
    if rows and FlowRunContext.get() is not None:
        links_named = [
            f"[{name}]({address})" for name, address in list((links or {}).items())[:LINKS]
        ]
        await acreate_table_artifact(
            table=[dict(row) for row in rows],
            key=f"{kind}-{slug}",
            description="\n\n".join(
                [description, *([", ".join(links_named)] if links_named else [])]
            ),
        )
