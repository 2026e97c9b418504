"""One after another, so that what goes wrong for one is no matter of the others."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from flows.core.house import House
from flows.core.workspace import Workspace

log = logging.getLogger("postern.loop")


async def do_for_organizations(
    house: House, work: Callable[[Workspace], Awaitable[object]]
) -> bool:
    """Do `work` for every organization; return whether it gave anything true for any.

    Raises:
        Exception: what went wrong first, once each organization has had its turn.
    """
    workspaces = await house.list_workspaces()
    return await do_named_works(
        {workspace.slug: partial(work, workspace) for workspace in workspaces}.items()
    )


async def do_named_works(works: Iterable[tuple[str, Callable[[], Awaitable[object]]]]) -> bool:
    """Do works, each with a name for the log; return whether any gave anything true.

    Raises:
        Exception: what went wrong first, once each has had its turn.
    """
    busy, first_error = False, None
    for name, work in works:
        try:
            busy = bool(await work()) or busy
        except Exception as error:  # noqa: BLE001  # raised below, once the others had their turn
            if first_error is not None:
                log.warning("%s: %s: %s", name, type(error).__name__, error)
            first_error = first_error or error
    if first_error is not None:
        raise first_error
    return busy
