"""Telling Python what stays in memory for good, so that it does not look through it again.

The lexicons, models and libraries of an engine are some 400 000 objects. Python's collector of
reference cycles walks through them whenever enough has been made
since, and holds every thread of the process for 0.1 to 0.3 s while it does. What is loaded once is
therefore taken out of its sight, and it looks for young cycles less often: they are few here.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 20_000
"""Containers made, less those gone, before the young ones are looked through; Python has 700."""

_settled: set[str] = set()


@contextmanager
def pause_collector() -> Iterator[None]:
    """Look for no cycles while the body imports what stays, and never among what it imported.

    A quarter of the processor time of importing the engine went into such looks.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def settle_heap(after: str) -> None:
    """Take what is in memory now for what stays; the second time after the same does nothing.

    Much is loaded when it is first needed, so it is called after each kind of work's first time.
    """
    if after in _settled:
        return
    _settled.add(after)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
