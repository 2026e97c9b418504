"""By when a case should be answered: the level that fits it, and the working time it allows."""

from collections.abc import Sequence
from datetime import datetime

from data.records.core.organization import ServiceLevel, WorkingHours
from data.records.mail.service_levels import ServiceTarget, TargetKind
from data.working_time import add_seconds


def level_of(
    levels: Sequence[ServiceLevel], category: str | None, priority: str | None
) -> ServiceLevel | None:
    """Return the first level that fits a case; None where none does.

    A level without a category, or without a priority, fits every one, also a case that has none.
    """
    return next(
        (
            level
            for level in levels
            if level.category in (None, category) and level.priority in (None, priority)
        ),
        None,
    )


def target_of(
    level: ServiceLevel | None,
    began_at: datetime,
    *,
    answered: bool,
    owed_seconds: float,
    paused_seconds: float,
    hours: WorkingHours | None,
) -> ServiceTarget | None:
    """Return by when a case should be answered; None where the level sets nothing.

    Args:
        level: that of the case.
        began_at: when its first message came.
        answered: whether the conversation has a reply of ours already.
        owed_seconds: working time for which earlier cases of the conversation waited for us; while
            the other side owed an answer, the time of a resolution stood still.
        paused_seconds: working time for which the case was put off until they answer.
        hours: when somebody works; None counts every hour.

    """
    if level is None:
        return None
    if not answered and level.first_answer_hours is not None:
        allowed = level.first_answer_hours * 3600 + paused_seconds
        due = add_seconds(began_at, allowed, hours)
        return ServiceTarget(kind=TargetKind.FIRST_ANSWER, due_at=due)
    if level.resolution_hours is None:
        return None
    left = max(0.0, level.resolution_hours * 3600 - owed_seconds)
    due = add_seconds(began_at, left + paused_seconds, hours)
    return ServiceTarget(kind=TargetKind.RESOLUTION, due_at=due)
