"""Flow *delivery*: approved replies leave, one attempt each."""

from functools import partial

from prefect import flow

from data.counting import plural
from data.store.mail import deliveries
from flows.core.current import get_current_house
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.lessons import look_back
from flows.mail.leaving.sending import deliver_due
from flows.mail.line.mail_line import mail_line_of
from flows.mail.stages.stage_tasks import (
    UNKEPT,
    count_outcomes,
    log_line,
    publish_outcomes,
    run_as_task,
)


@flow(
    name="delivery",
    flow_run_name="delivery {organization} × {count}",
    persist_result=False,
    result_storage=UNKEPT,
)
async def delivery(organization: str = "", count: int = 0) -> dict[str, int]:
    """Attempt what is due.

    Args:
        organization: slug; empty delivers for every organization.
        count: how many replies were due, for the run's name.

    Returns:
        How many attempts were made per organization.

    """
    del count  # Prefect names a run by what it was called with
    house = get_current_house()
    workspaces = await house.choose_workspaces(organization)
    return {w.slug: await delivery_batch(house, w) for w in workspaces}


async def delivery_batch(house: House, workspace: Workspace) -> int:
    """Attempt one batch of one organization; return its size."""
    send = partial(deliver_due, house, workspace, house.settings.batch_size)
    async with mail_line_of(workspace).delivery_lock:
        # No retries: an attempt whose end is not known must not be repeated
        # (`flows/mail/leaving/sending.py`).
        states = await run_as_task("send", send, retries=0)
        rows = [await workspace.db.read(deliveries.read_row, item) for item in states]
    log_line(f"send: {count_outcomes(states)}")
    await publish_outcomes(
        "delivery",
        workspace.slug,
        [
            {
                "delivery": row.id,
                "to": ", ".join(row.rcpt_to),
                "subject": row.subject[:80],
                "state": row.state,
                "answer": row.response[:120],
            }
            for row in rows
        ],
        f"{plural(len(rows), 'reply')} of {workspace.organization.name}",
    )
    await look_back(house, workspace)
    return len(states)
