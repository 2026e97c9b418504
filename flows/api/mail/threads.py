"""Conversations: reading them, and merging and splitting them by hand."""

from fastapi import APIRouter, Query

from data.records.core.listing import SearchedPage
from data.records.mail.conversations import (
    MergeThreads,
    SplitThread,
    ThreadPreview,
    UndoThreadChange,
)
from data.records.mail.views import ThreadLine, ThreadView
from data.states import ThreadStatus
from data.store.mail import threads
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import thread_line
from flows.api.mail.thread_view import thread_view
from flows.mail.knowing.mail_search import search
from flows.mail.people import threading_merge, threading_split, threading_undo

router = APIRouter(prefix="/v1/{org}/threads", tags=["conversations"])


@router.get("")
async def list_threads(
    house: HouseOf,
    workspace: WorkspaceOf,
    status: ThreadStatus | None = None,
    category: str = "",
    priority: str = "",
    assignee: str = "",
    q: str = "",
    tag: str = "",
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> SearchedPage[ThreadLine]:
    """Return one page of the conversations, newest first; `q` searches their mail."""
    search_result = await search(house, workspace, q)
    page, total = await workspace.db.read(
        threads.list_page,
        status=status,
        search=search_result.query,
        found=search_result.ids,
        limit=limit,
        offset=offset,
        tag=tag,
        filters={"category": category, "priority": priority, "assignee": assignee},
    )
    items = tuple(thread_line(row) for row in page)
    return SearchedPage(items=items, total=total, unsearched=search_result.unsearched)


@router.get("/{thread_id}")
async def thread(thread_id: str, workspace: WorkspaceOf) -> ThreadView:
    """Return one conversation, oldest first; of a merged one, what it has become part of."""
    return await workspace.db.read(thread_view, workspace.organization, thread_id)


@router.post("/{thread_id}/merge/preview")
async def merge_preview(
    thread_id: str, order: MergeThreads, workspace: WorkspaceOf
) -> ThreadPreview:
    """Say what making another conversation part of this one would do."""
    return await workspace.db.read(threading_merge.merge_preview, thread_id, order.other)


@router.post("/{thread_id}/merge", dependencies=[WAKES])
async def merge(
    thread_id: str,
    order: MergeThreads,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> ThreadView:
    """Make another conversation part of this one."""
    await threading_merge.merge(house, workspace, thread_id, order, principal)
    return await workspace.db.read(thread_view, workspace.organization, thread_id)


@router.post("/{thread_id}/split/preview")
async def split_preview(
    thread_id: str, order: SplitThread, workspace: WorkspaceOf
) -> ThreadPreview:
    """Say what making a conversation of its own of these messages would do."""
    return await workspace.db.read(threading_split.split_preview, thread_id, order.messages)


@router.post("/{thread_id}/split", dependencies=[WAKES])
async def split(
    thread_id: str,
    order: SplitThread,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> ThreadView:
    """Make a conversation of its own of some messages; return the new one."""
    fresh = await threading_split.split(house, workspace, thread_id, order, principal)
    return await workspace.db.read(thread_view, workspace.organization, fresh)


@router.post("/{thread_id}/undo", dependencies=[WAKES])
async def undo(
    thread_id: str,
    order: UndoThreadChange,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> ThreadView:
    """Take a joining, merge or split of this conversation back."""
    await threading_undo.undo(house, workspace, thread_id, order.change, principal)
    return await workspace.db.read(thread_view, workspace.organization, thread_id)
