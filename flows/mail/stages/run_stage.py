"""The step runner: performs a stage once for each item, journals it, and contains its failures.

This is the one place that catches everything. A stage's results and what follows from them are
committed in one transaction before the next stage starts; an item whose result is journalled is
never performed again. A failure stays with its item: if a whole batch fails, in its work or in that
transaction, its items are tried one by one, so that a poisoned one does not hold back its
neighbours.
"""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from data.errors import PosternError, StillInWorkError, StoreError
from data.records.core.record import Record
from data.states import StepStatus
from data.store.core import journal, usage
from data.store.core.database import Connection
from data.store.core.journal import Step
from flows.core.batch import Batch
from flows.core.bindings import BINDINGS, Binding
from flows.mail.stages.stage import Stage
from flows.mail.thinking.line_agents import agents_of

log = logging.getLogger("postern.stage")
LOOK_AGAIN = timedelta(seconds=1)
"""When an item comes again whose work has begun and is not done."""


class StageBug(PosternError):  # it is a bug of ours, not an error of the world
    """A stage raised what it should not; counts as retryable, so that a bug loses no mail."""

    retryable = True


StageOutcome = Record | PosternError


class Committed(NamedTuple):
    """What was committed of a stage's work on some items."""

    outcomes: Mapping[str, StageOutcome]
    later: list[str]
    """Items that come again."""
    failed: list[str]
    """Items that were given up."""


async def run_stage(stage: Stage[Any], batch: Batch) -> dict[str, int]:
    """Take the batch through one stage.

    Returns:
        How many items were done now, done before, put off, and given up.

    """
    binding = BINDINGS[stage.name]
    before = await batch.read_results(stage.name, stage.output)
    fresh = [item for item in batch.ids if item not in before]
    if not fresh:
        return {"done": 0, "before": len(before), "later": 0, "failed": 0}
    started_at, clock = batch.now(), time.perf_counter()
    outcomes = await _perform_stage(stage, batch, fresh, binding)
    milliseconds = (time.perf_counter() - clock) * 1000 / len(fresh)
    results = {item: out for item, out in outcomes.items() if isinstance(out, Record)}
    texts = {item: result.model_dump_json() for item, result in results.items()}
    hashes = {item: batch.hash_inputs(item) for item in fresh}
    batch.keep_results(stage.name, texts, results)
    kept = await _keep_outcomes(stage, batch, outcomes, texts, hashes, started_at, milliseconds)
    batch.take_off(kept.later, f"{stage.name}: tried again later")
    batch.take_off(kept.failed, f"{stage.name}: failed")
    _log_outcomes(stage, batch, kept.outcomes, milliseconds)
    return {
        "done": sum(isinstance(outcome, Record) for outcome in kept.outcomes.values()),
        "before": len(before),
        "later": len(kept.later),
        "failed": len(kept.failed),
    }


async def _keep_outcomes(
    stage: Stage[Any],
    batch: Batch,
    outcomes: Mapping[str, StageOutcome],
    texts: Mapping[str, str],
    hashes: Mapping[str, str],
    started_at: datetime,
    milliseconds: float,
) -> Committed:
    """Commit what became of items and what follows; where that breaks, each item by itself.

    What breaks for one item alone is a bug, and counts as a failure of the stage on it: else it
    would be met again at each attempt, and hold up all that comes with it.

    Raises:
        StoreError: nothing can be written, whatever item it is.

    """
    results = {item: out for item, out in outcomes.items() if isinstance(out, Record)}
    errors = {item: out for item, out in outcomes.items() if isinstance(out, PosternError)}
    try:
        later, failed = await batch.workspace.db.write(
            _commit_outcomes, stage, batch, results, texts, hashes, errors, started_at, milliseconds
        )
    except StoreError:
        raise
    except Exception as error:
        if len(outcomes) > 1:
            parts = [
                await _keep_outcomes(
                    stage, batch, {item: out}, texts, hashes, started_at, milliseconds
                )
                for item, out in outcomes.items()
            ]
            return Committed(
                {item: out for part in parts for item, out in part.outcomes.items()},
                [item for part in parts for item in part.later],
                [item for part in parts for item in part.failed],
            )
        if errors:  # not even that it failed can be written
            raise
        bug = {item: _log_bug(stage, error) for item in outcomes}
        return await _keep_outcomes(stage, batch, bug, texts, hashes, started_at, milliseconds)
    return Committed(outcomes, later, failed)


