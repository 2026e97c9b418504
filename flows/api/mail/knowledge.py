"""The organization's knowledge: its entries, and the learned ones that wait for a yes."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Literal

from fastapi import APIRouter, Query

from connectors.knowledge.succession import in_force, with_successors
from connectors.knowledge.weighing import freshness
from data.errors import NotFoundError
from data.records.core.kept_knowledge import KeptState
from data.records.core.knowledge import KnowledgeEntry, Usage, is_valid
from data.records.core.learning import AcceptProposal, EditProposal, EntryView, ProposalView
from data.records.core.listing import Page
from data.store.core import kept_knowledge, learned
from data.store.core import knowing as store
from data.store.core.database import Connection
from data.store.core.kept_knowledge import KeptRow
from data.store.core.learned import LearnedRow
from data.store.core.loaded import read_knowledge
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import pick_fields
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.all_knowledge import known_entries
from flows.mail.people import knowing

router = APIRouter(prefix="/v1/{org}", tags=["knowledge"])


class ProposalPage(Page[ProposalView]):
    """One page of what was learned."""

    waiting: int
    """How many wait for a person."""


Which = Literal["", "found", "not_found", "warned", "learned", "unused", "kept", "retired"]


@router.get("/knowledge")
async def entries(
    house: HouseOf,
    workspace: WorkspaceOf,
    q: str = "",
    which: Which = "",
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> Page[EntryView]:
    """Return one page of the entries by title: all, or those that hold every word of `q`."""
    entries_listed = await _list_entries(house, workspace)
    words_wanted = q.lower().split()
    items = [
        entry
        for entry in entries_listed
        if _is_among(entry, which)
        and all(
            word in f"{entry.id} {entry.title} {entry.body} {' '.join(entry.tags)}".lower()
            for word in words_wanted
        )
    ]
    return Page(items=tuple(items[offset : offset + limit]), total=len(items))


@router.get("/proposals")
async def proposals(
    workspace: WorkspaceOf,
    state: Literal["", "proposed", "accepted", "rejected"] = "",
    q: str = "",
    limit: int = Query(50, ge=1, le=500),
    offset: Offset = 0,
) -> ProposalPage:
    """Return one page of what was learned, newest first, and how many wait for a person."""
    proposals_listed, total = await workspace.db.read(
        learned.list_page, state=state, search=q, limit=limit, offset=offset
    )
    waiting = await workspace.db.read(learned.count_waiting)
    return ProposalPage(
        items=tuple(_proposal(row) for row in proposals_listed), total=total, waiting=waiting
    )


@router.get("/proposals/{entry_id}")
async def show_proposal(entry_id: str, workspace: WorkspaceOf) -> ProposalView:
    """Return one entry that was learned, whatever was decided on it."""
    return await _shown(workspace, entry_id)


@router.post("/proposals/{entry_id}/accept")
async def accept(
    entry_id: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    order: AcceptProposal | None = None,
) -> ProposalView:
    """Say yes: from now on drafts may rest on it."""
    was = order.was if order is not None else ""
    await knowing.accept(house, workspace, entry_id, principal, was)
    return await _shown(workspace, entry_id)


@router.post("/proposals/{entry_id}/reject")
async def reject(
    entry_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> ProposalView:
    """Say no, or no longer."""
    await knowing.reject(house, workspace, entry_id, principal)
    return await _shown(workspace, entry_id)


@router.post("/proposals/{entry_id}/edit")
async def edit(
    entry_id: str,
    order: EditProposal,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> ProposalView:
    """Change it; it is a proposal again."""
    await knowing.edit(house, workspace, entry_id, order, principal)
    return await _shown(workspace, entry_id)


@router.post("/proposals/{entry_id}/undo")
async def undo(
    entry_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> ProposalView:
    """Take the newest decision on it back."""
    await knowing.undo(house, workspace, entry_id, principal)
    return await _shown(workspace, entry_id)


async def _shown(workspace: Workspace, entry_id: str) -> ProposalView:
    return _proposal(await workspace.db.read(learned.read_row, entry_id))


def _proposal(row: LearnedRow) -> ProposalView:
    return pick_fields(ProposalView, row, undoable=bool(row.before), mark=row.mark)


async def one_entry(house: House, workspace: Workspace, entry_id: str) -> EntryView:
    """Return one entry as it stands today.

    Raises:
        NotFoundError: there is none of that id.

    """
    for entry in await _list_entries(house, workspace):
        if entry.id == entry_id:
            return entry
    raise NotFoundError(f"there is no entry {entry_id!r}")


async def _list_entries(house: House, workspace: Workspace) -> list[EntryView]:
    day_of = workspace.organization.day
    return await workspace.db.read(_entries, day_of(house.clock()), day_of)


def _entries(
    cursor: Connection, today: date, day_of: Callable[[datetime], date]
) -> list[EntryView]:
    """Return every entry by title; those that were retired too."""
    used = store.read_usage(cursor)
    warnings_by_entry: dict[str, list[str]] = {}
    for sentence, ids in store.list_warnings(cursor):
        for entry_id in ids:
            warnings_by_entry.setdefault(entry_id, []).append(sentence)
    newest_entries = kept_knowledge.read_newest(cursor)
    files = {entry.id: entry.source for entry in read_knowledge(cursor)}
    entries_made = [
        _entry(entry, used.get(entry.id, Usage()), warnings_by_entry.get(entry.id, []), today)
        for entry in (
            *with_successors(known_entries(cursor, day_of)),
            *kept_knowledge.list_retired(newest_entries),
        )
    ]
    noted = [
        _with_place(view, newest_entries.get(view.id), files.get(view.id, ""))
        for view in entries_made
    ]
    return sorted(noted, key=lambda entry: (entry.title.lower(), entry.id))


def _with_place(view: EntryView, row: KeptRow | None, file: str) -> EntryView:
    """Return an entry with where it is kept, and in which version."""
    if row is None:
        return view.model_copy(update={"file": file})
    retired = row.state == KeptState.RETIRED
    return view.model_copy(
        update={
            "version": row.number,
            "kept": row.state == KeptState.KEPT,
            "retired": retired,
            "file": file,
            "found": view.found and not retired,
        }
    )


def _entry(entry: KnowledgeEntry, usage: Usage, warnings: list[str], today: date) -> EntryView:
    alike = {name: getattr(entry, name) for name in EntryView.model_fields if hasattr(entry, name)}
    alike.pop("contradicts")
    holds = entry.trusted and is_valid(entry.valid_from, entry.valid_until, today)
    return EntryView(
        **alike,
        freshness=round(freshness(entry, today), 4),
        contradicts=tuple(
            contradiction.by for contradiction in entry.contradicted if contradiction.holds(today)
        ),
        says_against=entry.contradicts,
        superseded_by=tuple(replaced.by for replaced in entry.superseded if replaced.holds(today)),
        found=holds and in_force(entry, today),
        usage=usage,
        warnings=tuple(warnings),
    )


def _is_among(entry: EntryView, which: Which) -> bool:
    """Return whether an entry is one of those that a list is narrowed to."""
    return {
        "": not entry.retired,
        "found": entry.found,
        "not_found": not entry.found and not entry.retired,
        "warned": bool(entry.warnings),
        "learned": entry.learned,
        "unused": not entry.usage.used and not entry.retired,
        "kept": entry.kept,
        "retired": entry.retired,
    }[which]
