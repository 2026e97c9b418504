"""Processes that die on purpose, forked from one that has imported what they need.

Starting Python and importing the engine takes seconds of a processor, and a process that is killed
ends in the same way however it came about.
"""

import multiprocessing
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds that a process may take on a busy machine."""
_DEADLY = (
    "tests.agents.turns.dying",
    "tests.mail.contacts.dying",
    "tests.mail.line.dying",
    "tests.mail.line.dying_parts",
)


def exit_status(target: Callable[..., None], *given: object) -> int:
    """Call a function in a process of its own; return its status, negative for a signal."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_DEADLY))
    process = context.Process(target=target, args=given)
    process.start()
    process.join(PATIENCE)
    status = process.exitcode
    if status is None:
        process.kill()
        process.join()
        raise TimeoutError(f"{target.__module__} did not end within {PATIENCE:g} seconds")
    process.close()
    return status
