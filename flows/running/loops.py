"""The engine's loops: they look for work and start flow runs; with nothing to do they start none.

A loop survives whatever a flow run raises: what is done is journalled, so the next run goes on
where this one stopped. While Prefect's server cannot be reached a loop waits and says so; mail is
still accepted, and nothing is lost.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import httpx

from data.errors import PosternError
from data.store.agents import turns as turn_rows
from data.store.mail import deliveries, messages
from flows.core.house import House
from flows.core.rounds import do_for_organizations
from flows.core.workspace import Workspace
from flows.delivery import delivery
from flows.intake import intake
from flows.mail.knowing.mail_search import index_round
from flows.mail.leaving.forwarding import forward_round
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.mailroom import has_mail_waiting
from flows.mail.line.take import take_in_waiting
from flows.running.agents import AgentsLoop
from flows.running.due_work import WaitingLoop
from flows.running.inbound_round import inbound_round
from flows.running.mailbox_watches import MailboxLoop
from flows.running.prefect_client import patient_client
from flows.turns import BATCH, turns, which_of

log = logging.getLogger("postern.loop")
POLL_SECONDS, GATHER_SECONDS, FIRST_PAUSE, LONGEST_PAUSE = 0.2, 0.2, 1.0, 30.0
QUIET_SECONDS, QUIET_POLL_SECONDS = 60.0, 1.0
"""After how long without a transaction a house is quiet, and how often a loop looks into it then.

What is written there, and what comes into the spool, is seen as soon as ever; what comes due by the
clock alone may wait so much longer. Nine loops that ask each organization five times a second keep
a processor busy all night.
"""


@dataclass
class Loop:
    """One loop: `round` does what is due now, and says whether there was anything."""

    name: str
    round: Callable[[House], Awaitable[bool]]
    error: str = ""
    """What the last round ran into; empty when it went well."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    feeds: "Loop | None" = None
    """The loop that goes on with what this one has done; it is woken, and need not wait to look."""
    count_writes: Callable[[House], int] = House.count_writes
    """Says how many transactions the state has seen: as long as it is the same, so is the state."""
    has_arrivals: Callable[[House], bool] = lambda _: False
    """Whether something waits that comes from outside of the state."""
    quiet_seconds: float = QUIET_SECONDS
    quiet_poll_seconds: float = QUIET_POLL_SECONDS

    async def run(self, house: House, stopping: asyncio.Event) -> None:
        """Go round until `stopping` is set."""
        pause, writes, changed_at = FIRST_PAUSE, -1, 0.0
        while not stopping.is_set():
            if (now_written := self.count_writes(house)) != writes:
                writes, changed_at = now_written, time.monotonic()
            try:
                busy = await self.round(house)
                self.error, pause = "", FIRST_PAUSE
            except Exception as error:  # a loop outlives its rounds
                self.error = f"{type(error).__name__}: {error}"
                expected = isinstance(error, PosternError | OSError | httpx.HTTPError)
                log.warning(
                    "loop %s: %s; tries again in %.0f s",
                    self.name,
                    self.error,
                    pause,
                    exc_info=None if expected else error,
                )
                await _wait(stopping, pause)
                pause, busy = min(pause * 2, LONGEST_PAUSE), True
            if busy and not self.error and self.feeds is not None:
                self.feeds.woken.set()
            if not busy:
                quiet = time.monotonic() - changed_at >= self.quiet_seconds
                await self._rest(house, stopping, writes, self.quiet_poll_seconds if quiet else 0.0)
            elif not self.error:
                # What arrives meanwhile goes together: a flow run costs the same for one or many.
                await _wait(stopping, GATHER_SECONDS)

    async def _rest(
        self, house: House, stopping: asyncio.Event, writes: int, seconds: float
    ) -> None:
        """Wait for `seconds`, and a poll at the least, or until there is a reason to look again."""
        until = time.monotonic() + seconds
        while True:
            waits = [asyncio.create_task(e.wait()) for e in (self.woken, stopping)]
            ready, pending = await asyncio.wait(
                waits, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            for wait in pending:
                wait.cancel()
            changed = self.count_writes(house) != writes or self.has_arrivals(house)
            if ready or changed or time.monotonic() >= until:
                break
        self.woken.clear()


async def _wait(stopping: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stopping.wait()
    except TimeoutError:
        return


async def intake_round(house: House) -> bool:
    """Run the flow for every organization with work, and take in what is in the spool."""
    limit = house.settings.batch_size

    async def read(workspace: Workspace) -> bool:
        ids = await workspace.db.read(messages.list_due, house.clock(), limit)
        if ids:
            async with house.turn_of_run("intake"), patient_client():
                await intake(organization=workspace.slug, count=len(ids))
        return bool(ids)

    try:
        if await do_for_organizations(house, read):
            return True
    except Exception:
        await take_in_waiting(
            house, limit
        )  # the mail of the others, which is read in the next round
        raise
    if not await take_in_waiting(house, limit):
        return False
    await do_for_organizations(house, read)
    return True


async def delivery_round(house: House) -> bool:
    """Run the flow for every organization with a reply that is due."""

    async def deliver(workspace: Workspace) -> bool:
        due = await workspace.db.read(deliveries.list_due, house.clock(), house.settings.batch_size)
        if due or mail_line_of(workspace).cut_off:
            async with house.turn_of_run("delivery"), patient_client():
                await delivery(organization=workspace.slug, count=len(due))
        return bool(due)

    return False if house.stopped else await do_for_organizations(house, deliver)


async def turns_round(house: House) -> bool:
    """Run the flow for every organization with turns to show; return whether there were any."""

    async def show(workspace: Workspace) -> bool:
        due = await workspace.db.read(turn_rows.list_to_show, BATCH)
        if due:
            async with house.turn_of_run("turns"), patient_client():
                await turns(organization=workspace.slug, which=which_of(due))
        return bool(due)

    return await do_for_organizations(house, show)


def make_loops() -> tuple[Loop, ...]:
    """Return the engine's loops."""
    work = Loop("inbound", inbound_round)
    return (
        Loop("intake", intake_round, feeds=work, has_arrivals=has_mail_waiting),
        work,
        Loop("delivery", delivery_round),
        Loop("forwarding", forward_round),
        Loop("mailboxes", MailboxLoop().round),
        Loop("waiting", WaitingLoop().round),
        Loop("search", index_round),
        Loop("agents", AgentsLoop().round),
        Loop("turns", turns_round),
    )
