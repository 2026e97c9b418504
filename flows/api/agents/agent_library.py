"""The library for agents: templates and strategies of memory, in versions."""

from fastapi import APIRouter, Query

from data.records.agents.library import (
    EntryKind,
    EntryVersionList,
    LibraryEntryList,
    LibraryVersion,
    NewEntry,
)
from data.records.core.manifest_format import Slug
from flows.agents import library
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf

router = APIRouter(prefix="/v1/{org}/agent-library", tags=["agents"])


@router.get("")
async def list_library(workspace: WorkspaceOf) -> LibraryEntryList:
    """Return what the library has: Postern's own entries, and the organization's."""
    return LibraryEntryList(items=await workspace.db.read(library.list_entries))


@router.get("/{kind}/{name}")
async def show_entry(
    kind: EntryKind,
    name: Slug,
    workspace: WorkspaceOf,
    version: int = Query(0, ge=0, description="0: the newest"),
) -> LibraryVersion:
    """Return an entry of the library with its text."""
    return await workspace.db.read(library.read_wording, library.EntryName(kind, name, version))


@router.get("/{kind}/{name}/versions")
async def list_wordings(kind: EntryKind, name: Slug, workspace: WorkspaceOf) -> EntryVersionList:
    """Return every wording of an entry, the newest first."""
    return EntryVersionList(items=tuple(await workspace.db.read(library.list_versions, kind, name)))


@router.put("/{kind}/{name}")
async def write_entry(
    kind: EntryKind,
    name: Slug,
    order: NewEntry,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> LibraryVersion:
    """Write an entry of the organization's own, or one more wording of it."""
    return await workspace.db.write(
        library.write_entry, kind, name, order, principal.name, house.clock()
    )


@router.delete("/{kind}/{name}")
async def take_out_entry(
    kind: EntryKind, name: Slug, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> LibraryVersion:
    """Take an entry of the organization's own out of the library; its wordings stay."""
    return await workspace.db.write(
        library.take_out_entry, kind, name, principal.name, house.clock()
    )
