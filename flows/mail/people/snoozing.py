"""Putting a case off: it leaves what waits, and comes back by the clock, by mail or by a person."""

from datetime import datetime

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.snoozing import Snooze, Unsnooze
from data.store.core.database import Connection
from data.store.mail import snoozes
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.deciding import Deciding, decide
from flows.mail.people.moments import moment_of


async def snooze(
    house: House, workspace: Workspace, case_id: str, order: Snooze, principal: Principal
) -> None:
    """Put a case off; its draft and its approval wait as they are.

    Raises:
        ConflictError: the case has changed since it was shown, is not before a person, or the time
            is over.

    """
    until = wake_time(workspace, order, house.clock())

    def act(deciding: Deciding) -> None:
        snoozes.add(deciding.cursor, case_id, until, principal.name, principal.email, deciding.now)

    detail = f"until {until.isoformat(timespec='minutes')}" if until else "until they answer"
    await decide(
        house, workspace, case_id, order.version, principal, "snooze", act,
        nothing_to="put off", detail=detail,
    )  # fmt: skip


async def unsnooze(
    house: House, workspace: Workspace, case_id: str, order: Unsnooze, principal: Principal
) -> None:
    """Bring a case back that was put off.

    Raises:
        ConflictError: the case has changed since it was shown, or is not put off.

    """
    if not await workspace.db.read(_is_snoozed, case_id):
        raise ConflictError("this case is not put off; there is nothing to bring back")
    # Whatever is decided on a case brings it back, this too.
    await decide(
        house, workspace, case_id, order.version, principal, "unsnooze", lambda _: None,
        nothing_to="bring back",
    )  # fmt: skip


def wake_time(workspace: Workspace, order: Snooze, now: datetime) -> datetime | None:
    """Return when a case comes back by itself; None where it waits for an answer alone.

    Raises:
        ConflictError: the time is over.

    """
    if order.until == "answer":
        return None
    return moment_of(workspace, order.until, now)


def _is_snoozed(cursor: Connection, case_id: str) -> bool:
    row = snoozes.find_last(cursor, case_id)
    return row is not None and row.case_id == case_id and row.ended_at is None
