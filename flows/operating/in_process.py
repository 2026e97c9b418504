"""The engine's API in this process, over the state that no engine holds.

A command asks the same routes as when an engine runs. The house is opened for this command alone:
no loop and no Prefect; of routes and of the house only what is asked for is loaded.
"""

import asyncio
import getpass
from importlib import import_module
from typing import TYPE_CHECKING

import httpx

from data.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from data.records.core.principals import Principal
    from flows.core.house import House

SERVED_BY: dict[str, tuple[str, ...]] = {
    "organizations": ("core.admin",),
    "organizations/*/dkim": ("mail.admin_signing",),
    "routes": ("mail.routes",),
    "tokens": ("core.admin",),
    "users": ("core.users",),
    "roles": ("core.users",),
    "health": ("core.health",),
    "settings": ("admin_settings",),
    "filters": ("admin_settings",),
    "outgoing": ("admin_settings",),
    "model-setup": ("admin_settings",),
    "me": ("mail.service",),
    "backup": ("core.admin_backup",),
    "backups": ("core.admin_backup",),
    "*/teams": ("agents.teams",),
    "*/users": ("core.users",),
    "*/allowances": ("mail.senders",),
    "*/blocks": ("mail.senders",),
    "*/rules": ("mail.rules",),
    "*/policy": ("mail.policy",),
    "*/setup": ("mail.setup",),
    "*/holidays": ("core.holidays",),
    "*/calendar": ("agents.calendar",),
    "*/calendar.ics": ("agents.calendar",),
    "*/knowledge": ("mail.knowledge", "mail.written_knowledge"),
    "*/models": ("mail.models",),
    "*/caps": ("agents.caps",),
    "*/retention": ("admin_settings",),
    "*/agents": ("agents.agent_configuring",),
    "*/agent-library": ("agents.agent_library",),
    "*/chats": ("chats",),
    "*/turns": ("agents.agents",),
    "*/calls": ("agents.agents",),
    "*/chat-intents": ("agents.chat_intents",),
    "*/export": ("mail.exports",),
    "*/contact": ("admin_contacts",),
    "*/business-profile": ("agents.business_profile",),
    "*/mailboxes": ("mail.mailboxes",),
    "*/mailbox-versions": ("mail.mailboxes",),
    "*/messages": ("mail.inbox", "mail.quarantine"),
    "*/queue": ("mail.review.cases",),
    "*/cases": (
        "mail.review.cases",
        "mail.review.attachments",
        "mail.review.examples",
        "mail.review.drafting",
        "mail.review.snoozes",
        "mail.review.onlookers",
        "mail.review.notes",
        "mail.review.follow_ups",
    ),
    "*/letters": ("mail.review.letters",),
    "*/threads": ("mail.threads", "mail.review.notes", "mail.rules"),
    "*/notes": ("mail.review.notes",),
    "*/outbox": ("mail.outbox",),
    "*/deliveries": ("mail.outbox", "mail.review.attachments"),
    "*/audit": ("mail.audit",),
    "*/report": ("mail.reports",),
    "*/memory": ("mail.memory",),
    "*/memories": ("agents.memories",),
}
"""By what stands in a path after `/v1/`, the modules in `flows.api` whose routes serve it."""


class InProcess(httpx.BaseTransport):
    """Answers requests from routes in this process; it is closed with its client."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._runner = asyncio.Runner()
        self._house: House | None = None
        self._blank = False
        """Whether the house stands for a home that is not there yet."""
        self._apps: dict[tuple[str, ...], FastAPI] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer, whole.

        Raises:
            StoreBusyError: an engine holds the state and does not answer.

        """
        return self._runner.run(self._answer(request))

    def close(self) -> None:
        """Let go of the state."""
        self._runner.run(self._close_house())
        self._runner.close()

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        house = await self._open_house(writes=request.method != "GET")
        modules = served_by(request.url.path)
        if "admin_contacts" in modules:
            await _finish_erasures(house, request.url.path.split("/")[2])
        if modules not in self._apps:
            self._apps[modules] = _app(house, modules)
        transport = httpx.ASGITransport(self._apps[modules])
        answer = await transport.handle_async_request(request)
        return httpx.Response(
            answer.status_code, headers=answer.headers, content=await answer.aread()
        )

    async def _open_house(self, *, writes: bool) -> "House":
        """Return the house; of a home that is not there, one in memory until something is kept."""
        from flows.core.garbage_collection import pause_collector

        with pause_collector():
            from data.store.core.database import Database
            from flows.core.house import House
            from flows.core.kept_settings import take_kept_settings

        if self._blank and writes:
            await self._close_house()
        if self._house is None:
            self._house, self._apps = House(self._settings), {}
            self._blank = not writes and not (self._settings.home / "control.duckdb").exists()
            if self._blank:
                self._house.control = Database.in_memory("control")
            await take_kept_settings(self._house)
        _ = self._house.control  # who holds it is told here, not as an answer of the API
        return self._house

    async def _close_house(self) -> None:
        house, self._house = self._house, None
        if house is not None:
            await house.close()


def served_by(path: str) -> tuple[str, ...]:
    """Return the modules whose routes serve a path; the most specific shape counts.

    Raises:
        LookupError: no command asks for it in process; it belongs into `SERVED_BY`.

    """
    parts = path.strip("/").split("/")[1:]
    shapes = [
        "/".join([parts[0], "*", *parts[2:3]]),
        "/".join(["*", *parts[1:2]]),
        parts[0],
    ]
    for shape in shapes:
        if shape in SERVED_BY:
            return SERVED_BY[shape]
    raise LookupError(f"no module is named that serves {path!r} in process")


def local_operator() -> "Principal":
    """Return in whose name the command line acts without an engine: this machine's operator."""
    from data.records.core.principals import operator

    return operator(getpass.getuser())


def _app(house: "House", modules: tuple[str, ...]) -> "FastAPI":
    """Return an application of these routes, for whoever may read the home."""
    from flows.core.garbage_collection import pause_collector

    with pause_collector():
        from fastapi import FastAPI

        from flows.api.core.context import principal_of
        from flows.api.core.errors import answer_errors

        routers = [import_module(f"flows.api.{name}").router for name in modules]
    app = FastAPI(openapi_url=None)
    app.state.house, app.state.loops = house, ()
    for router in routers:
        app.include_router(router)
    app.dependency_overrides[principal_of] = local_operator
    answer_errors(app)
    return app


async def _finish_erasures(house: "House", slug: str) -> None:
    """Do what an erasure that was cut off has left, as an engine does at its start."""
    from data.errors import NotFoundError
    from flows.mail.people.erasing import finish_erasures

    try:
        workspace = await house.get_workspace(slug)
    except NotFoundError:  # the route says so
        return
    await finish_erasures(house, workspace)
