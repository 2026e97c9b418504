"""The one place that builds the real things and hands them to those who need them."""

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from connectors.knowledge import KnowledgeIndex
from connectors.routes import RouteTable, write_routes
from connectors.spool import Spool
from data.errors import StoreError
from data.records.core.organization import Organization
from data.settings import Settings
from data.store.core import control
from data.store.core.archive import Archive
from data.store.core.control import Keys
from data.store.core.database import Database
from data.store.core.loaded import read_policy
from flows.core.streams import Streams
from flows.core.workspace import Workspace, build_config_version

if TYPE_CHECKING:
    from connectors.embedding import Embedder
    from flows.core.thinker import Thinker
    from flows.core.work_pool import WorkPool

log = logging.getLogger("postern.wiring")
OPEN_AGAIN_SECONDS = 15.0
"""After how long it is tried again to open an organization that could not be opened."""
ROUNDS = 4
"""Rounds of calls to models that one batch makes in each stage, at most about."""
PARTS = ("thinker", "control", "spool", "work", "embedder", "routes")
"""What a house is made of, in the order in which an engine makes it; slices have more."""


def utc_now() -> datetime:
    """Return the current time, UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Unopened:
    """An organization whose state could not be opened, while those of the others are worked on."""

    why: str
    again_at: float
    """Seconds of the monotonic clock before which nobody tries again."""


class HousePart(Protocol):
    """What a slice keeps with a house while that is open; the core knows no more of it."""

    def take_settings(self, before: Settings) -> None:
        """Work with the settings that the house has now; `before` are those of until now."""

    async def close(self) -> None:
        """Let go of what it holds."""


PartT = TypeVar("PartT", bound=HousePart)


async def _settle_nothing(_: Workspace) -> None:
    """Do nothing with an organization that was opened."""


@dataclass
class House:
    """Everything that the engine works with; each part is made when it is first used."""

    settings: Settings
    clock: Callable[[], datetime] = utc_now
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    unopened: dict[str, Unopened] = field(default_factory=dict)
    """By slug, the organizations that could not be opened when it was tried last."""
    settle: Callable[[Workspace], Awaitable[None]] = _settle_nothing
    """What is done with an organization once it is opened, before anybody works with it."""
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    run_turns: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """By name, the orders in which flow runs go; runs of different orders go side by side."""
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when everything is to end, for threads that wait on the network."""
    streams: Streams = field(default_factory=Streams)
    """What agents are saying, while they say it."""
    errands: set[asyncio.Task[str]] = field(default_factory=set)
    """What runs beside the loops; cut off when the house is closed."""
    changing_settings: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One change of the settings that are kept here at a time."""
    publishing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One who writes the routes for the receiver at a time, so that the file holds the newest."""
    beginning_backup: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while somebody sees that nothing is done with a backup, and begins something."""
    kept: frozenset[str] = frozenset()
    """Names of the settings that are as administrators keep them in Postern."""
    past_thinkers: "list[Thinker]" = field(default_factory=list)
    """Those who asked language models before a setting was changed; open, for who asks them yet."""
    parts: "dict[Callable[[House], HousePart], HousePart]" = field(default_factory=dict)
    """What slices keep with the house, by what makes it."""
    _listed: tuple[int, list[str]] | None = None
    """Every organization's slug, and how often the control state had been written by then."""

    def get_part(self, make: Callable[["House"], PartT]) -> PartT:
        """Return what a slice keeps with the house, made when it is first asked for."""
        if make not in self.parts:
            self.parts.setdefault(make, make(self))
        return cast(PartT, self.parts[make])

    def make_all_parts(self) -> None:
        """Make every part of the core at once.

        Raises:
            SettingsError: a setting asks for what is not there.
            StoreBusyError: another process holds the state.

        """
        for name in PARTS:
            getattr(self, name)

    @cached_property
    def control(self) -> Database:
        """The state of the engine itself: organizations, routes, users; its lock is the engine's.

        Raises:
            StoreBusyError: another process holds it.

        """
        of = self.settings
        for folder in (of.home, of.organizations, of.logs, of.secrets):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return Database(of.home / "control.duckdb", "control")

    @cached_property
    def spool(self) -> Spool:
        """Where accepted mail is until it is taken in."""
        return Spool.from_settings(self.settings, self.clock)

    @cached_property
    def routes(self) -> RouteTable:
        """What happens to mail for each address, as the receiver reads it."""
        return RouteTable(self.settings.routes_file)

    @cached_property
    def work(self) -> "WorkPool":
        """Computes what depends on its arguments alone, in processes when it is much."""
        from flows.core.work_pool import WorkPool

        return WorkPool(self.settings.work_processes)

    @cached_property
    def embedder(self) -> "Embedder":
        """Who makes vectors of texts."""
        from connectors.embedding import embedder_from
        from tasks.core.language.embedding import embed

        return embedder_from(self.settings, embed)

    @cached_property
    def thinker(self) -> "Thinker | None":
        """Who asks language models; None while Postern thinks by itself."""
        return open_thinker(self.settings, self.clock)

    def change_thinker(self, thinker: "Thinker | None") -> None:
        """Have another ask language models from now on.

        The one before stays open until the house is closed: a batch may still be asking it, and
        what it writes goes on being seen.
        """
        before = self.thinker
        if before is not None:
            self.past_thinkers.append(before)
            if thinker is not None:
                thinker.partial = before.partial
        self.thinker = thinker

    @property
    def batch_size(self) -> int:
        """Most messages or cases that are worked on at once; fewer when models are waited for."""
        most = self.settings.batch_size
        return most if self.thinker is None else min(most, self.settings.llm_concurrency * ROUNDS)

    def turn_of_run(self, flow: str) -> asyncio.Lock:
        """Return the turn that a run of `flow` holds.

        Flow runs take turns, in the order asked: side by side they starve in Prefect's SQLite. With
        work processes intake has a turn of its own, so that both cores are used.
        With language models a run mostly waits, and each flow takes turns with itself only, so
        that a slow model holds up neither what comes in nor what goes out.
        """
        if self.thinker is not None:
            return self.run_turns[flow]
        apart = self.settings.work_processes > 0 and flow == "intake"
        return self.run_turns["intake" if apart else ""]

    @property
    def stopped(self) -> bool:
        """Whether the kill switch is on."""
        return self.settings.stop_file.exists()

    async def get_workspace(self, slug: str) -> Workspace:
        """Return the handle of one organization, opened on demand.

        Raises:
            NotFoundError: there is no such organization.
            StoreError: it cannot be opened, or could not a short while ago.

        """
        if slug in self.workspaces:  # nobody waits for another to be opened
            return self.workspaces[slug]
        async with self.opening:
            if slug not in self.workspaces:
                organization = await self.control.read(control.read_organization, slug)
                keys = await self.control.read(control.read_keys, slug)
                await self._open_workspace(organization, keys)
            return self.workspaces[slug]

    async def _open_workspace(self, organization: Organization, keys: Keys) -> None:
        """Open an organization and settle it; what cannot be is told, and tried again later."""
        slug = organization.slug
        unopened = self.unopened.get(slug)
        if unopened is not None and time.monotonic() < unopened.again_at:
            raise StoreError(unopened.why)
        workspace: Workspace | None = None
        try:
            workspace = await open_workspace(self, organization, keys)
            await self.settle(workspace)
        except Exception as error:  # whatever it is, it is no matter of the others
            if workspace is not None:
                await workspace.close()
            why = f"{organization.name} cannot be opened: {error}"
            if unopened is None or unopened.why != why:
                log.exception("%s; the others are worked on", why)
            self.unopened[slug] = Unopened(why, time.monotonic() + OPEN_AGAIN_SECONDS)
            raise StoreError(why) from error
        if self.unopened.pop(slug, None) is not None:
            log.info("%s is opened again", organization.name)
        self.workspaces[slug] = workspace

    async def list_workspaces(self) -> list[Workspace]:
        """Return the handle of every organization that can be opened; `unopened` has the others."""
        written = self.control.written
        if self._listed is None or self._listed[0] != written:
            organizations = await self.control.read(control.list_organizations)
            self._listed = written, [organization.slug for organization in organizations]
        opened = []
        for slug in self._listed[1]:
            if slug in self.unopened:
                self._begin_opening(slug)
                continue
            with suppress(StoreError):
                opened.append(await self.get_workspace(slug))
        return opened

    def _begin_opening(self, slug: str) -> None:
        """Try again to open an organization, beside what is done for the others."""
        name = f"opening of {slug}"
        due = time.monotonic() >= self.unopened[slug].again_at
        if due and all(task.get_name() != name for task in self.errands):
            self.run_aside(self._open_workspace_again(slug), name)

    async def _open_workspace_again(self, slug: str) -> str:
        with suppress(StoreError):  # it is told by `unopened`
            await self.get_workspace(slug)
        return "unopened" if slug in self.unopened else "opened"

    def count_writes(self) -> int:
        """Return how many transactions the state has seen since it was opened, all files together.

        As long as the number is the same, so is everything in them.
        """
        return self.control.written + sum(
            workspace.db.written for workspace in self.workspaces.values()
        )

    async def choose_workspaces(self, slug: str) -> list[Workspace]:
        """Return the handle of one organization, or of every one for an empty slug."""
        return [await self.get_workspace(slug)] if slug else await self.list_workspaces()

    async def publish_routes(self) -> None:
        """Write the routes where the receiver reads them."""
        async with self.publishing:
            routes = await self.control.read(control.list_routes)
            await asyncio.to_thread(write_routes, self.settings.routes_file, routes, len(routes))

    async def add_organization(self, organization: Organization) -> Keys:
        """Make an organization, its folder and its routes.

        Raises:
            ConflictError: its slug or an address is taken.

        """
        keys = control.make_keys()
        await self.control.write(control.add_organization, organization, keys, self.clock())
        self.settings.setup_file.unlink(missing_ok=True)  # there is nothing to begin with any more
        await self.publish_routes()
        return keys

    async def reload_policy(self, workspace: Workspace) -> None:
        """Take over the policy, the manifests and what slices keep of the sources, as loaded."""
        async with workspace.policy_lock:
            workspace.policy = await workspace.db.read(read_policy)
            for part in list(workspace.parts.values()):
                await part.reload()
            workspace.config_version = build_config_version(workspace.folder, workspace.policy)

    def run_aside(self, errand: Coroutine[Any, Any, str], name: str) -> asyncio.Task[str]:
        """Start something that the loops do not wait for; its failure is logged."""
        task = asyncio.create_task(errand, name=name)
        self.errands.add(task)
        task.add_done_callback(self._end_errand)
        return task

    def _end_errand(self, task: asyncio.Task[str]) -> None:
        self.errands.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("%s failed", task.get_name(), exc_info=task.exception())

    async def close(self) -> None:
        """Let go of everything, in order."""
        self.closing.set()
        for errand in self.errands:
            errand.cancel()
        await asyncio.gather(*self.errands, return_exceptions=True)
        parts_opened = vars(self)
        for thinker in (parts_opened.get("thinker"), *self.past_thinkers):
            if thinker is not None:
                await thinker.provider.close()
        if "work" in parts_opened:
            await self.work.close()
        for part in list(self.parts.values()):
            await part.close()
        for workspace in self.workspaces.values():
            await workspace.close()
        if "control" in parts_opened:
            await asyncio.to_thread(self.control.close)


def open_thinker(settings: Settings, clock: Callable[[], datetime]) -> "Thinker | None":
    """Return who asks the models of these settings; None where Postern thinks by itself.

    Raises:
        SettingsError: the key is missing, a model has no name, or the address is not valid.

    """
    from connectors.models import open_door
    from flows.core.thinker import Thinker

    door = open_door(settings)
    return Thinker(door, settings, clock) if door is not None else None


async def open_workspace(house: House, organization: Organization, keys: Keys) -> Workspace:
    """Open everything that one organization has; what is searched is opened at the first search."""
    folder = house.settings.organizations / organization.slug
    return Workspace(
        organization=organization,
        keys=keys,
        folder=folder,
        db=await asyncio.to_thread(Database, folder / "state.duckdb", "organization"),
        archive=Archive(folder / "archive"),
        knowledge=KnowledgeIndex(folder / "knowledge.lance", lambda: house.embedder),
    )
