"""The moments that people choose, by the working hours and the zone of their organization."""

from datetime import date, datetime

from data.errors import ConflictError
from data.records.core.moments import Moment
from flows.core.workspace import Workspace
from tasks.mail.working_days import morning_of, next_morning


def moment_of(workspace: Workspace, chosen: Moment, now: datetime) -> datetime:
    """Return the moment that was chosen, with a zone.

    Raises:
        ConflictError: it is over.

    """
    hours, zone = workspace.policy.working_hours, workspace.organization.timezone
    if isinstance(chosen, datetime):
        moment = chosen
    elif isinstance(chosen, date):
        moment = morning_of(chosen, hours, zone)
    else:
        moment = next_morning(chosen, now, hours, zone, workspace.organization.days_off)
    if moment <= now:
        raise ConflictError(f"{moment:%Y-%m-%d %H:%M} is over; choose a later time")
    return moment
