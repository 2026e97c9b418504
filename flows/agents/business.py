"""The organization's profile as every agent is told it, its references as they read now."""

from datetime import datetime

from data.errors import ForbiddenError, NotFoundError
from data.records.agents.business import (
    LONGEST_EXCERPT,
    MOST_REFERENCES,
    BusinessProfile,
    EditBusinessProfile,
    Reference,
    ResolvedReference,
    RestoreProfile,
    ToldProfile,
)
from data.records.agents.memories import ORGANIZATION_LAYER, STRANGERS
from data.records.core.principals import Permission, Principal
from data.records.core.tools import OF_STRANGERS, Label
from data.records.core.version_diff import VersionDiff
from data.states import MemoryState
from data.store.agents import business_profiles as store
from data.store.agents import memories
from data.store.core import audit, kept_knowledge, learned, text_references
from data.store.core.database import Connection
from data.store.core.loaded import read_knowledge
from data.text_diff import diff_lines
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.words.sentences import single_spaced

_LONGEST_TITLE = 200


async def read_told_profile(workspace: Workspace) -> ToldProfile:
    """Return the profile as agents get it; what leads to nothing is counted, not told."""
    return await workspace.db.read(_resolve_profile, workspace.organization.timezone)


def labels_of_profile(told: ToldProfile) -> frozenset[Label]:
    """Return what a profile brings into a turn: nothing, but for words of strangers in it."""
    strange = any(reference.of_strangers for reference in told.references)
    return OF_STRANGERS if strange else frozenset()


async def write_profile(
    house: House, workspace: Workspace, wanted: EditBusinessProfile, principal: Principal
) -> ToldProfile:
    """Write another version of the profile.

    Raises:
        ForbiddenError: the person may not teach.
        ConflictError: it is no longer the version that was read.

    """
    if not principal.may(Permission.TEACH, workspace.slug):
        raise ForbiddenError("your role does not permit you to teach here; ask who may")
    await workspace.db.write(_write_version, wanted, principal.name, house.clock())
    return await read_told_profile(workspace)


async def restore_profile(
    house: House, workspace: Workspace, order: RestoreProfile, principal: Principal
) -> ToldProfile:
    """Let an earlier wording count again, as one more version; nothing is overwritten.

    Raises:
        ForbiddenError: the person may not teach.
        NotFoundError: there is no such version.
        ConflictError: there is a newer one than was read.

    """
    if not principal.may(Permission.TEACH, workspace.slug):
        raise ForbiddenError("your role does not permit you to teach here; ask who may")
    await workspace.db.write(_restore_version, order, principal.name, house.clock())
    return await read_told_profile(workspace)


def compare_profiles(cursor: Connection, before: int, after: int) -> VersionDiff:
    """Return what two versions have different.

    Raises:
        NotFoundError: one of them is not there.

    """
    texts = [store.read_version(cursor, number).wording for number in (before, after)]
    return VersionDiff(before=before, after=after, lines=diff_lines(*texts))


def _write_version(
    cursor: Connection, wanted: EditBusinessProfile, author: str, now: datetime
) -> BusinessProfile:
    written = store.write_version(cursor, wanted, author, now)
    detail = f"{len(wanted.markdown)} characters, {len(wanted.references)} references"
    _note_version(cursor, written, author, "write", detail, now)
    return written


def _restore_version(
    cursor: Connection, order: RestoreProfile, author: str, now: datetime
) -> BusinessProfile:
    earlier = store.read_version(cursor, order.version)
    wording = EditBusinessProfile(
        markdown=earlier.markdown, references=earlier.references, was=order.was
    )
    written = store.write_version(cursor, wording, author, now)
    detail = f"version {order.version} counts again, as version {written.version}"
    _note_version(cursor, written, author, "restore", detail, now)
    return written


def _note_version(
    cursor: Connection, written: BusinessProfile, author: str, verb: str, detail: str, now: datetime
) -> None:
    audit.append(
        cursor,
        actor=author,
        action=f"{verb} business profile",
        subject=f"business-profile:{written.version}",
        detail=detail,
        now=now,
    )


def _resolve_profile(cursor: Connection, zone: str) -> ToldProfile:
    profile = store.read_current(cursor)
    written = kept_knowledge.overlay_entries(cursor, read_knowledge(cursor))
    entries = (
        (*written, *learned.list_for_index(cursor, datetime.date)) if profile.references else ()
    )
    entry_by_id = {entry.id: entry for entry in entries if entry.trusted}
    resolved = []
    for reference in profile.references[:MOST_REFERENCES]:
        wording: tuple[str, str, bool] | None = None
        if reference.kind == "memory":
            wording = _find_remembered(cursor, reference)
        elif reference.kind == "knowledge":
            entry = entry_by_id.get(reference.id)
            wording = (entry.title, entry.body, False) if entry is not None else None
        else:
            matter = text_references.read_matter(cursor, reference.kind, reference.id, zone)
            wording = (*matter, True) if matter is not None else None
        if wording is not None:
            title, text, of_strangers = wording
            excerpt = single_spaced(text)[:LONGEST_EXCERPT]
            label = reference.label or single_spaced(title)[:_LONGEST_TITLE]
            resolved.append(
                ResolvedReference(
                    kind=reference.kind,
                    id=reference.id,
                    label=label,
                    excerpt=excerpt,
                    of_strangers=of_strangers,
                )
            )
    return ToldProfile(
        profile=profile,
        references=tuple(resolved),
        unresolved=len(profile.references) - len(resolved),
    )


def _find_remembered(cursor: Connection, reference: Reference) -> tuple[str, str, bool] | None:
    """Return what an item of memory is, its words, and whether strangers wrote them."""
    try:
        item = memories.read_memory(cursor, (ORGANIZATION_LAYER,), reference.id)
    except NotFoundError:
        return None
    if item.state is not MemoryState.CURRENT:
        return None
    return item.kind, item.text, item.provenance in STRANGERS
