"""Models are asked for the items of a stage side by side; a fault leaves the embedded answer.

Nobody waits beyond the stage's time limit: what is not answered by then counts as a timeout. What
a stage asks is in the module of its name, `..._by_model`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from data.records.core.asking import Fault, ModelFaultError
from flows.core.bindings import BINDINGS

ResultT = TypeVar("ResultT")
SHARE = 0.9
"""Share of a stage's time limit that models get."""


async def each(
    stage: str,
    ids: Sequence[str],
    ask: Callable[[str], Awaitable[ResultT]],
    failed: Callable[[str, ModelFaultError], ResultT],
) -> dict[str, ResultT]:
    """Ask for all ids side by side within the stage's time; a fault gives what `failed` returns."""
    deadline = asyncio.get_running_loop().time() + BINDINGS[stage].timeout * SHARE

    async def ask_within_time(item: str) -> ResultT:
        try:
            async with asyncio.timeout_at(deadline):
                return await ask(item)
        except TimeoutError:
            return failed(item, ModelFaultError(Fault.TIMEOUT))
        except ModelFaultError as error:
            return failed(item, error)

    answers = await asyncio.gather(*(ask_within_time(item) for item in ids))
    return dict(zip(ids, answers, strict=True))


def explain_fault(error: ModelFaultError) -> str:
    """Return a fault as a sentence for reviewers."""
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."
