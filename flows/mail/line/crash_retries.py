"""Messages over which the engine has died: tried again in ever smaller company, then given up.

Before work on messages begins it is counted, in a file that outlives this process; when it ends the
count is forgotten. So a count that is found was left by a death, or by a bug that stopped the
batch. Who was there is tried again sixteen at a time, then alone, and so the culprit is found. Who
is least suspect goes first: mail that was never in such a batch waits for nobody's trial, only
for the engine to be back.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from duckdb import OperationalError

from connectors.spool import Spool
from connectors.spool.folder import MAX_TRIES
from data.errors import PosternError

SUSPECTS_TOGETHER = 16
LONGEST_WAIT = 15.0
"""Seconds after which a suspect gets its trial though others keep coming, times its tries."""

#: Not the message's fault: a full disk, a state that is held by another, a stop.
_FROM_OUTSIDE = (PosternError, OSError, OperationalError, asyncio.CancelledError)


STARTED = time.time()
"""When this process began: what waited for it to be back has not been passed over by anybody."""


def choose_suspects(spool: Spool, ids: Sequence[str], since: float = STARTED) -> list[str]:
    """Return those of the messages that are to be worked on now, the least suspect first.

    A suspect that has waited long enough after `since` goes before those that are none, or it
    might never be tried while mail keeps coming.
    """
    counts = spool.aside.read_tries(ids)
    if not counts:
        return list(ids)
    unsuspected = [item for item in ids if item not in counts]
    if unsuspected:
        now, begun = time.time(), spool.aside.read_try_times(counts)
        counts = {
            item: count
            for item, count in counts.items()
            if abs(now - max(begun.get(item, now), since)) > LONGEST_WAIT * count
        }
        if not counts:
            return unsuspected
    least = min(counts.values())
    together = [item for item in ids if counts.get(item) == least]
    return together[: SUSPECTS_TOGETHER if least == 1 else 1]


@contextmanager
def count_deaths(spool: Spool, ids: Sequence[str]) -> Iterator[dict[str, int]]:
    """Count that work on the messages begins; give those that had too many tries, with how many.

    The counts stay when the process dies in between, or a bug ends the work.
    """
    tries = spool.aside.count_tries(ids) if ids else {}
    try:
        yield {item: count for item, count in tries.items() if count > MAX_TRIES}
    except _FROM_OUTSIDE:
        spool.aside.forget_tries(ids)
        raise
    spool.aside.forget_tries(ids)


def explain_giving_up(count: int) -> str:
    """Return what a person is told about a message that was given up."""
    return (
        f"unreadable: work on it began {count - 1} times and never ended, the engine died or "
        "failed each time; it is kept as it came, look at it raw, and replay it after an update"
    )
