"""The time at which a reply that a person approves is to leave."""

from datetime import datetime, timedelta

from data.errors import ConflictError
from data.records.core.moments import Moment
from data.records.core.principals import Principal
from flows.core.workspace import Workspace
from flows.mail.leaving.outbox import Departure
from flows.mail.people.moments import moment_of

FARTHEST = timedelta(days=366)
"""How far ahead a reply may be put."""


def departure_of(
    workspace: Workspace, chosen: Moment | None, principal: Principal, now: datetime
) -> Departure | None:
    """Return when a reply is to leave; None where nobody has chosen.

    Raises:
        ConflictError: the moment is over, or more than a year ahead.

    """
    if chosen is None:
        return None
    at = moment_of(workspace, chosen, now)
    if at - now > FARTHEST:
        raise ConflictError(f"{at:%Y-%m-%d} is more than a year ahead; choose an earlier day")
    return Departure(at, principal.email)
