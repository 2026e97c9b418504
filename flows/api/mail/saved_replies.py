"""Saved replies: the list, and what people make of those that they keep."""

from fastapi import APIRouter

from data.records.core.learning import SavedReplyView
from data.records.core.listing import Page
from data.records.mail.orders import SaveReply
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.core.workspace import Workspace
from flows.mail.line.saved_replies import list_saved_reply_views
from flows.mail.people import replying

router = APIRouter(prefix="/v1/{org}/saved-replies", tags=["saved replies"])


@router.get("")
async def saved_replies(workspace: WorkspaceOf, q: str = "") -> Page[SavedReplyView]:
    """Return the saved replies by title: all, or those that hold every word of `q`."""
    words_wanted = q.lower().split()
    views = [
        view
        for view in await workspace.db.read(list_saved_reply_views)
        if all(word in f"{view.id} {view.title} {view.body}".lower() for word in words_wanted)
    ]
    return Page(items=tuple(views), total=len(views))


@router.post("", status_code=201)
async def create(
    order: SaveReply, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> SavedReplyView:
    """Keep a new one."""
    return await _shown(workspace, await replying.create(house, workspace, order, principal))


@router.post("/{reply_id}/edit")
async def edit(
    reply_id: str, order: SaveReply, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> SavedReplyView:
    """Change one that is kept here."""
    await replying.edit(house, workspace, reply_id, order, principal)
    return await _shown(workspace, reply_id)


@router.post("/{reply_id}/retire")
async def retire(
    reply_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> SavedReplyView:
    """Let no draft use it any more."""
    await replying.retire(house, workspace, reply_id, principal)
    return await _shown(workspace, reply_id)


@router.post("/{reply_id}/restore")
async def restore(
    reply_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> SavedReplyView:
    """Let drafts use it again."""
    await replying.restore(house, workspace, reply_id, principal)
    return await _shown(workspace, reply_id)


async def _shown(workspace: Workspace, reply_id: str) -> SavedReplyView:
    reply_views = await workspace.db.read(list_saved_reply_views)
    return next(view for view in reply_views if view.id == reply_id)
