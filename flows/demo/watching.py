"""Waiting for the demo's processes: until the sources are loaded, until nothing is left to do."""

import asyncio
import time
from collections.abc import Callable

import httpx

from data.errors import OutsideError, OutsideTemporaryError
from data.settings import Settings
from flows.demo.inbox_tally import UNFINISHED
from flows.operating.engine_api import Engine

QUIET_ROUNDS = 3
POLL = 0.5


async def until_synced(settings: Settings, seconds: float) -> None:
    """Wait until Prefect shows a finished run of the flow `sync`.

    Raises:
        OutsideTemporaryError: there is none after so many seconds.

    """
    run_filter = {
        "flows": {"name": {"any_": ["sync"]}},
        "flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}},
        "limit": 1,
    }
    end = time.monotonic() + seconds
    async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
        while time.monotonic() < end:
            try:
                answer = await client.post(
                    f"{settings.prefect_url}/flow_runs/filter", json=run_filter
                )
                if answer.is_success and answer.json():
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(POLL)
    raise OutsideTemporaryError(
        f"the sources were not loaded within {seconds:.0f} s; look at {str(settings.logs)!r}"
    )


async def until_drained(
    engine: Engine, slug: str, expected: int, seconds: float, tell: Callable[[str], None]
) -> bool:
    """Wait until every accepted message is where it stays; return whether that came about."""
    end, quiet = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            overview = await asyncio.to_thread(engine.get, f"/v1/{slug}/overview")
        except OutsideError:
            await asyncio.sleep(POLL)
            continue
        left = sum(
            status["value"] for status in overview["by_status"] if status["name"] in UNFINISHED
        )
        left += overview["spool_waiting"]
        tell(f"{overview['received_total']} taken in, {left} on the way")
        quiet = quiet + 1 if left == 0 and overview["received_total"] >= expected else 0
        if quiet >= QUIET_ROUNDS:
            return True
        await asyncio.sleep(POLL)
    return False
