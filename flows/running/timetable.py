"""What runs by the clock: the flows that `prefect.yaml` gives a schedule, started by the engine.

Prefect's own scheduler stays off: with the SQLAlchemy of the lock it fails whenever it inserts
scheduled runs, so nothing would ever start by itself. When a flow last ran is kept in a file, so a
night that the engine slept through is made up for when it starts.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from data.errors import ManifestError
from flows.running.deployments import declared
from flows.sync import sync
from flows.upkeep import upkeep
from flows.wiring import House

log = logging.getLogger("postern.timetable")
FLOWS: dict[str, Callable[[], Awaitable[object]]] = {"sync": sync, "upkeep": upkeep}
FILE = "timetable.json"
"""In the home: when each flow last ran, ISO 8601."""


class TimetableLoop:
    """A loop's round that starts the flows that are due."""

    def __init__(
        self,
        flows: Mapping[str, Callable[[], Awaitable[object]]] | None = None,
        schedules: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._flows = FLOWS if flows is None else flows
        self._schedules = schedules_of(self._flows) if schedules is None else schedules
        self._due: dict[str, datetime] = {}

    async def round(self, house: House) -> bool:
        """Start what is due, one after the other; say whether there was anything."""
        now, path = house.clock(), house.settings.home / FILE
        if not self._due:
            ran = _read(path)
            for name, schedule in self._schedules.items():
                self._due[name] = next_after(schedule, ran.get(name, now))
        due = [name for name, when in self._due.items() if when <= now]
        for name in due:
            log.info("%s is due", name)
            await self._flows[name]()
            self._due[name] = next_after(self._schedules[name], now)
            _write(path, {**_read(path), name: now})
        return bool(due)


def schedules_of(flows: Mapping[str, object]) -> dict[str, Mapping[str, Any]]:
    """Return the schedule that `prefect.yaml` gives each of the flows.

    Raises:
        ManifestError: one has none, or one that is not understood.

    """
    found = {name: one.schedules for name, one in declared().items() if one.schedules}
    if set(found) != set(flows) or any(len(one) != 1 for one in found.values()):
        raise ManifestError(f"prefect.yaml schedules {sorted(found)}, not {sorted(flows)}; mend it")
    made: dict[str, Mapping[str, Any]] = {name: one[0] for name, one in found.items()}
    for schedule in made.values():
        next_after(schedule, datetime.now(UTC))
    return made


def next_after(schedule: Mapping[str, Any], moment: datetime) -> datetime:
    """Return when a flow is due after a moment: every so many seconds, or daily at a time (UTC).

    Raises:
        ManifestError: the schedule is neither `interval` nor `cron` with minute and hour.

    """
    if "interval" in schedule:
        return moment + timedelta(seconds=float(schedule["interval"]))
    fields = str(schedule.get("cron", "")).split()
    if fields[2:] != ["*", "*", "*"] or not all(one.isdigit() for one in fields[:2]):
        raise ManifestError(f"the schedule {dict(schedule)!r} is not understood; use 'M H * * *'")
    minute, hour = fields[:2]
    day = moment.astimezone(UTC)
    due = day.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
    return due if due > day else due + timedelta(days=1)


def _read(path: Path) -> dict[str, datetime]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): datetime.fromisoformat(when) for name, when in given.items()}
    except (OSError, ValueError, AttributeError, TypeError):  # it is made anew after the next run
        return {}


def _write(path: Path, ran: Mapping[str, datetime]) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({name: when.isoformat() for name, when in ran.items()}), "utf-8")
    fresh.replace(path)
