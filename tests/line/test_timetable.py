"""What runs by the clock: every hour, every night, and after a night that was slept through."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from data.errors import ManifestError
from flows.running.prefect_env import prefect_environment
from flows.running.timetable import FILE, FLOWS, TimetableLoop, next_after, schedules_of
from tests.line.small import Line

NIGHT = {"cron": "20 3 * * *", "timezone": "UTC"}
SCHEDULES = {"sync": {"interval": 3600}, "upkeep": NIGHT}


def counting(line: Line) -> tuple[Counter[str], TimetableLoop]:
    """Return a loop whose flows only count that they ran."""
    ran: Counter[str] = Counter()

    def flow(name: str) -> object:
        async def run() -> None:
            ran[name] += 1

        return run

    loop = TimetableLoop({name: flow(name) for name in SCHEDULES}, SCHEDULES)  # type: ignore[misc]
    return ran, loop


async def test_flows_run_when_they_are_due_and_not_before(line: Line) -> None:
    """Sync each hour, upkeep once a day; with nothing due a round does nothing."""
    ran, loop = counting(line)
    assert not await loop.round(line.house)
    line.clock.forward(3_700)
    assert await loop.round(line.house)
    assert not await loop.round(line.house)
    assert ran["sync"] == 1
    for _ in range(48):
        line.clock.forward(3_601)
        await loop.round(line.house)
    assert ran["sync"] == 49
    assert ran["upkeep"] in (2, 3)


async def test_a_night_that_was_slept_through_is_made_up_for(line: Line) -> None:
    """An engine that starts after the time runs what it missed, once."""
    _, loop = counting(line)
    await loop.round(line.house)
    line.clock.forward(90_000)
    await loop.round(line.house)
    assert (line.house.settings.home / FILE).exists()
    line.clock.forward(300_000)
    ran, again = counting(line)
    await again.round(line.house)
    await again.round(line.house)
    assert ran == {"sync": 1, "upkeep": 1}


async def test_what_fails_is_due_still(line: Line) -> None:
    """A flow that raises is tried again by the loop, and counts as not run."""

    async def broken() -> None:
        raise OSError("Prefect is away")

    loop = TimetableLoop({"sync": broken}, {"sync": {"interval": 60}})
    await loop.round(line.house)
    line.clock.forward(61)
    for _ in range(2):
        with pytest.raises(OSError, match="away"):
            await loop.round(line.house)
    assert not (line.house.settings.home / FILE).exists()


def test_the_schedules_are_those_of_the_deployments() -> None:
    """What prefect.yaml schedules is what the engine starts, and Prefect's own scheduler is off."""
    assert set(schedules_of(FLOWS)) == {"sync", "upkeep"}
    from data.settings import load_settings

    told = prefect_environment(load_settings())
    assert told["PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED"] == "false"


def test_times_are_read_and_others_refused() -> None:
    """Daily at a time in UTC, or an interval; anything else is named."""
    at = datetime(2026, 3, 2, 3, 20, tzinfo=UTC)
    assert next_after(NIGHT, at) == at + timedelta(days=1)
    assert next_after(NIGHT, at - timedelta(seconds=1)) == at
    for schedule in ({"cron": "20 3 * * 1"}, {"cron": "x"}, {}, {"rrule": "FREQ=DAILY"}):
        with pytest.raises(ManifestError, match="not understood"):
            next_after(schedule, at)
