"""One organization, opened: its state, archive, knowledge and policy behind one handle.

Nothing of another organization can be reached through it: every file it holds is in one folder.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.knowledge import KnowledgeIndex
from connectors.mail_index import MailIndex
from connectors.memory_index import MemoryIndex
from data.manifest import load_roster
from data.policy_files import policy_version
from data.records.core.knowledge import SavedReply
from data.records.core.organization import Organization, Policy, WorkingHours
from data.store.core import leftovers
from data.store.core.archive import Archive
from data.store.core.control import Keys
from data.store.core.database import Database
from data.working_time import worked_hours
from flows.core.onlooking import OpenCases
from tasks.mail.ground import Ground

if TYPE_CHECKING:
    from connectors.sources.mailboxes import MailboxLogins
    from connectors.sources.mailboxes.caution import Caution


@dataclass
class Workspace:
    """The handle of one organization."""

    organization: Organization
    keys: Keys
    folder: Path
    db: Database
    archive: Archive
    knowledge: KnowledgeIndex
    mail_index: MailIndex
    intake_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One intake at a time: threading looks at what the batch before it wrote."""
    cases_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One batch of cases at a time: its stages look at what the batch before it decided."""
    delivery_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One sender at a time."""
    cut_off: bool = False
    """Whether an attempt to send ended without a result in this engine, as on a full disk."""
    knowledge_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One who makes the index of knowledge anew at a time, so that it holds the newest state."""
    mail_index_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One change of the index of mail at a time."""
    mail_index_checked: bool = False
    """Whether somebody has looked since the start whether the index of mail is there."""
    sync_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One sync of the source files at a time; it writes what it read a while before."""
    poll_locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    """By name of a mailbox: one poll of it at a time."""
    policy_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One who takes the policy over at a time, so that the newest one counts."""
    erasing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held until the rows of somebody are deleted: no turn of an agent begins meanwhile, for what
    it has read by then it would write afterwards."""
    mailboxes_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One change of the mailboxes that are kept here at a time; it rewrites the file of all."""
    webhooks_at_hand: set[str] = field(default_factory=set)
    """The ids of requests to the webhook whose message is not durable yet."""
    open_cases: OpenCases = field(default_factory=OpenCases)
    """Who has which case open now."""
    caution: "dict[str, Caution]" = field(default_factory=dict)
    """By name of a mailbox, over which messages the connection to it broke."""

    @cached_property
    def policy(self) -> Policy:
        """The organization's policy, as last loaded."""
        from connectors.sources.stored import read_policy

        return self.db.read_apart(read_policy)

    @cached_property
    def saved_replies(self) -> tuple[SavedReply, ...]:
        """The replies that drafts may cite, as last loaded."""
        from flows.core.saved_replies import saved_replies

        return self.db.read_apart(saved_replies)

    @cached_property
    def config_version(self) -> str:
        """Versions of roster and policy, as the journal stamps them."""
        return config_version(self.folder, self.policy)

    @cached_property
    def canary(self) -> str:
        """The mark in private context that nothing outgoing may hold."""
        from tasks.core.leaks.canary import make_canary

        return make_canary(self.keys.loop_secret)

    @cached_property
    def memory_index(self) -> MemoryIndex:
        """What agents remember, searchable; made anew from the state where it is lost."""
        return MemoryIndex(self.folder / "memories.lance")

    @cached_property
    def logins(self) -> "MailboxLogins":
        """What signs in to its mailboxes; holds their access tokens, in memory alone."""
        from connectors.sources.mailboxes import MailboxLogins

        return MailboxLogins()

    @property
    def ground(self) -> Ground:
        """Organization, policy, saved replies and canary as they are now: what stages work from."""
        return Ground(
            organization=self.organization,
            policy=self.policy,
            saved_replies=self.saved_replies,
            canary=self.canary,
        )

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
        await self.mail_index.close()
        await self.memory_index.close()
        await asyncio.to_thread(self.db.close)


def config_version(folder: Path, policy: Policy) -> str:
    """Return the versions of roster and policy, as the journal stamps them."""
    overrides = folder / "manifests"
    roster = load_roster(override=overrides if overrides.is_dir() else None)
    return f"roster {roster.version}, policy {policy_version(policy)}"
