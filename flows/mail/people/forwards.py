"""Decisions on what is forwarded: try again, give it up, or take the giving up back."""

from datetime import datetime

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.orders import ForwardOutcome
from data.states import ForwardState
from data.store.core.database import Connection
from data.store.mail import forwards
from data.store.mail.forwards import ForwardRow
from data.store.mail.moves import move
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace

FROM: dict[ForwardOutcome, frozenset[ForwardState]] = {
    "retry": frozenset({ForwardState.FAILED, ForwardState.DEFERRED}),
    "cancel": frozenset({ForwardState.FAILED, ForwardState.DEFERRED, ForwardState.QUEUED}),
    "undo": frozenset({ForwardState.CANCELLED}),
}
"""By outcome, the states in which it may be decided."""


async def resolve(
    house: House,
    workspace: Workspace,
    forward_id: str,
    outcome: ForwardOutcome,
    principal: Principal,
) -> None:
    """Try a forward again from the start of its waits, give it up, or take that back.

    A retry goes to where the recipient's route leads now: the URL may have been mended meanwhile.
    What is taken back is as it was: a failed one has failed, a waiting one waits for its time.

    Raises:
        ConflictError: it has arrived, is under way, or was decided on meanwhile.

    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = forwards.read_row(cursor, forward_id)
        was = str(row.state)
        if was not in FROM[outcome]:
            raise ConflictError(f"this forward is {was!r}; there is nothing to decide")
        target, note = ForwardState.QUEUED, ""
        if outcome == "cancel":
            target, note = ForwardState.CANCELLED, was
        elif outcome == "undo":
            target, note = (
                ForwardState(forwards.read_state_before_giving_up(cursor, forward_id)),
                "taken back",
            )
        move(cursor, [forward_id], target, actor=act.actor, now=now, note=note)
        if outcome == "retry":
            _begin_anew(house, workspace, cursor, row, now)
        act.note(f"forward-{outcome}", forward_id, row.url)

    await carry_out(house, workspace, principal, work)


def _begin_anew(
    house: House, workspace: Workspace, cursor: Connection, row: ForwardRow, now: datetime
) -> None:
    """Make it due now, with all its waits before it, to where the route leads."""
    route = house.routes.match(row.rcpt_to[0])
    mended = (
        {"url": route.url, "secret": route.secret}
        if route is not None and route.url and route.organization == workspace.slug
        else {}
    )
    forwards.change(cursor, [{"id": row.id, "due_at": now, "failures": 0, **mended}])
