"""Work for work processes: functions that they import."""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from data.records.core.briefing import Briefing


def doubled(shared: int, items: Sequence[int]) -> list[tuple[int, int]]:
    """Return each item doubled with what is shared added, and who computed it."""
    return [(2 * item + shared, os.getpid()) for item in items]


def dying(engine: int, items: Sequence[int]) -> list[int]:
    """Die over the items anywhere but in the engine."""
    if os.getpid() != engine:
        os.kill(os.getpid(), signal.SIGKILL)
    return list(items)


def failing(engine: int, items: Sequence[int]) -> list[int]:
    """Fail wherever it runs."""
    raise KeyError(items[0])


def failing_outside(engine: int, items: Sequence[int]) -> list[int]:
    """Fail anywhere but in the engine."""
    if os.getpid() != engine:
        raise KeyError(items[0])
    return list(items)


def slow(folder: str, items: Sequence[int]) -> list[int]:
    """Leave a file in the folder that says who works, and take long."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)
    return list(items)


def returned(shared: None, items: Sequence[Briefing]) -> list[Briefing]:
    """Return the briefings as they came."""
    return list(items)
