"""Flow *intake*: from the spool to a conversation; or to quarantine, or to the shelf."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from prefect import flow

from data.counting import plural
from data.store.core.database import Connection
from data.store.mail import messages
from flows.core.batch import Batch
from flows.core.current import get_current_house
from flows.core.garbage_collection import settle_heap
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.crash_retries import choose_suspects, count_deaths, explain_giving_up
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.take import take_in_waiting
from flows.mail.stages.authenticate import AuthenticateStage
from flows.mail.stages.parse import ParseStage
from flows.mail.stages.screen import ScreenStage
from flows.mail.stages.stage import Stage
from flows.mail.stages.stage_tasks import (
    UNKEPT,
    count_outcomes,
    publish_outcomes,
    take_through_stages,
)
from flows.mail.stages.thread import ThreadStage

log = logging.getLogger("postern.intake")
STAGES = (ParseStage(), ScreenStage(), AuthenticateStage(), ThreadStage())


@flow(
    name="intake",
    flow_run_name="intake {organization} × {count}",
    persist_result=False,
    result_storage=UNKEPT,
)
async def intake(organization: str = "", count: int = 0) -> dict[str, int]:
    """Read, screen, authenticate and thread what is waiting.

    Args:
        organization: slug; empty takes the spool in first, then works for every organization.
        count: how many messages were waiting, for the run's name.

    Returns:
        How many messages were worked on per organization.

    """
    del count  # Prefect names a run by what it was called with
    house = get_current_house()
    if not organization:
        await take_in_waiting(house, house.settings.batch_size)
    return {
        w.slug: await intake_batch(house, w) for w in await house.choose_workspaces(organization)
    }


async def intake_batch(
    house: House, workspace: Workspace, stages: Sequence[Stage[Any]] = STAGES
) -> int:
    """Take one batch of one organization through the stages; return its size."""
    async with mail_line_of(workspace).intake_lock:
        ids = await workspace.db.read(messages.list_due, house.clock(), house.batch_size)
        if not ids:
            return 0
        ids = choose_suspects(house.spool, ids)
        batch = Batch(house=house, workspace=workspace, ids=list(ids))
        await batch.note_new()
        with count_deaths(house.spool, ids) as hopeless:
            if hopeless:
                await workspace.db.write(_give_up, batch, hopeless)
            await take_through_stages(stages, batch)
        log.info(
            "took in %s: %s",
            plural(len(ids), "message"),
            count_outcomes(batch.outcomes),
            extra={"fields": {"organization": workspace.slug}},
        )
        settle_heap("intake")
        rows = await workspace.db.read(messages.read_messages, ids)
        await publish_outcomes(
            "intake",
            workspace.slug,
            [
                {
                    "message": item,
                    "from": rows[item].sender_email,
                    "subject": rows[item].subject[:80],
                    "verdict": rows[item].verdict or "",
                    "status": rows[item].status,
                    "outcome": batch.outcomes.get(item, ""),
                }
                for item in ids
            ],
            f"{plural(len(ids), 'message')} of {workspace.organization.name}",
        )
        return len(ids)


def _give_up(cursor: Connection, batch: Batch, hopeless: Mapping[str, int]) -> None:
    """Show messages over which the engine has died too often as failed; they are kept raw."""
    reasons = {item: explain_giving_up(count) for item, count in hopeless.items()}
    ParseStage().give_up(cursor, batch, reasons, batch.now())
    batch.take_off(list(reasons), "given up")