async def _perform_stage(
    stage: Stage[Any], batch: Batch, ids: Sequence[str], binding: Binding
) -> dict[str, StageOutcome]:
    limit = binding.timeout + len(ids)
    try:
        async with asyncio.timeout(limit):
            return dict(await stage.perform(batch, ids))
    except Exception as error:  # noqa: BLE001  # the step runner contains everything
        if len(ids) == 1:
            return {ids[0]: _contain_error(stage, error, limit)}
    outcomes: dict[str, StageOutcome] = {}
    for item in ids:
        outcomes |= await _perform_stage(stage, batch, [item], binding)
    return outcomes


def _contain_error(stage: Stage[Any], error: Exception, limit: float) -> PosternError:
    if isinstance(error, PosternError):
        return error
    if isinstance(error, TimeoutError):
        return StageBug(f"stage {stage.name!r} took longer than {limit:.0f} s")
    return _log_bug(stage, error)


def _log_bug(stage: Stage[Any], error: Exception) -> StageBug:
    log.error("stage %s raised", stage.name, exc_info=error)
    return StageBug(f"stage {stage.name!r} raised {type(error).__name__}: {error}")


def _commit_outcomes(
    cursor: Connection,
    stage: Stage[Any],
    batch: Batch,
    results: Mapping[str, Record],
    texts: Mapping[str, str],
    hashes: Mapping[str, str],
    errors: Mapping[str, PosternError],
    started_at: datetime,
    milliseconds: float,
) -> tuple[list[str], list[str]]:
    """Journal the outcomes and what follows; return who comes again, and who was given up."""
    now, binding = batch.now(), BINDINGS[stage.name]
    earlier = journal.read_failures(cursor, stage.name, list(errors)) if errors else {}
    later: list[str] = []
    failed: list[str] = []
    steps: list[Step] = []
    usage_by_item = _sum_usage(cursor, stage, batch, list(results), started_at)
    names_provider = "provider" in stage.output.model_fields
    for item, output in results.items():
        tokens_in, tokens_out, cost = usage_by_item.get(item, (0, 0, 0.0))
        steps.append(
            Step(
                item_id=item,
                stage=stage.name,
                attempt=1,
                status=StepStatus.DONE,
                started_at=started_at,
                milliseconds=milliseconds,
                output=texts[item],
                input_hash=hashes[item],
                config_version=batch.workspace.config_version,
                run_id=batch.run,
                provider=str(getattr(output, "provider", "local")) if names_provider else "local",
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                cost=cost,
            )
        )
    for item, error in errors.items():
        if isinstance(error, StillInWorkError):
            later.append(item)
            stage.delay(cursor, [item], now + LOOK_AGAIN)
            continue
        count = earlier.get(item, 0) + 1
        again = error.retryable and count <= binding.retries
        (later if again else failed).append(item)
        status = StepStatus.RETRY if again else StepStatus.FAILED
        steps.append(
            Step(
                item_id=item,
                stage=stage.name,
                attempt=count,
                status=status,
                started_at=started_at,
                milliseconds=milliseconds,
                error=str(error)[:2000],
                config_version=batch.workspace.config_version,
                run_id=batch.run,
            )
        )
        if again:
            stage.delay(cursor, [item], now + timedelta(seconds=binding.delay_after(count)))
    journal.record_steps(cursor, steps)
    if results:
        stage.settle(cursor, batch, results, now)
    if failed:
        stage.give_up(cursor, batch, {item: str(errors[item]) for item in failed}, now)
    return later, failed


def _sum_usage(
    cursor: Connection, stage: Stage[Any], batch: Batch, ids: list[str], since: datetime
) -> dict[str, usage.Sums]:
    """Return what models have used and cost for each item of this step; nothing without them."""
    if batch.house.thinker is None:
        return {}
    return usage.list_of_agents(cursor, agents_of(stage.name), ids, since)


def _log_outcomes(
    stage: Stage[Any],
    batch: Batch,
    outcomes: Mapping[str, StageOutcome],
    milliseconds: float,
) -> None:
    """Write one line per stage and item to the log."""
    slug = batch.workspace.slug
    for item, outcome in outcomes.items():
        fields = {"organization": slug, "item": item, "ms": round(milliseconds, 2)}
        if isinstance(outcome, Record):
            log.info("%s done", stage.name, extra={"fields": fields})
            continue
        working = isinstance(outcome, StillInWorkError)
        log.log(
            logging.INFO if working else logging.WARNING,
            "%s goes on: %s" if working else "%s failed: %s",
            stage.name,
            outcome,
            extra={"fields": fields},
        )
