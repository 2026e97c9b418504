"""One organization, opened: its state, archive, knowledge and policy behind one handle.

Nothing of another organization can be reached through it: every file it holds is in one folder.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeVar, cast

from connectors.knowledge import KnowledgeIndex
from connectors.memory_index import MemoryIndex
from data.manifest import load_roster
from data.policy_files import policy_version
from data.records.core.organization import Organization, Policy, WorkingHours
from data.store.core import leftovers
from data.store.core.archive import Archive
from data.store.core.control import Keys
from data.store.core.database import Database
from data.store.core.loaded import read_policy
from data.working_time import worked_hours


class WorkspacePart(Protocol):
    """What a slice keeps with an organization while that is open; the core knows no more of it."""

    async def reload(self) -> None:
        """Take over what was loaded from the sources."""

    async def close(self) -> None:
        """Let go of what it holds."""


PartT = TypeVar("PartT", bound=WorkspacePart)


@dataclass
class Workspace:
    """The handle of one organization."""

    organization: Organization
    keys: Keys
    folder: Path
    db: Database
    archive: Archive
    knowledge: KnowledgeIndex
    knowledge_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One who makes the index of knowledge anew at a time, so that it holds the newest state."""
    sync_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One sync of the source files at a time; it writes what it read a while before."""
    policy_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One who takes the policy over at a time, so that the newest one counts."""
    erasing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held until the rows of somebody are deleted: no turn of an agent begins meanwhile, for what
    it has read by then it would write afterwards."""

    parts: "dict[Callable[[Workspace], WorkspacePart], WorkspacePart]" = field(default_factory=dict)
    """What slices keep with this organization, by what makes it."""

    def get_part(self, make: Callable[["Workspace"], PartT]) -> PartT:
        """Return what a slice keeps with this organization, made when it is first asked for."""
        if make not in self.parts:
            self.parts.setdefault(make, make(self))
        return cast(PartT, self.parts[make])

    @cached_property
    def policy(self) -> Policy:
        """The organization's policy, as last loaded."""
        return self.db.read_apart(read_policy)

    @cached_property
    def config_version(self) -> str:
        """Versions of roster and policy, as the journal stamps them."""
        return build_config_version(self.folder, self.policy)

    @cached_property
    def canary(self) -> str:
        """The mark in private context that nothing outgoing may hold."""
        from tasks.core.leaks.canary import make_canary

        return make_canary(self.keys.loop_secret)

    @cached_property
    def memory_index(self) -> MemoryIndex:
        """What agents remember, searchable; made anew from the state where it is lost."""
        return MemoryIndex(self.folder / "memories.lance")

    @property
    def worked_hours(self) -> WorkingHours | None:
        """When somebody works, holidays left out; None: every hour counts."""
        return worked_hours(self.policy.working_hours, self.organization)

    @property
    def slug(self) -> str:
        """Short name of the organization."""
        return self.organization.slug

    @property
    def sources(self) -> Path:
        """Folder that `sync` loads knowledge, contacts and policies from."""
        return self.folder / "sources"

    async def keep_bytes(self, contents: Sequence[bytes], now: datetime) -> list[str]:
        """Keep bytes in the archive for rows that are yet to come; return their hashes.

        They are noted as nobody's before: where no row comes to name them, because somebody else
        was faster or the engine died, the upkeep removes them, and no erasure misses them for good.
        """
        if not contents:
            return []
        keys = [self.archive.key_of(content) for content in contents]
        await self.db.write(leftovers.note, keys, now)
        return await asyncio.to_thread(self.archive.keep, contents)

    async def close(self) -> None:
        """Close the state and every index."""
        await self.knowledge.close()
        await self.memory_index.close()
        for part in list(self.parts.values()):
            await part.close()
        await asyncio.to_thread(self.db.close)


def build_config_version(folder: Path, policy: Policy) -> str:
    """Return the versions of roster and policy, as the journal stamps them."""
    overrides = folder / "manifests"
    roster = load_roster(override=overrides if overrides.is_dir() else None)
    return f"roster {roster.version}, policy {policy_version(policy)}"
