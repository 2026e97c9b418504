"""The stand-in's answers about quarantine, and how it refuses."""

from typing import Any

from fastapi import FastAPI

from data.records.mail.orders import Block, Decide
from data.records.mail.senders import Decided
from data.records.mail.views import MessageView, Standing
from data.states import MessageStatus
from tests.core.window import invented as records

AFTER = {
    "release": MessageStatus.SCREENING,
    "confirm": MessageStatus.REJECTED,
    "block_sender": MessageStatus.REJECTED,
    "block_domain": MessageStatus.REJECTED,
}
"""Where a message is after each decision."""
DECIDED = {
    MessageStatus.SCREENING: Standing(
        action="release", stopped=True, by="ida", at=records.before(minutes=1)
    ),
    MessageStatus.REJECTED: Standing(
        action="confirm", stopped=True, by="ida", at=records.before(minutes=1)
    ),
}
"""What the engine keeps of a decision, by where the message is after it."""


class Refused(Exception):
    """An answer of 400 or more."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message


def page(items: list[Any], limit: int, offset: int) -> dict[str, Any]:
    """Return one page of a list as JSON."""
    chosen = items[offset : offset + limit]
    return {"items": [entry.model_dump(mode="json") for entry in chosen], "total": len(items)}


def known(things: dict[str, Any], id: str) -> Any:  # noqa: ANN401
    """Return what is stored under that id; else 404."""
    if id not in things:
        raise Refused(404, "NotFoundError", f"nothing is stored under {id!r}")
    return things[id]


def holding(app: FastAPI, world: Any) -> None:  # noqa: ANN401  # the stand-in's world
    """Serve what `world` holds in quarantine, and what can be decided about it."""

    def settle(id: str, status: MessageStatus) -> MessageView:
        message = known(world.messages, id)
        if id not in world.held:
            raise Refused(409, "ConflictError", f"message {id!r} is {message.status}")
        world.decided[id] = world.held.pop(id).model_copy(update={"decision": DECIDED[status]})
        update = {"status": status, "decision": DECIDED[status]}
        world.messages[id] = message.model_copy(update=update)
        return world.messages[id]

    @app.get("/v1/{org}/quarantine")
    async def quarantine(
        org: str, limit: int = 25, offset: int = 0, *, decided: bool = False
    ) -> Any:  # noqa: ANN401
        return page(list((world.decided if decided else world.held).values()), limit, offset)

    @app.post("/v1/{org}/messages/{id}/release")
    async def release(org: str, id: str) -> MessageView:
        return settle(id, MessageStatus.SCREENING)

    @app.post("/v1/{org}/messages/{id}/confirm")
    async def confirm(org: str, id: str) -> MessageView:
        return settle(id, MessageStatus.REJECTED)

    @app.post("/v1/{org}/messages/{id}/block")
    async def block(org: str, id: str, body: Block) -> MessageView:
        return settle(id, MessageStatus.REJECTED)

    @app.post("/v1/{org}/messages/{id}/undo")
    async def undo(org: str, id: str) -> MessageView:
        world.held[id] = records.held(id)
        world.decided.pop(id, None)
        kept = known(world.messages, id)
        update = {"status": MessageStatus.QUARANTINED, "decision": None}
        world.messages[id] = kept.model_copy(update=update)
        return world.messages[id]

    @app.post("/v1/{org}/messages/{id}/replay")
    async def replay(org: str, id: str) -> MessageView:
        kept = known(world.messages, id)
        world.messages[id] = kept.model_copy(update={"status": MessageStatus.SCREENING})
        return world.messages[id]

    @app.post("/v1/{org}/quarantine/decide")
    async def decide(org: str, body: Decide) -> dict[str, list[Decided]]:
        outcomes = []
        for id in body.ids:
            error = world.refusals.get(f"/{id}/{body.action}")
            if error is None and body.action == "undo":
                await undo(org, id)
            elif error is None:
                settle(id, AFTER[body.action])
            said = error.message if error else ""
            outcomes.append(Decided(id=id, done=error is None, sentence=said))
        return {"outcomes": outcomes}
