"""A process that answers parts of a message and dies over it, at a place that is named.

It ends by SIGKILL of its own, as if the kernel had; the folder stays as that left it.
"""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from connectors.outbound import DeliveryResult, FileTransport
from data.records.core.organization import AutonomyRule, Mode
from data.records.core.understanding import Category
from data.records.mail.stage_outputs import Routed
from data.store.core.database import Connection
from flows.core.batch import Batch
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.delivery import delivery_batch
from flows.inbound import STAGES, inbound_batch
from flows.mail.line.mailroom import mailroom_of
from flows.mail.stages.route import RouteStage
from flows.opening import open_house
from tests.core.small import SLUG, Clock, settings_in
from tests.mail.line.sending_by_itself import FRONT

PLACES = ("parting", "dot")


def die() -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


class DeadlyRoute(RouteStage):
    """Parts cases and puts replies into the outbox, and dies before that is committed."""

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Routed], now: datetime
    ) -> None:
        """Do everything, then die over it."""
        super().settle(cursor, batch, results, now)
        die()


class DeadlyTransport(FileTransport):
    """Hands everything over and dies before it hears an answer."""

    async def deliver(
        self,
        raw: bytes,
        mail_from: str,
        rcpt_to: Sequence[str],
        *,
        before_data: Callable[[], Awaitable[bool]],
        before_dot: Callable[[], Awaitable[None]],
    ) -> DeliveryResult:
        """Deliver, then die."""
        result = await super().deliver(
            raw, mail_from, rcpt_to, before_data=before_data, before_dot=before_dot
        )
        die()
        return result


async def reopen(home: Path, **given: Any) -> tuple[House, Workspace]:  # noqa: ANN401
    """Open the house again, with the policy that lets parts leave."""
    settings = settings_in(home, trusted_authserv_ids=(FRONT,), **given)
    house = await open_house(settings, Clock())
    workspace = await house.get_workspace(SLUG)
    workspace.policy = workspace.policy.model_copy(
        update={
            "mode": Mode.LIVE,
            "autonomy_rules": tuple(AutonomyRule(category=c, auto_send=True) for c in Category),
            "confidence_threshold": 0.8,
            "answer_parts": "when_ready",
            "undo_seconds": 0,
        }
    )
    return house, workspace


async def work(home: Path, where: str) -> None:
    """Work on the cases that are due, send what is due, and die at the place."""
    house, workspace = await reopen(home)
    stages = (*STAGES[:-1], DeadlyRoute()) if where == "parting" else STAGES
    await inbound_batch(house, workspace, stages)
    mailroom_of(house).transport = DeadlyTransport(home / "outgoing")
    await delivery_batch(house, workspace)


def run(home: Path, where: str) -> None:
    """Be that process."""
    asyncio.run(work(home, where))
