"""The quarantine: what the screen stopped, and what a person makes of it."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from fastapi import APIRouter, Query

from data.errors import PosternError
from data.records.core.listing import Page
from data.records.core.screening import SecurityFlags
from data.records.mail.orders import Block, Confirm, Correct, Decide, Release
from data.records.mail.senders import Decided
from data.records.mail.stage_outputs import Screened
from data.records.mail.views import MessageView, QuarantineItem, Standing
from data.states import MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.statements import RowPage
from data.store.mail import decisions, messages
from data.store.mail.messages import LineRow
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import message_line
from flows.api.mail.message_view import message_views, standing_by_message
from flows.core.workspace import Workspace
from flows.mail.people import claiming, guarding, undoing

router = APIRouter(prefix="/v1/{org}", tags=["quarantine"])


@router.get("/quarantine")
async def quarantine(
    workspace: WorkspaceOf,
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
    *,
    decided: bool = False,
) -> Page[QuarantineItem]:
    """Return what was stopped, newest first, with the rules that hit.

    `decided` asks for what a person has released, confirmed or blocked, in place of what waits.
    """
    items, total = await workspace.db.read(_items, limit, offset, decided)
    return Page(items=tuple(items), total=total)


def _page(cursor: Connection, limit: int, offset: int, decided: bool) -> RowPage[LineRow]:
    stopped = MessageStatus.QUARANTINED
    if not decided:
        return messages.list_page(cursor, status=stopped, limit=limit, offset=offset)
    return messages.list_decided(cursor, stopped, limit, offset)


def _items(
    cursor: Connection, limit: int, offset: int, decided: bool = False
) -> RowPage[QuarantineItem]:
    page, total = _page(cursor, limit, offset, decided)
    standing = standing_by_message(cursor, [row.id for row in page]) if decided else {}
    screened = journal.read_results(cursor, "screen", [row.id for row in page])
    flags = decisions.read_flags(cursor, [row.id for row in page])
    items = [
        _item(row, screened.get(row.id), flags.get(row.id), standing.get(row.id, ()))
        for row in page
    ]
    return RowPage(items, total)


def _item(
    row: LineRow,
    screened: str | None,
    flags: SecurityFlags | None,
    standings: Sequence[Standing],
) -> QuarantineItem:
    """Return one line: why it was stopped as its record says, else as the strongest hit does."""
    screening = Screened.model_validate_json(screened).screening if screened else None
    hits = screening.hits if screening else ()
    strongest = (hits[0].technique, hits[0].excerpt) if hits else ("not_screened", row.note)
    reason_kept = (flags.reason, flags.reason_content or "") if flags and flags.reason else None
    technique, excerpt = reason_kept or strongest
    return QuarantineItem(
        message=message_line(row),
        score=screening.score if screening else 0.0,
        technique=technique,
        excerpt=excerpt,
        rules=tuple(dict.fromkeys(hit.rule for hit in hits)),
        decision=next((standing for standing in standings if standing.stopped), None),
    )


@router.post("/quarantine/decide", dependencies=[WAKES])
async def decide(
    order: Decide, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> dict[str, list[Decided]]:
    """Apply one decision to each of the messages; no refusal holds up the others."""
    acts: dict[str, Callable[[str], Coroutine[Any, Any, None]]] = {
        "release": lambda item: guarding.release(house, workspace, item, principal),
        "confirm": lambda item: guarding.confirm(house, workspace, item, principal),
        "block_sender": lambda item: guarding.block(house, workspace, item, "sender", principal),
        "block_domain": lambda item: guarding.block(house, workspace, item, "domain", principal),
        "undo": lambda item: undoing.undo(house, workspace, item, principal),
    }
    outcomes = []
    for item in dict.fromkeys(order.ids):
        try:
            await acts[order.action](item)
            outcomes.append(Decided(id=item, done=True))
        except PosternError as error:
            outcomes.append(Decided(id=item, done=False, sentence=str(error)))
    return {"outcomes": outcomes}


@router.post("/messages/{message_id}/release", dependencies=[WAKES])
async def release(
    message_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    order: Release | None = None,
) -> MessageView:
    """Let a message go on; named rules no longer count for its sender."""
    await guarding.release(house, workspace, message_id, principal, order)
    return await _shown(workspace, message_id)


@router.post("/messages/{message_id}/confirm")
async def confirm(
    message_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    order: Confirm | None = None,
) -> MessageView:
    """Say that it is what it was taken for."""
    await guarding.confirm(house, workspace, message_id, principal, order)
    return await _shown(workspace, message_id)


@router.post("/messages/{message_id}/person", dependencies=[WAKES])
async def person(
    message_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MessageView:
    """Say that a person wrote a stored message: a case, and so is what the sender sends alike."""
    await claiming.claim(house, workspace, message_id, principal)
    return await _shown(workspace, message_id)


@router.post("/messages/{message_id}/block")
async def block(
    message_id: str, order: Block, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MessageView:
    """Quarantine whatever else comes from its sender, or from the sender's domain."""
    await guarding.block(
        house, workspace, message_id, order.scope, principal, even_so=order.even_so
    )
    return await _shown(workspace, message_id)


@router.post("/messages/{message_id}/correct")
async def correct(
    message_id: str, order: Correct, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MessageView:
    """Say whether a message is spam, wherever it is; later mail is judged by it."""
    await guarding.correct(house, workspace, message_id, principal, spam=order.spam)
    return await _shown(workspace, message_id)


@router.post("/messages/{message_id}/undo", dependencies=[WAKES])
async def undo(
    message_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> MessageView:
    """Take back the newest decision on a message, with the block, allowance and lesson of it."""
    await undoing.undo(house, workspace, message_id, principal)
    return await _shown(workspace, message_id)


async def _shown(workspace: Workspace, message_id: str) -> MessageView:
    return (await workspace.db.read(message_views, [message_id]))[0]
