"""Decisions on what is forwarded: try again, or give it up."""

from typing import Literal

from data.errors import ConflictError
from data.states import ForwardState
from data.store import audit, forwards
from data.store.database import Connection, update
from data.store.moves import move
from flows.wiring import House
from flows.workspace import Workspace


async def resolve(
    house: House,
    workspace: Workspace,
    forward_id: str,
    outcome: Literal["retry", "cancel"],
    user: str,
) -> None:
    """Try a forward again from the start of its waits, or give it up.

    A retry goes to where the recipient's route leads now: the URL may have been mended meanwhile.

    Raises:
        ConflictError: it has arrived, was given up, or is under way.

    """
    target = {"retry": ForwardState.QUEUED, "cancel": ForwardState.CANCELLED}[outcome]

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = forwards.one(cursor, forward_id)
        waits = row["state"] in (ForwardState.FAILED, ForwardState.DEFERRED)
        if not waits and (row["state"], target) != (ForwardState.QUEUED, ForwardState.CANCELLED):
            raise ConflictError(f"this forward is {row['state']!r}; there is nothing to decide")
        move(cursor, [forward_id], target, actor=user, now=now)
        if target is ForwardState.QUEUED:
            route = house.routes.match(row["rcpt_to"][0])
            mended = (
                {"url": route.url, "secret": route.secret}
                if route is not None and route.url and route.organization == workspace.slug
                else {}
            )
            update(cursor, "forwards", [{"id": forward_id, "due_at": now, "failures": 0, **mended}])
        audit.append(
            cursor,
            actor=user,
            action=f"forward-{outcome}",
            subject=forward_id,
            detail=row["url"],
            now=now,
        )

    await workspace.db.write(act)
