"""Decisions on quarantined and failed messages: release, confirm, block, undo, replay."""

from datetime import datetime
from typing import Any, Literal

from data.errors import ConflictError, NotFoundError
from data.states import MessageStatus
from data.store import audit, journal, messages
from data.store.database import Connection, insert, update
from data.store.moves import move
from flows.bindings import INTAKE_STAGES
from flows.wiring import House
from flows.workspace import Workspace


async def release(house: House, workspace: Workspace, message_id: str, user: str) -> None:
    """Let a message go on; it is screened again and stays flagged, so it never auto-sends."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = _one(cursor, message_id)
        _must(row["status"], MessageStatus.QUARANTINED, MessageStatus.STORED)
        update(cursor, "messages", [{"id": message_id, "released_by": user, "due_at": now}])
        if row["mode"] != "agent":
            update(cursor, "messages", [{"id": message_id, "mode": "agent"}])
        journal.supersede(cursor, [message_id], INTAKE_STAGES[1:])
        move(cursor, [message_id], MessageStatus.SCREENING, actor=user, now=now)
        _audit(cursor, user, "release", message_id, "", now)

    await workspace.db.write(act)


async def confirm(house: House, workspace: Workspace, message_id: str, user: str) -> None:
    """Say that a quarantined message is what it was taken for."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        _must(_one(cursor, message_id)["status"], MessageStatus.QUARANTINED)
        move(cursor, [message_id], MessageStatus.REJECTED, actor=user, now=now)
        _audit(cursor, user, "confirm", message_id, "", now)

    await workspace.db.write(act)


async def block(
    house: House,
    workspace: Workspace,
    message_id: str,
    scope: Literal["sender", "domain"],
    user: str,
) -> None:
    """Quarantine whatever else comes from this sender or domain, and confirm this message.

    Raises:
        ConflictError: the sender is not known, or is the organization itself.

    """

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = _one(cursor, message_id)
        pattern = _pattern(row["sender_email"], scope, workspace.organization.addresses)
        insert(
            cursor,
            "blocks",
            [{"pattern": pattern, "scope": scope, "created_at": now, "created_by": user}],
        )
        _audit(cursor, user, "block", message_id, f"{scope} {pattern}", now)
        move(cursor, [message_id], MessageStatus.REJECTED, actor=user, now=now)

    await workspace.db.write(act)


async def undo(house: House, workspace: Workspace, message_id: str, user: str) -> None:
    """Take back a confirmation, and any block that was made with it."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = _one(cursor, message_id)
        _must(row["status"], MessageStatus.REJECTED)
        sender = row["sender_email"]
        cursor.execute(
            "DELETE FROM blocks WHERE (scope = 'sender' AND pattern = ?) "
            "OR (scope = 'domain' AND pattern = ?)",
            [sender, sender.rpartition("@")[2]],
        )
        move(cursor, [message_id], MessageStatus.QUARANTINED, actor=user, now=now)
        _audit(cursor, user, "undo", message_id, "", now)

    await workspace.db.write(act)


async def replay(house: House, workspace: Workspace, message_id: str, user: str) -> None:
    """Take a failed message through intake again, from its raw bytes."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        _must(_one(cursor, message_id)["status"], MessageStatus.FAILED)
        journal.supersede(cursor, [message_id], INTAKE_STAGES)
        update(cursor, "messages", [{"id": message_id, "due_at": now, "note": ""}])
        move(cursor, [message_id], MessageStatus.RECEIVED, actor=user, now=now)
        _audit(cursor, user, "replay", message_id, "", now)

    await workspace.db.write(act)


def _one(cursor: Connection, message_id: str) -> dict[str, Any]:
    found = messages.many(cursor, [message_id])
    if message_id not in found:
        raise NotFoundError(f"there is no message {message_id!r}")
    return found[message_id]


def _must(status: str, *allowed: MessageStatus) -> None:
    if status not in allowed:
        raise ConflictError(f"this message is {status!r} now; somebody else may have decided")


def _pattern(sender: str, scope: str, own: tuple[str, ...]) -> str:
    if not sender:
        raise ConflictError("this message has no readable sender; there is nobody to block")
    domain = sender.rpartition("@")[2]
    if domain in {address.rpartition("@")[2].lower() for address in own}:
        raise ConflictError("the sender is one of the organization's own addresses")
    return sender if scope == "sender" else domain


def _audit(
    cursor: Connection, user: str, action: str, message_id: str, detail: str, now: datetime
) -> None:
    audit.append(
        cursor, actor=user, action=action, subject=f"message:{message_id}", detail=detail, now=now
    )
